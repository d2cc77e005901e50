import { existsSync, readdirSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { languageNames } from "../../src/ui/settings/language-names";
import { appStrings } from "../../src/ui/strings";
import { later, speak, type Translation } from "../../src/ui/strings/catalogue";
import { catalogue as de } from "../../src/ui/strings/de";
import { en } from "../../src/ui/strings/en";
import { topics } from "../../src/ui/strings/en/topics";
import { ago, bytes, count, day, duration, formatFor, list, moment } from "../../src/ui/strings/format";
import { codesOf, endonym, LANGUAGES, languageOf } from "../../src/ui/strings/language-of";

const NOON = new Date(2026, 10, 21, 12).getTime();
const DAY_MS = 86_400_000;

afterEach(() => {
  Object.assign(appStrings, en);
  formatFor("en-GB");
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

test("each folder with an entry is a language with its own name", () => {
  const folders = readdirSync("src/ui/strings", { withFileTypes: true })
    .filter(
      (entry) => entry.isDirectory() && entry.name !== "en" && existsSync(`src/ui/strings/${entry.name}/index.ts`),
    )
    .map(({ name }) => name);
  expect(folders.length).toBeGreaterThan(0);
  expect(LANGUAGES).toEqual(["en", ...folders.sort()]);
  expect(codesOf(["./de/index.ts", "./pt-BR/index.ts"])).toEqual(["en", "de", "pt-BR"]);
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

test("Chinese is simplified: who wants only the traditional script gets the next language", () => {
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

test("a word is inflected by every class of numbers that its language has", () => {
  formatFor("ar");
  const messages = { zero: "رسالة", one: "رسالة", two: "رسالتان", few: "رسائل", many: "رسالة", other: "رسالة" };
  expect([0, 1, 2, 3, 11, 100].map((n) => count(n, messages).split(" ")[1])).toEqual(Object.values(messages));
  formatFor("pl");
  const days = { one: "dzień", few: "dni", many: "dni", other: "dnia" };
  expect([1, 2, 5, 1.5].map((n) => count(n, days))).toEqual(["1 dzień", "2 dni", "5 dni", "1,5 dnia"]);
  formatFor("ja");
  expect(count(1, { other: "件" }), "a class without a word of its own").toBe("1 件");
  expect(count(3, { other: (shown) => `${shown}日` }), "the whole, with its number").toBe("3日");
});

test("a language may have its own symbols for lengths of time", () => {
  const words = { ...de.formats, units: { s: "秒", min: "分", h: "時間" } };
  formatFor("ja", words);
  expect([12_000, 6 * 3_600_000, 6.2 * 3_600_000].map(duration)).toEqual(["12秒", "6時間", "6時間 12分"]);
  formatFor("en-GB");
  expect([12_000, 6.2 * 3_600_000, 25 * 3_600_000].map(duration)).toEqual(["12 s", "6 h 12 min", "1 day 1 h"]);
});

test("a string that a language lacks is English, and the others of its section are not", () => {
  const topicStrings = later("topics", topics);
  const { heading: _, ...others } = de.topics;
  speak({ ...de, topics: others, appStrings: { ...de.appStrings, common: { save: "Sichern" } } }, "de");
  expect([topicStrings.heading, topicStrings.pick]).toEqual(["Topics", de.topics.pick]);
  expect([appStrings.common.save, appStrings.common.cancel]).toEqual(["Sichern", "Cancel"]);
  speak(de, "de");
  expect([topicStrings.heading, appStrings.common.cancel]).toEqual([de.topics.heading, "Abbrechen"]);
  speak(undefined, "en-GB");
});

test("German strings, numbers and times are used from then on, on later screens too", () => {
  const topicStrings = () => later("topics", topics);
  const before = topicStrings();
  expect(before.heading).toBe("Topics");
  speak(de, "de-DE");
  expect(appStrings.common.messages(1)).toBe("1 Nachricht");
  expect(appStrings.common.messages(1234)).toBe("1.234 Nachrichten");
  expect(topicStrings().heading).toBe("Themen");
  expect(before.heading, "words of a part that came before the language").toBe("Themen");
  expect([ago(500), ago(4 * 60_000)]).toEqual(["jetzt", "vor 4 min"]);
  expect([ago(DAY_MS), ago(50 * 3_600_000)]).toEqual(["vor 1 Tag", "vor 2 Tagen"]);
  expect([moment(NOON - DAY_MS, NOON), moment(NOON + DAY_MS, NOON)]).toEqual(["Gestern 12:00", "Morgen 12:00"]);
  expect([day(NOON, NOON), day(NOON - 2 * DAY_MS, NOON)]).toEqual(["Heute", "Donnerstag 19. November"]);
  expect(list(["a", "b", "c"])).toBe("a, b und c");
  expect([count(2), bytes(284_000)]).toEqual(["2", "284 kB"]);
});

/** The English strings in the shape of a catalogue. */
const english = {
  appStrings: en,
  ...Object.assign(
    {},
    ...Object.values(import.meta.glob<Record<string, unknown>>("../../src/ui/strings/en/*.ts", { eager: true })),
  ),
} as Record<string, unknown>;
for (const part of ["start", ...Object.keys(en)]) Reflect.deleteProperty(english, part);

const catalogues = import.meta.glob<Translation>("../../src/ui/strings/*/index.ts", {
  eager: true,
  import: "catalogue",
});
const languages = Object.entries(catalogues).map(([path, catalogue]): [string, Translation] => [
  path.split("/").at(-2) ?? "",
  catalogue,
]);

/** Names that no language translates, and signs. */
const NAMES = /^(Earshot|CSV|JSON|WebSocket|Emoji|backups|Ctrl|Shift|Enter|Esc|Del|Home|End|Page [↓↑]|MB|⌘|↓|↑|←|→)$/;

/** Words that a language shares with English. */
const SHARED: Readonly<Record<string, RegExp>> = {
  ar: /^$/,
  de: /^(ID|Feed|Passphrase|Format|Details|Live|Offline\.|Link|Name|Server|Code|Tags|live)$/,
  es: /^(Normal|ID|id|No)$/,
  fr: /^(Format|Image|Messages?|messages|Notifications|notifications|version|Suggestions|Date|Pause|Code|30 minutes)$/,
  it: /^(Backup|Passphrase|Feed|File|Server|server|Link|ID|id|Offline\.?|Password|Download|No)$/,
  ja: /^ID$/,
  pt: /^(Normal|Backup|Feed|Link|ID|id|Offline\.?|Download)$/,
  zh: /^ID$/,
};

test.each(languages)("only names and borrowed words are the same as in English: %s", (language, catalogue) => {
  const borrowed = SHARED[language];
  if (!borrowed) throw new Error(`${language} needs a list of the words that it shares with English`);
  const isShared = (text: string) => NAMES.test(text) || borrowed.test(text);
  expect(
    pairsOf(english, catalogue).filter(
      ([, one, other]) => typeof one === "string" && one !== "" && one === other && !isShared(one),
    ),
  ).toEqual([]);
});

const NUMBERS = [0, 1, 2, 5, 11, 100];

test.each(languages)(
  "what is said of numbers names them, in whichever form their noun has: %s",
  (language, catalogue) => {
    const functions = pairsOf(english, catalogue).filter(([, one]) => typeof one === "function");
    const tried = new Set<string>();
    for (const n of NUMBERS) {
      // What a function takes is not known here; English shows which of these it can say.
      for (const given of [
        [n, n, n, n],
        [n, "x", "y", "z"],
        ["x", n, n, "y"],
        ["x", "y", "z"],
        [["x", "y"], n],
      ]) {
        for (const [path, one, other] of functions) {
          formatFor("en-GB");
          const inEnglish = said(one, given);
          if (inEnglish === undefined) continue;
          tried.add(path);
          speak(catalogue, language);
          const text = typeof other === "function" ? String(other(...given)) : "";
          const about = `${path}(${given.join(", ")})`;
          expect(text, about).toEqual(expect.stringMatching(/\S/));
          expect(text, about).not.toMatch(/undefined|NaN|\bnull\b|\[object|=>/);
          // One is often said without a number, and two in Arabic.
          const isNamed = n !== 1 && !(language === "ar" && n === 2);
          if (isNamed && new RegExp(`\\b${String(n)}\\b`).test(inEnglish)) expect(text, about).toContain(count(n));
        }
      }
    }
    expect(tried.size).toBeGreaterThan(150);
  },
);

/** What a string that is a function says; undefined if it can't be given this. */
function said(string: unknown, given: unknown[]): string | undefined {
  if (typeof string !== "function") return undefined;
  try {
    const text: unknown = string(...given);
    return typeof text === "string" && !/NaN|undefined/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** The strings of both languages, by their paths, but those that the other one lacks. */
function pairsOf(one: unknown, other: unknown, path = ""): [path: string, one: unknown, other: unknown][] {
  if (other === undefined) return [];
  if (typeof one !== "object" || one === null) return [[path, one, other]];
  return Object.entries(one).flatMap(([key, value]) =>
    pairsOf(value, (other as Record<string, unknown>)[key], `${path}.${key}`),
  );
}
