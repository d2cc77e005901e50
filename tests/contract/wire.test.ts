import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { ROOT } from "../../scripts/source-hash.mjs";
import { CONTRACT_VERSION } from "../../src/contract";

const SRC = join(ROOT, "src");

/** All that crosses the boundary, with the types that it names: commands, their answers, and announcements. */
const ROOTS = { "src/contract/commands.ts": "Commands", "src/contract/announcements.ts": "HubEvent" };

const config = ts.readConfigFile(join(ROOT, "tsconfig.json"), (path) => ts.sys.readFile(path));
const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, ROOT);
const program = ts.createProgram(
  Object.keys(ROOTS).map((file) => join(ROOT, file)),
  options,
);
const checker = program.getTypeChecker();

/** The types with names of ours, written out, by these names. */
const named = new Map<string, string>();

/** How types are written; a type is used in many places. */
const texts = new Map<ts.Type, string>();

/** A type as it is written where it is used: its name, or what it consists of. */
function written(type: ts.Type): string {
  const text = texts.get(type) ?? writtenAnew(type);
  texts.set(type, text);
  return text;
}

function writtenAnew(type: ts.Type): string {
  const isList = checker.isArrayType(type) || checker.isTupleType(type);
  const symbol = type.aliasSymbol ?? (isList || type.isIntersection() ? undefined : type.symbol);
  const isOurs = symbol?.declarations?.every((one) => one.getSourceFile().fileName.startsWith(SRC));
  if (symbol && !isOurs) return checker.typeToString(type);
  // Types that follow from guards have no name.
  if (!symbol || symbol.name.startsWith("__") || symbol.name === "Flat") return writtenOut(type);
  const name = checker.typeToString(type);
  if (!named.has(name)) {
    named.set(name, "");
    named.set(name, writtenOut(type));
  }
  return name;
}

function writtenOut(type: ts.Type): string {
  if (type.isUnion()) return [...new Set(type.types.map(written))].sort().join(" | ");
  if (checker.isArrayType(type) || checker.isTupleType(type)) {
    const parts = checker.getTypeArguments(type as ts.TypeReference).map(written);
    return checker.isTupleType(type) ? `[${parts.join(", ")}]` : `(${parts.join()})[]`;
  }
  // A string with a name of its own is an intersection, too.
  const isText = type.isIntersection() && type.types.some((one) => !(one.flags & ts.TypeFlags.Object));
  const fields = (isText ? [] : checker.getPropertiesOfType(type)).map((field) => {
    const isOptional = (field.flags & ts.SymbolFlags.Optional) !== 0;
    return `${field.name}${isOptional ? "?" : ""}: ${written(checker.getTypeOfSymbol(field))}`;
  });
  const isObject = (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
  return isObject && fields.length > 0 ? `{ ${fields.join("; ")} }` : checker.typeToString(type);
}

// Tabs and hubs of two builds can meet: whoever changes what they say raises `CONTRACT_VERSION` and records it anew with
// `npx vitest run tests/contract/wire.test.ts -u`. A change of messages also changes what is stored, so it may need a
// migration.
it("tabs and hub say to each other what is recorded for this version", async () => {
  for (const [file, name] of Object.entries(ROOTS)) {
    const source = program.getSourceFile(join(ROOT, file));
    const module = source && checker.getSymbolAtLocation(source);
    const symbol = module?.exports?.get(ts.escapeLeadingUnderscores(name));
    if (!symbol) throw new Error(`${file} lacks ${name}`);
    written(checker.getDeclaredTypeOfSymbol(symbol));
  }
  const types = [...named].map(
    ([name, text]) => `\n${name}\n  ${text.replace(/ (?=\| \{)|(?<=;) (?=\w+: \{ input)/g, "\n  ")}\n`,
  );
  await expect(`version ${String(CONTRACT_VERSION)}\n${types.sort().join("")}`).toMatchFileSnapshot("wire.txt");
});
