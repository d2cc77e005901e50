// Measures the scripts and styles that a page transfers, as brotli: until its first feed is usable, including the
// worker, and then for the whole app, but without the service worker and parts that are loaded when first needed.
// Then all that a stranger's first visit transfers until it rests, the page included and the service worker's own apart.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { ROOT } from "./source-hash.mjs";

/** Budget (docs/design.md §8) of what a first usable feed needs, in bytes. */
const BUDGET = 200_000;
const DIST = join(ROOT, "dist");
const ASSETS = join(DIST, "assets");

/** The parts that differ between builds of the same sources: the build's name, and the hashes in file names. */
const BUILD_NAME = /\b\d{14}-[0-9a-f]{12}\b/g;
const FILE_NAME = /\b([A-Za-z_][\w.]*?)-([\w-]{8})(?=\.(?:js|css)\b)/g;

/**
 * The compressed length of a file, with random names replaced by fixed ones of the same length, as a name's letters
 * change the length by some bytes.
 * @param {string} path
 */
function brotliBytes(path) {
  const steady = readFileSync(path, "utf8")
    .replace(BUILD_NAME, "20260101000000-0123456789ab")
    .replace(FILE_NAME, (_, name) => `${name}-${createHash("sha256").update(name).digest("base64url").slice(0, 8)}`);
  return brotliCompressSync(Buffer.from(steady)).length;
}

/**
 * A script and everything that it imports statically, as names in dist/assets.
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

// What only a first visit asks for is not part of a start.
const page = readFileSync(join(DIST, "index.html"), "utf8");
const html = page.replace(/<link rel="earshot-(?:visit|hub)"[^>]*>/g, "");
const linked = [...html.matchAll(/(?:src|href)="\.\/assets\/([^"]+)"/g)].map(([, name = ""]) => name);
const scripts = new Set(linked.filter((name) => name.endsWith(".js")).flatMap((name) => [...withImports(name)]));
const styles = linked.filter((name) => name.endsWith(".css"));
const workers = readdirSync(ASSETS).filter((name) => /^worker-.*\.js$/.test(name));
// index.html runs only the prerender; it names the app's files without running them.
const [, begin] = /<script [^>]*src="\.\/assets\/([^"]+)"/.exec(html) ?? [];
if (begin === undefined || workers.length === 0) {
  console.error(
    "The build does not look as expected: index.html links no script, or there is no worker-*.js in assets.",
  );
  process.exit(1);
}

const first = withImports(begin);
// Files that several parts share are fetched only once.
const ofWorker = new Set(workers.flatMap((name) => [...withImports(name)]).filter((name) => !first.has(name)));
const ofApp = [...scripts].filter((name) => !first.has(name) && !ofWorker.has(name));
const parts = { first: sum(first), style: sum(styles), worker: sum(ofWorker), app: sum(ofApp) };
const feed = parts.first + parts.style + parts.worker;
// A first visit runs neither a feed nor the hub, and registers the service worker at last.
const ofVisit = [
  ...page.matchAll(/<(?:script|link)\b(?![^>]*"earshot-(?:app-feed|hub)")[^>]*"\.\/(assets\/[^"]+|icon\.svg)"/g),
];
const registering = readdirSync(ASSETS).find((name) => /^workbox-window.*\.js$/.test(name));
if (registering === undefined) throw new Error("There is no file that registers the service worker.");
const visit = ["index.html", `assets/${registering}`, ...ofVisit.map(([, path = ""]) => path)]
  .map((path) => brotliBytes(join(DIST, path)))
  .reduce((total, bytes) => total + bytes, 0);
const now = { ...parts, feed, whole: feed + parts.app, visit };

const WHAT = {
  first: "first script, which draws the first rows",
  style: "style",
  worker: "worker, with all that it runs",
  app: "app, behind the first rows",
  feed: "to a first usable feed: first script, style, worker",
  whole: "with the app",
  visit: "a stranger's first visit until it rests",
};
for (const [part, bytes] of Object.entries(now)) {
  console.log(`${String(bytes).padStart(7)} bytes  ${WHAT[/** @type {keyof typeof WHAT} */ (part)]}`);
}
if (feed > BUDGET) {
  console.log(`Over the budget of ${BUDGET} bytes for a first usable feed by ${feed - BUDGET}.`);
  process.exitCode = 1;
}
