// Sets up a fresh clone: installs the packages of the lock file and builds the app. It uses no packages, as it runs
// before they are installed.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, hashOf, sourceHash } from "./source-hash.mjs";

/** The first version with everything used here; also in package.json's `engines`. */
const OLDEST_NODE = [20, 19];

/** npm's error codes for a missing network. */
const NO_NETWORK = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b/;

/** A failure that is shown as a message, without a stack. */
export class SetupError extends Error {}

/**
 * V8 flags for tests: much is allocated and little kept, so the young space is large; each core has a process, so GC has
 * none.
 */
export const ENGINE_FOR_TESTS = ["--min-semi-space-size=32", "--max-semi-space-size=64", "--single-threaded-gc"];

/** In tests, most functions run too seldom for what they call to be optimised with them. */
export const LITTLE_INLINING = "--max-inlined-bytecode-size-cumulative=100";

/** For checkers of types, written in Go: up to five times the memory they need, for a fifth less time. */
export const GO_FOR_CHECKS = { GOGC: "400" };

/** Tools that Node runs. */
export const TOOLS = {
  eslint: "node_modules/eslint/bin/eslint.js",
  oxfmt: "node_modules/oxfmt/bin/oxfmt",
  oxlint: "node_modules/oxlint/bin/oxlint",
  playwright: "node_modules/@playwright/test/cli.js",
  svelteCheck: "node_modules/svelte-check/bin/svelte-check",
  vite: "node_modules/vite/bin/vite.js",
  vitest: "node_modules/vitest/vitest.mjs",
};

/** Builds the app. */
export const BUILD = [TOOLS.vite, "build", "--logLevel", "warn"];

/** Checks the types of components alone, by the tsconfig.json of their folder. */
export const CHECK_COMPONENTS = [
  TOOLS.svelteCheck,
  ...["--workspace", join("src", "ui"), "--no-tsconfig", "--fail-on-warnings", "--output", "human"],
];

/**
 * Runs a script's work. A `SetupError` ends it with only its message, any other error with its stack.
 * @param {() => Promise<void>} work
 */
export async function withReadableErrors(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

/**
 * Throws an error with a readable message if Node is too old.
 * @param {string} [version]
 */
export function requireNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [wantMajor = 0, wantMinor = 0] = OLDEST_NODE;
  if (major > wantMajor || (major === wantMajor && minor >= wantMinor)) return;
  throw new SetupError(
    `Earshot needs Node ${OLDEST_NODE.join(".")} or newer; this is ${version}. Install a current Node, then run the same command again.`,
  );
}

/**
 * Runs a program and collects its output; the caller decides whether to show it.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, began?: (pid: number) => void }} [options] `began`: the program gets a process
 * group of its own, and its caller ends that
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args, { env, began } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "pipe"],
      detached: began !== undefined,
      env: { ...process.env, NO_COLOR: "1", ...env },
    });
    if (child.pid !== undefined) began?.(child.pid);
    /** @type {Buffer[]} */
    const chunks = [];
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stderr.on("data", (chunk) => chunks.push(chunk));
    child.on("error", (error) => resolve({ code: 127, output: error.message }));
    child.on("close", (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString("utf8") }));
  });
}

/**
 * Runs a program of Node in this terminal.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env] what is added to this one's
 * @returns {Promise<number>} its exit code
 */
export function runHere(args, env) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: "inherit", env: { ...process.env, ...env } });
    child.on("close", (code) => resolve(code ?? 1));
  });
}

/**
 * @typedef {Record<string, { version?: string, optional?: boolean }>} Packages by path below the top folder
 * @param {string} path
 * @returns {Packages | undefined}
 */
function readLock(path) {
  try {
    return JSON.parse(readFileSync(join(ROOT, path), "utf8")).packages;
  } catch {
    // The file is missing or cut off, which counts as nothing installed.
    return undefined;
  }
}

/**
 * Whether the installed packages are exactly those of the lock file.
 * @param {Packages | undefined} wanted
 * @param {Packages | undefined} present
 * @returns {boolean}
 */
export function packagesMatch(wanted, present) {
  if (!wanted || !present) return false;
  for (const [path, { version }] of Object.entries(present)) {
    if (wanted[path]?.version !== version) return false;
  }
  // npm doesn't install optional packages for other platforms.
  return Object.entries(wanted).every(([path, { optional }]) => path === "" || optional || path in present);
}

/** Requires a Node that is new enough, and installs the packages of the lock file if they are missing or different. */
export async function ensurePackages() {
  requireNode();
  // npm writes the list of installed packages as its last step, so an interrupted installation doesn't count.
  if (packagesMatch(readLock("package-lock.json"), readLock(join("node_modules", ".package-lock.json")))) return;
  console.log("Installing the packages of package-lock.json …");
  const args = ["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  // npm gives its scripts its own path; without it (`node scripts/start.mjs`), use the npm on PATH.
  const npm = process.env["npm_execpath"];
  const installed = npm?.endsWith(".js") ? await run(process.execPath, [npm, ...args]) : await run("npm", args);
  if (installed.code === 0) return;
  if (NO_NETWORK.test(installed.output)) {
    throw new SetupError(
      "The packages could not be fetched: the package registry does not answer. Connect to the network (or set npm's proxy), then run the same command again.",
    );
  }
  // Cut off npm's usage text, which follows some errors and doesn't help here.
  const lines = installed.output.split("\n");
  const blank = lines.findIndex((line) => line.trim() === "npm error");
  const hasUsage = lines.slice(blank + 1).some((line) => line.startsWith("npm error Usage:"));
  const said = (blank >= 0 && hasUsage ? lines.slice(0, blank) : lines).join("\n").trim();
  throw new SetupError(`The packages could not be installed. npm said:\n${said}`);
}

/** Hash of the sources of the build in dist; the build's name is written as its last step. */
function builtHash() {
  const path = join(ROOT, "dist", "build.txt");
  return existsSync(path) ? hashOf(readFileSync(path, "utf8")) : undefined;
}

/** Installs what is missing, and builds the app if its sources have changed since the last build. */
export async function ensureBuilt() {
  await ensurePackages();
  if (builtHash() === sourceHash()) return;
  console.log("Building the app …");
  const built = await run(process.execPath, BUILD);
  if (built.code !== 0) throw new SetupError(`The app could not be built:\n${built.output.trim()}`);
}
