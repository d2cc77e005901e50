// Measures a build: the scripts and styles that a first usable feed needs, as brotli, and how many scripts and styles
// there are. Both have a budget (docs/design.md §8).
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { ROOT } from "./source-hash.mjs";

/** Bytes, brotli: first script, style, worker. */
const MAX_FEED_BYTES = 200_000;
/** Scripts and styles, without languages and service workers. */
const MAX_FILES = 40;

const DIST = join(ROOT, "dist");
const ASSETS = join(DIST, "assets");

if (!existsSync(join(DIST, "index.html"))) {
  console.error("There is no build to measure; npm run build makes one.");
  process.exit(1);
}
const names = readdirSync(ASSETS).filter((name) => /\.(?:js|css)$/.test(name));
const files = names.filter((name) => !/^[a-z]{2}-/.test(name));

/** @param {string} part */
function brotliBytes(part) {
  const name = files.find((file) => file.startsWith(`${part}-`));
  if (name === undefined) throw new Error(`The build has no file ${part}.`);
  return brotliCompressSync(readFileSync(join(ASSETS, name))).length;
}

const [begin, style, worker, app] = [
  brotliBytes("begin"),
  brotliBytes("style"),
  brotliBytes("worker"),
  brotliBytes("svelte") + brotliBytes("app"),
];
const feed = begin + style + worker;
console.log(`${feed} bytes to a first usable feed: first script ${begin}, style ${style}, worker ${worker}`);
console.log(`${feed + app} bytes with the app, which comes behind the first rows`);
console.log(`${files.length} scripts and styles`);
if (feed > MAX_FEED_BYTES) {
  console.log(`Over the budget of ${MAX_FEED_BYTES} bytes by ${feed - MAX_FEED_BYTES}.`);
  process.exitCode = 1;
}
if (files.length > MAX_FILES) {
  console.log(`More than ${MAX_FILES} scripts and styles.`);
  process.exitCode = 1;
}
