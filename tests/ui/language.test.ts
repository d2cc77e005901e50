import { readdirSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import de from "../../src/locales/de.json";
import english from "../../src/locales/en.json";
import { languageNames } from "../../src/ui/settings/setting-places";
import { tellLanguage } from "../../src/ui/state/updates.svelte";
import {
  FORMATS,
  ago,
  appStrings,
  bytes,
  count,
  day,
  duration,
  formatFor,
  list,
  moment,
  speak,
  topicStrings,
} from "../../src/ui/strings";
import { codesOf, directionOf, endonym, LANGUAGES, languageOf, speakLanguage } from "../../src/ui/strings/language";
import { textsOf, type TextTree } from "../../src/ui/strings/texts";

const NOON = new Date(2026, 10, 21, 12).getTime();
const DAY_MS = 86_400_000;

afterEach(() => {
  speak(undefined, "en", "en-GB");
});

test("the first available language of the browser's list is used, with its region", () => {
  expect(languageOf("system", ["de-AT", "en-US"])).toEqual({ language: "de", locale: "de-AT" });
  expect(languageOf("system", ["sv-SE", "en-US", "de"])).toEqual({ language: "en", locale: "en-US" });
  expect(languageOf("system", ["de"])).toEqual({ language: "de", locale: "de" });
  expect(languageOf("system", ["sv-SE"])).toEqual({ language: "en", locale: "en-GB" });
  expect(languageOf("system", [])).toEqual({ language: "en", locale: "en-GB" });
  // A tag may begin with the letters of a language that it doesn't name.
  expect(languageOf("system", ["den-CA"])).toEqual({ language: "en", locale: "en-GB" });
});

test("the settings win over the browser", () => {
  expect(languageOf("en", ["de-DE"])).toEqual({ language: "en", locale: "en-GB" });
  expect(languageOf("de", ["en-US", "de-CH"])).toEqual({ language: "de", locale: "de-CH" });
});

test("each file of src/locales is a language with its own name", () => {
  const files = readdirSync("src/locales").flatMap((file) => /^(.*)\.json$/.exec(file)?.[1] ?? []);
  expect(LANGUAGES).toEqual(["en", ...files.filter((code) => code !== "en").sort()]);
  expect(codesOf(["./de.json", "../locales/pt-BR.json"])).toEqual(["en", "de", "pt-BR"]);
  expect(["en", "de", "fr", "ar"].map(endonym)).toEqual(["English", "Deutsch", "Français", "العربية"]);
  expect(languageNames(["en", "de"])).toEqual({ system: "Same as browser", en: "English", de: "Deutsch" });
});

test("a language that no speaker has read says so", () => {
  expect(languageNames(["en", "fr"])).toMatchObject({ en: "English", fr: "Français (not yet checked by a speaker)" });
});

test("a new language is chosen by the settings or the browser, and a regional one before a general one", () => {
  const spoken = ["en", "pt", "pt-BR"];
  expect(languageOf("pt", ["en-US"], spoken)).toEqual({ language: "pt", locale: "pt" });
  expect(languageOf("system", ["pt-BR"], spoken)).toEqual({ language: "pt-BR", locale: "pt-BR" });
  expect(languageOf("system", ["pt-PT"], spoken)).toEqual({ language: "pt", locale: "pt-PT" });
});

test("Chinese is simplified: someone who wants only the traditional script gets the next language", () => {
  expect(languageOf("system", ["zh-CN"])).toEqual({ language: "zh", locale: "zh-CN" });
  expect(languageOf("system", ["zh-Hans-SG"])).toEqual({ language: "zh", locale: "zh-Hans-SG" });
  expect(languageOf("system", ["zh-TW", "ja-JP"])).toEqual({ language: "ja", locale: "ja-JP" });
  expect(languageOf("system", ["zh-Hant", "zh-HK"])).toEqual({ language: "en", locale: "en-GB" });
  // Some browsers ask for the language beside the region's.
  expect(languageOf("system", ["zh-TW", "zh", "en-US"])).toEqual({ language: "zh", locale: "zh" });
  expect(languageOf("zh", ["zh-TW"])).toEqual({ language: "zh", locale: "zh" });
  expect(languageOf("system", ["not a tag", "fr_FR", "pt-PT"])).toEqual({ language: "pt", locale: "pt-PT" });
});

test("a stored language that is not available counts as the browser's", () => {
  for (const stored of ["xx", "", "constructor", "../de", "DE", 7, null, {}] as string[]) {
    expect(languageOf(stored, ["de-AT", "en-US"])).toEqual({ language: "de", locale: "de-AT" });
  }
});

/** Texts of a made-up file in a language. */
const texts = (before: TextTree, own: TextTree, language = "de") =>
  textsOf(before, own, language, FORMATS) as Record<string, string & ((values: object) => string)>;

test("a word has a form for every class of numbers that its language has", () => {
  formatFor("ar");
  const forms = { zero: "a", one: "b", two: "c", few: "d", many: "e", other: "f" };
  const own = Object.fromEntries(Object.entries(forms).map(([form, text]) => [`messages_${form}`, text]));
  const before = { messages_one: "{{count}} message", messages_other: "{{count}} messages" };
  const { messages } = texts(before, own, "ar");
  expect([0, 1, 2, 3, 11, 100].map((count) => messages?.({ count }))).toEqual(Object.values(forms));
  const { messages: japanese } = texts(before, { messages_other: "{{count, number}} 件" }, "ja");
  expect(japanese?.({ count: 1 }), "a class without a form of its own").toBe("1 件");
});

test("a broken plural, of which the form for all other numbers is missing, is English with its own classes", () => {
  const before = { messages_one: "{{count}} message", messages_other: "{{count}} messages" };
  const { messages } = texts(before, { messages_one: "{{count}} Nachricht" });
  expect([messages?.({ count: 1 }), messages?.({ count: 2 })]).toEqual(["1 message", "2 messages"]);
});

test("values stand in the text as they are, whatever they look like", () => {
  const { saved } = texts({ saved: "{{name}} saved, {{name}}" }, {});
  expect(saved?.({ name: "<b>$& {{name}}</b>" })).toBe("<b>$& {{name}}</b> saved, <b>$& {{name}}</b>");
});

test("what a language lacks is English, what English lacks is left out, and a section that is a text is English", () => {
  const before = { plain: "Plain", list: { one: "One", two: "Two {{n}}" } };
  expect(texts(before, { list: { one: "Eins" }, more: "Mehr" })).toMatchObject({
    plain: "Plain",
    list: { one: "Eins" },
  });
  expect(Object.keys(texts(before, { more: "Mehr" }))).toEqual(["plain", "list"]);
  expect(texts(before, { list: "Liste", plain: { a: "b" } })).toMatchObject({ plain: "Plain", list: { one: "One" } });
});

test("a language whose file can't be loaded, or that there isn't, is English from left to right", async () => {
  expect(await speakLanguage("ar", ["ar-EG"])).toEqual({ lang: "ar", dir: "rtl" });
  expect(appStrings.common.save).toBe("حفظ");
  expect(await speakLanguage("xx", ["xx"])).toEqual({ lang: "en", dir: "ltr" });
  expect([appStrings.common.save, duration(12_000)]).toEqual(["Save", "12 s"]);
});

test("languages are written in the direction that their script has", () => {
  const directions = LANGUAGES.map((language) => {
    const locale = new Intl.Locale(language) as Intl.Locale & { getTextInfo?: () => { direction: string } };
    return locale.getTextInfo?.().direction ?? directionOf(language);
  });
  expect(LANGUAGES.map(directionOf)).toEqual(directions);
});

test("a language may have its own symbols for lengths of time", async () => {
  await speakLanguage("ja", []);
  expect([12_000, 6 * 3_600_000, 6.2 * 3_600_000].map(duration)).toEqual(["12秒", "6時間", "6時間 12分"]);
  speak(undefined, "en", "en-GB");
  expect([12_000, 6.2 * 3_600_000, 25 * 3_600_000].map(duration)).toEqual(["12 s", "6 h 12 min", "1 day 1 h"]);
});

test("a text that a language lacks is English, and the others of its section are not", () => {
  const { heading: _, ...others } = de.topics;
  speak({ ...de, topics: others }, "de", "de");
  expect([topicStrings.heading, topicStrings.pick]).toEqual(["Topics", de.topics.pick]);
  speak(de, "de", "de");
  expect([topicStrings.heading, appStrings.common.cancel]).toEqual([de.topics.heading, "Abbrechen"]);
});

test("German strings, numbers and times are used from then on, on every screen", () => {
  const before = topicStrings;
  expect(before.heading).toBe("Topics");
  speak(de, "de", "de-DE");
  expect(appStrings.common.messages({ count: 1 })).toBe("1 Nachricht");
  expect(appStrings.common.messages({ count: 1234 })).toBe("1.234 Nachrichten");
  expect(topicStrings.heading).toBe("Themen");
  expect(before.heading, "words of a part that came before the language").toBe("Themen");
  expect([ago(500), ago(4 * 60_000)]).toEqual(["jetzt", "vor 4 min"]);
  expect([ago(DAY_MS), ago(50 * 3_600_000)]).toEqual(["vor 1 Tag", "vor 2 Tagen"]);
  expect([moment(NOON - DAY_MS, NOON), moment(NOON + DAY_MS, NOON)]).toEqual(["Gestern 12:00", "Morgen 12:00"]);
  expect([day(NOON, NOON), day(NOON - 2 * DAY_MS, NOON)]).toEqual(["Heute", "Donnerstag 19. November"]);
  expect(list(["a", "b", "c"])).toBe("a, b und c");
  expect([count(2), bytes(284_000)]).toEqual(["2", "284 kB"]);
});

/** Names that no language translates, and signs. */
const NAMES = /^(Earshot|CSV|JSON|WebSocket|Emoji|backups|Ctrl|Shift|Enter|Esc|Del|Home|End|Page [↓↑]|MB|⌘|↓|↑|←|→)$/;

/** Words that a language shares with English. */
const SHARED: Readonly<Record<string, RegExp>> = {
  ar: /^$/,
  de: /^(ID|in|Offline|Version|Feed|Passphrase|Format|Details|Live|Offline\.|Link|Name|Server|Code|Tags|live)$/,
  es: /^(bytes?|Normal|ID|id|No)$/,
  fr: /^(urgent|Version|message|minutes|Format|Images?|Messages?|messages|Notifications|notifications|version|Suggestions|Date|Pause|Code|30 minutes)$/,
  it: /^(in|bytes?|file|Backup|Passphrase|Feed|File|Server|server|Link|ID|id|Offline\.?|Password|Download|No)$/,
  ja: /^ID$/,
  pt: /^(bytes?|Normal|Backup|Feed|Link|ID|id|Offline\.?|Download)$/,
  zh: /^ID$/,
};

const files = import.meta.glob<TextTree>("../../src/locales/*.json", { eager: true, import: "default" });
const translations = Object.entries(files).flatMap(([path, texts]): [string, TextTree][] => {
  const [code = ""] = codesOf([path]).slice(1);
  return code === "en" ? [] : [[code, texts]];
});

/** The texts of two languages that have the same name. */
function pairsOf(one: TextTree, other: TextTree): [string, string][] {
  return Object.entries(one).flatMap(([name, text]) => {
    const own = other[name];
    if (typeof text === "string") return typeof own === "string" ? [[text, own] as [string, string]] : [];
    return typeof own === "object" ? pairsOf(text, own) : [];
  });
}

test.each(translations)("only names and borrowed words are the same as in English: %s", (language, own) => {
  const borrowed = SHARED[language];
  if (!borrowed) throw new Error(`${language} needs a list of the words that it shares with English`);
  // Placeholders, signs and symbols are the same everywhere.
  const wordsOf = (text: string) =>
    text
      .replace(/\{\{.*?\}\}|config\.json/g, " ")
      .replace(/^[^\p{L}⌘←-↓]+|[^\p{L}⌘←-↓]+$/gu, "")
      .replace(/^(?:s|min|h)$/, "");
  const isShared = (text: string) => text === "" || NAMES.test(text) || borrowed.test(text);
  const same = pairsOf(english, own).flatMap(([one, other]) => (one === other ? one : []));
  expect(same.map(wordsOf).filter((text) => !isShared(text))).toEqual([]);
});

test("a version that waits is told a new language too, as it may take over without a network", async () => {
  const told: string[] = [];
  const worker = (name: string) => ({ postMessage: ({ code }: { code: string }) => told.push(`${name}: ${code}`) });
  const ready = Promise.resolve({ active: worker("active"), waiting: worker("waiting"), installing: null });
  vi.stubGlobal("navigator", { serviceWorker: { ready } });
  vi.stubGlobal("document", { documentElement: { lang: "de" } });
  await tellLanguage();
  expect(told.sort()).toEqual(["active: de", "waiting: de"]);
  vi.unstubAllGlobals();
});
