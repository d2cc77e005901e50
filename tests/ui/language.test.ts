import { afterEach, expect, test } from "vitest";
import { languageNames } from "../../src/ui/settings/language-names";
import { appStrings } from "../../src/ui/strings";
import { later, speak, type Catalogue } from "../../src/ui/strings/catalogue";
import { catalogue as de } from "../../src/ui/strings/de";
import { en } from "../../src/ui/strings/en";
import { alertRules } from "../../src/ui/strings/en/alert-rules";
import { alerts } from "../../src/ui/strings/en/alerts";
import { deferredShell } from "../../src/ui/strings/en/deferred-shell";
import { attachment } from "../../src/ui/strings/en/attachment";
import { away } from "../../src/ui/strings/en/away";
import { backup } from "../../src/ui/strings/en/backup";
import { columns, wall } from "../../src/ui/strings/en/columns";
import { commands } from "../../src/ui/strings/en/commands";
import { errors } from "../../src/ui/strings/en/errors";
import { filter } from "../../src/ui/strings/en/filter";
import { health } from "../../src/ui/strings/en/health";
import { help } from "../../src/ui/strings/en/help";
import { host } from "../../src/ui/strings/en/host";
import { jump } from "../../src/ui/strings/en/jump";
import { missing } from "../../src/ui/strings/en/missing";
import { push } from "../../src/ui/strings/en/push";
import { raw } from "../../src/ui/strings/en/raw";
import { rows } from "../../src/ui/strings/en/rows";
import { message } from "../../src/ui/strings/en/message";
import { servers } from "../../src/ui/strings/en/servers";
import { settings } from "../../src/ui/strings/en/settings";
import { state } from "../../src/ui/strings/en/state";
import { topics } from "../../src/ui/strings/en/topics";
import { views } from "../../src/ui/strings/en/views";
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
  expect(languageOf("system", ["fr-FR", "en-US", "de"])).toEqual({ language: "en", locale: "en-US" });
  expect(languageOf("system", ["de"])).toEqual({ language: "de", locale: "de" });
  expect(languageOf("system", ["fr-FR"])).toEqual({ language: "en", locale: "en-GB" });
  expect(languageOf("system", [])).toEqual({ language: "en", locale: "en-GB" });
  // A tag may begin with the letters of a language that it doesn't name.
  expect(languageOf("system", ["den-CA"])).toEqual({ language: "en", locale: "en-GB" });
});

test("the settings win over the browser", () => {
  expect(languageOf("en", ["de-DE"])).toEqual({ language: "en", locale: "en-GB" });
  expect(languageOf("de", ["en-US", "de-CH"])).toEqual({ language: "de", locale: "de-CH" });
});

test("each folder with an entry is a language with its own name", () => {
  expect(LANGUAGES).toEqual(["en", "de"]);
  expect(codesOf(["./de/index.ts", "./pt-BR/index.ts"])).toEqual(["en", "de", "pt-BR"]);
  expect(["en", "de", "fr", "ar"].map(endonym)).toEqual(["English", "Deutsch", "Français", "العربية"]);
  expect(languageNames()).toEqual({ system: "As the browser", en: "English", de: "Deutsch" });
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
});

test("a language may have its own symbols for lengths of time", () => {
  const words = { ...de.formats, units: { s: "秒", min: "分", h: "時間" } };
  formatFor("ja", words);
  expect([12_000, 6 * 3_600_000, 6.2 * 3_600_000].map(duration)).toEqual(["12秒", "6時間", "6時間 12分"]);
  formatFor("en-GB");
  expect([12_000, 6.2 * 3_600_000, 25 * 3_600_000].map(duration)).toEqual(["12 s", "6 h 12 min", "1 day 1 h"]);
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

/** Words that are the same in both languages, and names that are not translated. */
const SHARED =
  /^(Earshot|Details|Live|Offline\.?|JSON|CSV|Format|Passphrase|Link|Name|Server|Code|Tags?|WebSocket|English|Deutsch|backups|Emoji|live|Esc|⌘|↓|↑|←|→)$/;

test("only names and borrowed words are the same in German", () => {
  const english: Omit<Catalogue, "formats" | "direction"> = {
    appStrings: en,
    alertRules,
    alerts,
    deferredShell,
    errors,
    rows,
    state,
    attachment,
    away,
    backup,
    columns,
    wall,
    filter,
    commands,
    health,
    help,
    host,
    jump,
    missing,
    push,
    raw,
    message,
    servers,
    settings,
    topics,
    views,
  };
  const same = Object.keys(english).flatMap((name) =>
    alike(name, english[name as keyof typeof english], de[name as keyof typeof english]),
  );
  expect(same).toEqual([]);
});

/** Paths of the strings that are the same in both languages. */
function alike(path: string, one: unknown, other: unknown): string[] {
  if (typeof one === "string") return one === other && !SHARED.test(one) ? [`${path}: ${one}`] : [];
  if (typeof one !== "object" || one === null) return [];
  return Object.entries(one).flatMap(([key, value]) =>
    alike(`${path}.${key}`, value, (other as Record<string, unknown>)[key]),
  );
}
