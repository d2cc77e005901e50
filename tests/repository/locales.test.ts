import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/source-hash.mjs";
import { languages, localeOf, placeholdersOf, textsIn, typesOf, type Tree } from "../../scripts/texts.mjs";

const english = localeOf("en");

/** What a translator or a tool may have broken in the texts of a language. */
function faultsIn(language: string, own: Tree): string[] {
  const before = textsIn(english);
  const classes = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  return [...textsIn(own)].flatMap(([path, forms]) => {
    const original = before.get(path);
    if (!original) return [`${path}: not in English`];
    const names = (texts: Record<string, string>) =>
      new Set(
        Object.values(texts)
          .flatMap(placeholdersOf)
          .map(({ name, format }) => `${name} ${format}`),
      );
    const known = names(original);
    const key = path.split(".").at(-1) ?? "";
    const isPlural = !(key in original);
    const wanted = isPlural ? classes.map((form) => `${key}_${form}`) : [key];
    // A form for one or two may say it without the number.
    const whole = forms[isPlural ? `${key}_other` : key] ?? "";
    return [
      ...(Object.keys(forms).sort().join() === wanted.sort().join()
        ? []
        : [`${path}: forms ${Object.keys(forms).join()}`]),
      ...[...names(forms)].filter((name) => !known.has(name)).map((name) => `${path}: unknown ${name}`),
      ...[...known].filter((name) => !names({ whole }).has(name)).map((name) => `${path}: lacks ${name}`),
      ...Object.values(forms).flatMap((text) => {
        const words = text.replace(/\{\{\w+(?:, (?:number|list|duration|bytes|time))?\}\}/g, "");
        return /<\/?[a-z]|&\w+;|\{\{|\}\}|\$t\(/i.test(words) ? [`${path}: ${text}`] : [];
      }),
    ];
  });
}

test.each(languages())(
  "%s: every text is one of English, with its placeholders and the forms of its plural",
  (language) => {
    expect(faultsIn(language, localeOf(language))).toEqual([]);
  },
);

test("faults of a file are found: unknown text, placeholder too many or too few, HTML, plural without a form", () => {
  const own = {
    common: {
      messages_one: "{{count, number}} Nachricht",
      unread_one: "{{count, number}} ungelesen",
      unread_other: "{{count, number}} ungelesen {{name}}",
      save: "<b>Sichern</b>",
      more: "Mehr {{count",
      keep: "Behalten",
    },
    shell: { mutedUntil: "Stumm" },
  };
  expect(faultsIn("de", own)).toEqual([
    "common.messages: forms messages_one",
    "common.messages: lacks count number",
    expect.stringMatching(/^common\.unread: /),
    "common.save: <b>Sichern</b>",
    "common.more: Mehr {{count",
    "common.keep: not in English",
    "shell.mutedUntil: lacks time ",
  ]);
});

test("the types of the texts are those of the English file; `node scripts/texts.mjs` writes them", () => {
  expect(readFileSync(join(ROOT, "src", "locales", "texts.ts"), "utf8")).toBe(typesOf(english));
});

test("German has every text", () => {
  const own = textsIn(localeOf("de"));
  expect([...textsIn(english).keys()].filter((path) => !own.has(path))).toEqual([]);
});

/** Read by the kind of a line, as in `said[line.kind]`. */
const READ_BY_KIND = [
  ...["errors.network", "errors.silent", "errors.no-topic-server", "errors.not-allowed-by-browser"],
  ...["errors.duplicate", "errors.not-found", "raw.again", "shell.everything"],
];

/** Texts whose names no source reads. Those below a name that is read whole, as in `names[kind]`, count as read. */
function unusedIn(paths: readonly string[], sources: string): string[] {
  const code = sources.replace(/<style[^]*?<\/style>|\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "");
  const read = new Set([...code.matchAll(/\.(\w+)\b/g)].map(([, name]) => name));
  // Destructured names count too: `const { heading, hint: other } = strings`.
  for (const [, taken = ""] of code.matchAll(/\{([^{}]*)\}\s*=[^=>]/g)) {
    for (const [name] of taken.matchAll(/\w+/g)) read.add(name);
  }
  const whole = new Set([...code.matchAll(/\.(\w+)\b(?!\s*(\?\.|\.)\s*\w)/g)].map(([, name]) => name));
  return paths.filter((path) => {
    const [, ...names] = path.split(".");
    return !read.has(names.at(-1) ?? "") && !names.slice(0, -1).some((name) => whole.has(name));
  });
}

test("each text is read somewhere", () => {
  const sources = readdirSync(join(ROOT, "src/ui"), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(ts|svelte)$/.test(path))
    .map((path) => readFileSync(join(ROOT, "src/ui", path), "utf8"));
  expect(unusedIn([...textsIn(english).keys()], sources.join("\n"))).toEqual(READ_BY_KIND);
  expect(
    unusedIn(
      ["part.used", "part.unused", "part.taken", "part.map.one", "part.group.two"],
      `part.used; const { taken } = part; part.map[kind]; part.group.other;\n// part.unused\n`,
    ),
  ).toEqual(["part.unused", "part.group.two"]);
});

test("no text holds a time of day, as the reader chooses the clock", () => {
  const all = languages().flatMap((language) =>
    [...textsIn(localeOf(language)).values()].flatMap(Object.values<string>),
  );
  expect(all.filter((text) => /(?<![\dT])\d\d?:\d\d(?!\d)/.test(text))).toEqual([]);
});
