// What the unit tests notice: npm run test:breaks -- [--count 30] [--seed 1]. Breaks src at random, one place at a time
// (a negated condition, a changed constant, an omitted call), runs the unit tests that import the file, and restores
// it. Folders take turns. It ends with the share that was noticed.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import ts from "typescript";
import { ensurePackages, run, TOOLS, withReadableErrors } from "./setup.mjs";
import { ROOT } from "./source-hash.mjs";

/** On these signals, the broken file is restored first. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** @typedef {{ file: string, line: number, start: number, end: number, text: string }} Break */

/**
 * Every breakable place of a file, with its replaced text.
 * @param {string} file
 * @param {string} code
 * @returns {Break[]}
 */
function placesIn(file, code) {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  /** @type {Break[]} */
  const found = [];
  const add = (/** @type {ts.Node} */ node, /** @type {string} */ text) => {
    const start = node.getStart();
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    found.push({ file, line, start, end: node.getEnd(), text });
  };
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isEnumDeclaration(node)) return;
    if (ts.isIfStatement(node) || ts.isWhileStatement(node)) add(node.expression, `!(${node.expression.getText()})`);
    if (ts.isConditionalExpression(node)) add(node.condition, `!(${node.condition.getText()})`);
    if (ts.isNumericLiteral(node)) add(node, `(${node.text} + 1)`);
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, "false");
    if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, "true");
    if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) add(node, ";");
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

await withReadableErrors(async () => {
  const { values } = parseArgs({
    options: { count: { type: "string", default: "30" }, seed: { type: "string", default: "1" } },
  });
  await ensurePackages();
  let state = Number(values.seed);
  /** A number below `end`, by the seed alone (a linear congruential generator). @param {number} end */
  const below = (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
  /** @type {Map<string, Break[]>} */
  const folders = new Map();
  for (const name of readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".ts") || name.endsWith(".d.ts") || name.includes("strings")) continue;
    const file = join("src", name);
    const folder = name.split(/[\\/]/)[0] ?? "";
    folders.set(folder, [...(folders.get(folder) ?? []), ...placesIn(file, readFileSync(join(ROOT, file), "utf8"))]);
  }
  const order = [...folders.values()].filter((places) => places.length > 0);
  const count = Number(values.count);
  let noticed = 0;
  for (let at = 0; at < count; at++) {
    const places = order[at % order.length] ?? [];
    const [place] = places.splice(below(places.length), 1);
    if (!place) continue;
    const path = join(ROOT, place.file);
    const code = readFileSync(path, "utf8");
    const restore = () => writeFileSync(path, code);
    const stop = () => (restore(), process.exit(130));
    for (const signal of SIGNALS) process.once(signal, stop);
    try {
      writeFileSync(path, code.slice(0, place.start) + place.text + code.slice(place.end));
      const args = ["related", "--run", "--bail=1", "--reporter=dot", "--passWithNoTests", place.file];
      const { code: exit } = await run(process.execPath, [TOOLS.vitest, ...args]);
      if (exit !== 0) noticed += 1;
      const was = code.slice(place.start, place.end).replace(/\s+/g, " ");
      const text = `${place.file}:${place.line}: ${was} -> ${place.text.replace(/\s+/g, " ")}`;
      console.log(`${exit === 0 ? "NOT NOTICED" : "noticed    "} ${text.slice(0, 160)}`);
    } finally {
      restore();
      for (const signal of SIGNALS) process.off(signal, stop);
    }
  }
  console.log(`\n${noticed} of ${count} noticed (${Math.round((noticed / count) * 100)} %)`);
});
