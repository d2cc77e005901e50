import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { ROOT } from "../../scripts/source-hash.mjs";

const STRINGS = "src/ui/strings";

/** Paths of the keys in the object literals of a file, beginning with the name of the constant: `topics.heading`. */
function keysIn(text: string): string[] {
  const keys: string[] = [];
  const { statements: all } = ts.createSourceFile("strings.ts", text, ts.ScriptTarget.Latest);
  const statements = all.filter((statement) => ts.isVariableStatement(statement));
  const declarations = statements.flatMap(({ declarationList }) => [...declarationList.declarations]);
  const within = (path: string, value: ts.Node): void => {
    if (ts.isSatisfiesExpression(value) || ts.isAsExpression(value)) within(path, value.expression);
    // The value may be a constant of the same file, such as a map that its strings also use.
    if (ts.isIdentifier(value)) {
      const constant = declarations.find(({ name }) => ts.isIdentifier(name) && name.text === value.text);
      if (constant?.initializer) within(path, constant.initializer);
    }
    if (!ts.isObjectLiteralExpression(value)) return;
    for (const property of value.properties) {
      if (!property.name || ts.isComputedPropertyName(property.name)) continue;
      const key = `${path}.${property.name.text}`;
      keys.push(key);
      if (ts.isPropertyAssignment(property)) within(key, property.initializer);
      if (ts.isShorthandPropertyAssignment(property)) within(key, property.name);
    }
  };
  for (const statement of statements.filter(({ modifiers }) => modifiers)) {
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (initializer && ts.isIdentifier(name)) within(name.text, initializer);
    }
  }
  return keys;
}

/** Read by the kind of a line, as in `said[line.kind]`. */
const READ_BY_KIND = ["raw.again"];

/** Keys whose names no source reads. Keys below a key that is read whole, as in `names[kind]`, count as read. */
function unusedIn(keys: readonly string[], sources: string): string[] {
  const code = sources.replace(/<style[^]*?<\/style>|\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "");
  const read = new Set([...code.matchAll(/\.(\w+)\b/g)].map(([, name]) => name));
  // Destructured keys count too: `const { heading, hint: other } = strings`.
  for (const [, taken = ""] of code.matchAll(/\{([^{}]*)\}\s*=[^=>]/g)) {
    for (const [name] of taken.matchAll(/\w+/g)) read.add(name);
  }
  const whole = new Set([...code.matchAll(/\.(\w+)\b(?!\s*(\?\.|\.)\s*\w)/g)].map(([, name]) => name));
  return keys.filter((path) => {
    const [, ...names] = path.split(".");
    return !read.has(names.at(-1)) && !names.slice(0, -1).some((name) => whole.has(name));
  });
}

/** Keys that a language has and English lacks. */
function strayIn(keys: readonly string[], english: readonly string[]): string[] {
  return keys.filter((key) => !english.includes(key));
}

const files = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
const textOf = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** Keys of a language's sections, which are all its files except `formats` and `index`. */
function keysOf(language: string): string[] {
  const sections = files(`${STRINGS}/${language}`).filter((path) => !/\/(index|formats)\.ts$/.test(path));
  // The strings of `start` are spread into `common`.
  return sections.flatMap((path) => keysIn(textOf(path))).map((key) => key.replace(/^start\./, "common."));
}

it("each string is read somewhere", () => {
  const readers = files("src/ui").filter(
    (path) => /\.(ts|svelte)$/.test(path) && !new RegExp(`^${STRINGS}/[^/]+/`).test(path),
  );
  expect(unusedIn(keysOf("en"), readers.map(textOf).join("\n"))).toEqual(READ_BY_KIND);
});

it("no language has a string that English lacks", () => {
  const english = keysOf("en");
  const languages = readdirSync(join(ROOT, STRINGS), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(english.length).toBeGreaterThan(400);
  expect(languages.flatMap(({ name }) => strayIn(keysOf(name), english))).toEqual([]);
});

it("no string holds a time of day, as the reader chooses the clock", () => {
  const sections = files(STRINGS).filter((path) => /^[^/]+(\/[^/]+){4,}\.ts$/.test(path));
  const fixed = sections.flatMap((path) => {
    const strings = textOf(path).replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "");
    return [...strings.matchAll(/.*(?<![\dT])\d\d?:\d\d(?!\d).*/g)].map(([line]) => `${path}: ${line.trim()}`);
  });
  expect(sections.length).toBeGreaterThan(200);
  expect(fixed).toEqual([]);
});

it("the checks find an unread string and one that English lacks", () => {
  const keys = keysIn(
    `export const part: Part = { used: "a", unused: "b", taken: "c", map: { one: "d" }, group: { two: () => "e" } };`,
  );
  const sources = `part.used; const { taken } = part; part.map[kind]; part.group.other; // part.unused\n`;
  expect(unusedIn(keys, sources.replace("; //", ";\n//"))).toEqual(["part.unused", "part.group.two"]);
  expect(strayIn(["part.used", "part.more"], keys)).toEqual(["part.more"]);
});
