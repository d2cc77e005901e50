import { readFileSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/source-hash.mjs";
import { parseFilter } from "../../src/contract";
import { COMMANDS } from "../../src/ui/commands/table";
import { keyNames } from "../../src/ui/commands/strokes";
import { HELP_PAGES, helpPage } from "../../src/ui/help/pages";
import german from "../../src/locales/de.json";
import english from "../../src/locales/en.json";
import french from "../../src/locales/fr.json";

const FOLDER = join(ROOT, "src", "locales", "help");
const pages = HELP_PAGES.map((name) => `${name}.md`).sort();
/** Languages that have a help of their own. */
const LANGUAGES = readdirSync(FOLDER);
const files = LANGUAGES.flatMap((language) => pages.map((page) => join(language, page)));

/** The code of a page's language. */
const languageOf = (file: string): string => dirname(file);

test("every file of src/locales/help is a page of the help, with its text, and every language has all of them", () => {
  for (const language of LANGUAGES) expect(readdirSync(join(FOLDER, language)).sort(), language).toEqual(pages);
  for (const file of files) {
    const shown = helpPage(basename(file, ".md"), languageOf(file));
    expect(shown).toMatchObject({ text: readFileSync(join(FOLDER, file), "utf8"), lang: languageOf(file) });
  }
});

test("a language without its own help shows the English one, and says so", () => {
  expect(LANGUAGES).toContain("de");
  expect(helpPage("filters", "fr")).toEqual(helpPage("filters", "en"));
  expect(helpPage("filters", "fr").lang).toBe("en");
  expect([english.help.language, german.help.language]).toEqual(["", ""]);
  expect(french.help.language).not.toBe("");
});

test("a page that doesn't exist leads to the first one", () => {
  for (const name of ["", "nothing", "constructor", "../server"]) expect(helpPage(name, "en").name).toBe("first-steps");
});

test.each(files)("%s links only to pages of the help, so it works offline", (file) => {
  const text = readFileSync(join(FOLDER, file), "utf8");
  for (const [, target = ""] of text.matchAll(/\]\(([^)]*)\)/g)) expect(pages).toContain(target);
  expect(text).not.toMatch(/!\[|<\w/);
});

/** Words of browsers and systems, which are not the app's own. */
const OF_OTHERS = [
  ...[
    "https",
    "Android",
    "Share",
    "Add to Home Screen",
    "Add to Home screen",
    "Add app to Home screen",
    "File",
    "Add to Dock",
  ],
  ...["Open as Web App", "server that sends them", "Install", "Local network."],
  ...["Zum Startbildschirm hinzufügen", "App zum Startbildschirm hinzufügen", "Teilen", "Zum Home-Bildschirm"],
  ...["Als Web-App öffnen", "Server, der sie sendet", "Ablage", "Zum Dock hinzufügen"],
];

test.each(files)("everything in bold in %s is a text of the app", (file) => {
  const strings = readFileSync(join(ROOT, "src", "locales", `${languageOf(file)}.json`), "utf8").replaceAll('\\"', '"');
  const text = readFileSync(join(FOLDER, file), "utf8").replace(/\s+/g, " ");
  const named = [...text.matchAll(/\*\*(.+?)\*\*/g)].flatMap(([, words = ""]) => words.split(" → "));
  const unknown = named.filter(
    (words) => !OF_OTHERS.includes(words) && !words.split("…").every((part) => strings.includes(part.trim())),
  );
  expect(unknown).toEqual([]);
});

test.each(["en", ...LANGUAGES])("every filter in the help in %s is one", (language) => {
  const rows = helpPage("filters", language)
    .text.split("\n")
    .filter((line) => line.startsWith("| `"));
  const filters = rows.flatMap((row) =>
    [...(row.split(" | ")[0] ?? "").matchAll(/`([^`]+)`/g)].map(([, one = ""]) => one),
  );
  expect(filters.length).toBeGreaterThan(15);
  for (const filter of [...filters, "tag:backup priority>=4 -is:done after:1w"]) {
    expect(parseFilter(filter), filter).toMatchObject({ ok: true });
  }
});

/** The keys as people write them; successive strokes have a space between them. */
const written = (keys: string) =>
  keyNames(keys, false)
    .map((stroke) => `\`${stroke.join("+")}\``)
    .join(" ");

/** What the page of the keyboard says around its tables. */
const KEYBOARD = {
  en: {
    words: english.commands,
    or: "or",
    head: ["keys", "what they do"],
    text: `# Keyboard

Everything can be done from the keyboard. Two keys matter most: \`?\` shows this list for where you are, and \`Ctrl+K\` (\`⌘K\` on a Mac) finds any command, topic, view or setting by its name.

Keys with a space between them are pressed one after the other. Single letters and signs can be turned off under **Settings → Reading and swipes**; arrow keys and \`Ctrl+K\` keep working. Within a field all keys type, and \`Esc\` leaves it.`,
  },
  de: {
    words: german.commands,
    or: "oder",
    head: ["Tasten", "was sie tun"],
    text: `# Tastatur

Alles geht mit der Tastatur. Zwei Tasten sind die wichtigsten: \`?\` zeigt diese Liste für den Ort, an dem du bist, und \`Ctrl+K\` (\`⌘K\` auf einem Mac, \`Strg+K\` auf deutschen Tastaturen) findet jeden Befehl, jedes Thema, jede Ansicht und jede Einstellung nach ihrem Namen.

Tasten mit einem Leerzeichen dazwischen werden nacheinander gedrückt. Einzelne Buchstaben und Zeichen lassen sich unter **Einstellungen → Lesen und Wischen** abschalten; Pfeiltasten und \`Ctrl+K\` gehen weiter. In einem Feld tippen alle Tasten, und \`Esc\` verlässt es.`,
  },
} as const;

test.each(["en", "de"] as const)(
  "the page of the keyboard in %s lists the keys of all commands; `npm run unit -- tests/ui/help.test.ts -u` writes it",
  async (language) => {
    const { words, or, head, text } = KEYBOARD[language];
    const sections = Object.entries(words.groups).map(([group, heading]) => {
      const rows = COMMANDS.filter((command) => command.group === group && command.keys.length > 0).map(
        ({ id, keys, messageKeys = [] }) =>
          `| ${[...keys, ...messageKeys].map(written).join(` ${or} `)} | ${words.names[id].replace(/ ?…/, "")} |`,
      );
      const table = `| ${head.join(" | ")} |\n| --- | --- |\n${rows.join("\n")}\n`;
      return rows.length > 0 ? `## ${heading}\n\n${table}` : "";
    });
    const page = `${text}\n\n${sections.filter(Boolean).join("\n")}`;
    const file = join(FOLDER, language, "keyboard.md");
    await expect(page).toMatchFileSnapshot(file);
  },
);
