// The version of a build: a hash of all files that go into dist. It needs no git, so an archive gives the same version.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** Top folder of the project. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Files and folders that the build reads. The embedded server isn't included, as it runs from its sources. */
const INPUTS = [
  "src",
  "public",
  "index.html",
  "vite.config.ts",
  "svelte.config.js",
  "tsconfig.json",
  "package-lock.json",
];
const NOT_BUILT = new Set([join("src", "server")]);

/**
 * All files below a path of the project, sorted.
 * @param {string} path relative to the top folder
 * @returns {string[]}
 */
function filesBelow(path) {
  if (NOT_BUILT.has(path)) return [];
  const found = statSync(join(ROOT, path), { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return [path];
  return readdirSync(join(ROOT, path))
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}

/**
 * Hash of the sources, 12 hexadecimal digits.
 * @returns {string}
 */
export function sourceHash() {
  const hash = createHash("sha256");
  for (const file of INPUTS.flatMap(filesBelow)) {
    const content = readFileSync(join(ROOT, file));
    hash.update(`${relative("", file).split(sep).join("/")}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex").slice(0, 12);
}

/**
 * Name of a build made now: the time (UTC, seconds) and the hash of its sources. Names sort by age, as the newest build
 * among open tabs leads the others.
 * @param {Date} now
 * @returns {string}
 */
export function buildName(now) {
  return `${now.toISOString().slice(0, 19).replace(/\D/g, "")}-${sourceHash()}`;
}

/**
 * The hash in a build's name.
 * @param {string} name
 * @returns {string | undefined}
 */
export function hashOf(name) {
  return name.trim().split("-")[1];
}
