import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/source-hash.mjs";
import { parseFilter } from "../../src/contract";
import { COMMANDS } from "../../src/ui/commands/table";
import { keyNames } from "../../src/ui/commands/key-names";
import { HELP_PAGES, helpPage } from "../../src/ui/help/pages";
import { commands } from "../../src/ui/strings/en/commands";

const FOLDER = join(ROOT, "docs", "user");
const STRINGS = join(ROOT, "src", "ui", "strings", "en");
const files = readdirSync(FOLDER).sort();

test("every file of docs/user is a page of the help, with its text", () => {
  expect(files).toEqual(HELP_PAGES.map((name) => `${name}.md`).sort());
  for (const name of HELP_PAGES) expect(helpPage(name).text).toBe(readFileSync(join(FOLDER, `${name}.md`), "utf8"));
});

test("a page that there isn't leads to the first one", () => {
  for (const name of ["", "nothing", "constructor", "../server"]) expect(helpPage(name).name).toBe("first-steps");
});

test.each(files)("%s links to pages of the help alone, so that it works offline", (file) => {
  const text = readFileSync(join(FOLDER, file), "utf8");
  for (const [, target = ""] of text.matchAll(/\]\(([^)]*)\)/g)) expect(files).toContain(target);
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
];

test.each(files)("what %s names in bold is a text of the app", (file) => {
  const strings = readdirSync(STRINGS)
    .map((name) => readFileSync(join(STRINGS, name), "utf8"))
    .join("\n")
    .replace(/["`\\]/g, '"');
  const text = readFileSync(join(FOLDER, file), "utf8").replace(/\s+/g, " ");
  const named = [...text.matchAll(/\*\*(.+?)\*\*/g)].flatMap(([, words = ""]) => words.split(" → "));
  const unknown = named.filter(
    (words) => !OF_OTHERS.includes(words) && !words.split("…").every((part) => strings.includes(part.trim())),
  );
  expect(unknown).toEqual([]);
});

test("every filter in the help is one", () => {
  const rows = readFileSync(join(FOLDER, "filters.md"), "utf8")
    .split("\n")
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

test("the page of the keyboard lists the keys of all commands; `npm run unit -- tests/ui/help.test.ts -u` writes it", async () => {
  const sections = Object.entries(commands.groups).map(([group, heading]) => {
    const rows = COMMANDS.filter((command) => command.group === group && command.keys.length > 0).map(
      ({ id, keys, messageKeys = [] }) =>
        `| ${[...keys, ...messageKeys].map(written).join(" or ")} | ${commands.names[id].replace("…", "")} |`,
    );
    return rows.length > 0 ? `## ${heading}\n\n| keys | what they do |\n| --- | --- |\n${rows.join("\n")}\n` : "";
  });
  const page = `# Keyboard

Everything can be done from the keyboard. Two keys matter most: \`?\` shows this list for where you are, and \`Ctrl+K\` (\`⌘K\` on a
Mac) finds any command, topic, view or setting by its name.

Keys with a space between them are pressed one after the other. Single letters and signs can be turned off under
**Settings → Keyboard**; arrow keys and \`Ctrl+K\` keep working. Within a field all keys type, and \`Esc\` leaves it.

${sections.filter(Boolean).join("\n")}`;
  const config = await resolveConfig(join(ROOT, "package.json"));
  await expect(await format(page, { ...config, parser: "markdown" })).toMatchFileSnapshot(join(FOLDER, "keyboard.md"));
});
