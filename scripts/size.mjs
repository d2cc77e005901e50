// What the first load transfers: script and style of the page and its worker, as brotli. Without the service worker, and
// without what is loaded when first needed. `--record` writes docs/size.json, which later runs are compared with.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { ROOT } from "./source-hash.mjs";

/** DESIGN's budget, in bytes. */
const BUDGET = 45_000;
/** While the budget is not met, what was recorded counts in its place, and this much for a mended error. */
const LEEWAY = 500;
const RECORD = join(ROOT, "docs", "size.json");
const DIST = join(ROOT, "dist");
const ASSETS = join(DIST, "assets");

/** @param {string} path */
const brotliBytes = (path) => brotliCompressSync(readFileSync(path)).length;

/**
 * A script and all that it imports before it runs, as names in dist/assets.
 * @param {string} entry
 * @param {Set<string>} [found]
 * @returns {Set<string>}
 */
function withImports(entry, found = new Set()) {
  if (found.has(entry)) return found;
  found.add(entry);
  const code = readFileSync(join(ASSETS, entry), "utf8");
  for (const [, name = ""] of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g)) withImports(name, found);
  return found;
}

/** @param {Iterable<string>} names */
const sum = (names) => [...names].reduce((total, name) => total + brotliBytes(join(ASSETS, name)), 0);

if (!existsSync(join(DIST, "index.html"))) {
  console.error("There is no build to measure; npm run build makes one.");
  process.exit(1);
}

const html = readFileSync(join(DIST, "index.html"), "utf8");
const linked = [...html.matchAll(/(?:src|href)="\.\/assets\/([^"]+)"/g)].map(([, name = ""]) => name);
// The first script with what it imports, which draws the first rows; all that follows loads the app behind their frame.
const [begin = ""] = /<script [^>]*src="\.\/assets\/([^"]+)"/.exec(html)?.slice(1) ?? [];
const scripts = new Set(linked.filter((name) => name.endsWith(".js")).flatMap((name) => [...withImports(name)]));
const styles = linked.filter((name) => name.endsWith(".css"));
const workers = readdirSync(ASSETS).filter((name) => /^worker-.*\.js$/.test(name));
if (scripts.size === 0 || workers.length === 0) {
  console.error(
    "The build does not look as expected: index.html links no script, or there is no worker-*.js in assets.",
  );
  process.exit(1);
}

const now = {
  script: sum(scripts),
  style: sum(styles),
  // What it shares with the page is fetched once.
  worker: sum(new Set(workers.flatMap((name) => [...withImports(name)]).filter((name) => !scripts.has(name)))),
};
const firstRows = sum(withImports(begin)) + now.style;
const total = now.script + now.style + now.worker;

/** @type {Record<string, number>} */
const before = existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, "utf8")) : {};
for (const [part, bytes] of Object.entries({ ...now, total })) {
  const grown = part in before ? bytes - (before[part] ?? 0) : undefined;
  const change =
    grown === undefined ? "" : grown === 0 ? "  unchanged" : `  ${grown > 0 ? "+" : "−"}${Math.abs(grown)}`;
  console.log(`${part.padEnd(8)}${String(bytes).padStart(7)} bytes${change}`);
}
console.log(`Until the first rows stand there: ${firstRows} bytes of script and style; the app and its worker follow.`);
if (process.argv.includes("--record")) {
  writeFileSync(RECORD, `${JSON.stringify({ ...now, total }, undefined, 2)}\n`);
  console.log("Recorded in docs/size.json.");
}
const most = Math.max(BUDGET, (before.total ?? 0) + LEEWAY);
if (total <= BUDGET) {
  console.log(`${BUDGET - total} of ${BUDGET} bytes left.`);
} else {
  console.log(`Over the budget of ${BUDGET} bytes by ${total - BUDGET}; until it is met, the first load may not grow.`);
}
if (total > most && !process.argv.includes("--record")) {
  console.log(`It has grown beyond ${most} bytes.`);
  process.exitCode = 1;
}
