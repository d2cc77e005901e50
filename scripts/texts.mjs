// Writes the types of the texts in src/locales/en.json to src/locales/texts.ts, and prints how many a language lacks.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "./source-hash.mjs";

/** @typedef {{ [name: string]: string | Tree }} Tree */

const LOCALES = join(ROOT, "src", "locales");
const FORM = /_(?:zero|one|two|few|many|other)$/;
/** The types that placeholders take, by the format that they name. @type {Record<string, string>} */
const TYPES = { "": "string", list: "readonly string[]" };

/** @param {string} language @returns {Tree} */
export const localeOf = (language) => JSON.parse(readFileSync(join(LOCALES, `${language}.json`), "utf8"));

export const languages = () =>
  readdirSync(LOCALES).flatMap((file) => (file.endsWith(".json") ? [file.slice(0, -".json".length)] : []));

/** The placeholders of a text: name and format. @param {string} text */
export const placeholdersOf = (text) =>
  [...text.matchAll(/\{\{(\w+)(?:, (\w+))?\}\}/g)].map(([, name = "", format = ""]) => ({ name, format }));

/**
 * The texts by their paths, with the forms of a plural together.
 * @param {Tree} tree
 * @returns {Map<string, Record<string, string>>}
 */
export function textsIn(tree, path = "") {
  /** @type {Map<string, Record<string, string>>} */
  const texts = new Map();
  for (const [key, text] of Object.entries(tree)) {
    const at = path + key.replace(FORM, "");
    if (typeof text === "string") texts.set(at, { ...texts.get(at), [key]: text });
    else for (const [inner, forms] of textsIn(text, `${at}.`)) texts.set(inner, forms);
  }
  return texts;
}

/** @param {Record<string, string>} forms @param {string} name */
function typeOf(forms, name) {
  const values = new Map(Object.keys(forms).some((key) => key !== name) ? [["count", "number"]] : []);
  for (const { name: value, format } of Object.values(forms).flatMap(placeholdersOf))
    if (!values.has(value)) values.set(value, TYPES[format] ?? "number");
  const fields = [...values].map(([value, type]) => `${value}: ${type}`);
  return fields.length === 0 ? "string" : `(values: { ${fields.join("; ")} }) => string`;
}

/** The type of a tree of texts, as TypeScript. @param {Tree} tree @returns {string} */
function treeType(tree, indent = "  ") {
  const names = [...new Set(Object.keys(tree).map((key) => key.replace(FORM, "")))];
  const lines = names.map((name) => {
    const inner = tree[name];
    const type =
      typeof inner === "object" ? treeType(inner, `${indent}  `) : typeOf(textsIn(tree).get(name) ?? {}, name);
    return `${indent}${/^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name)}: ${type};\n`;
  });
  return `{\n${lines.join("")}${indent.slice(2)}}`;
}

/** The file of the types. @param {Tree} english */
export const typesOf = (english) =>
  `// Written by scripts/texts.mjs from en.json.\n// oxfmt-ignore\nexport interface Texts ${treeType(english)}\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const english = localeOf("en");
  const file = join(LOCALES, "texts.ts");
  if (readFileSync(file, { encoding: "utf8", flag: "a+" }) !== typesOf(english)) writeFileSync(file, typesOf(english));
  const all = textsIn(english);
  const lacks = languages().map((language) => {
    const own = textsIn(localeOf(language));
    return `${language} ${[...all.keys()].filter((path) => !own.has(path)).length}`;
  });
  console.log(`Of ${all.size} texts each language lacks: ${lacks.join(", ")}`);
}
