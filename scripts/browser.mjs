// Finds the browsers and drivers for the tests: installed ones, else Debian's packages. It downloads no browser builds.
import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { SetupError, run } from "./setup.mjs";

/**
 * @typedef {object} Program
 * @property {string} title for messages to people
 * @property {string[]} names file names, most likely first
 * @property {string} variable environment variable with another path
 * @property {string} package Debian package
 * @property {RegExp} [below] path below /usr/lib, if it isn't in a folder for programs
 */

/** @type {Program} */
export const CHROMIUM = {
  title: "Chromium",
  names: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
  variable: "CHROMIUM_PATH",
  package: "chromium",
};
/** Chromium without a window, which takes a sixth less processor time; it has no notifications. @type {Program} */
export const HEADLESS_SHELL = {
  title: "Chromium's headless shell",
  names: ["chromium-headless-shell"],
  variable: "HEADLESS_SHELL_PATH",
  package: "chromium-headless-shell",
};
/** @type {Program} */
export const FIREFOX = {
  title: "Firefox",
  names: ["firefox-esr", "firefox"],
  variable: "FIREFOX_PATH",
  package: "firefox-esr",
};
/** @type {Program} */
export const WEBKIT_DRIVER = {
  title: "WebKitGTK's driver",
  names: ["WebKitWebDriver"],
  variable: "WEBKIT_DRIVER_PATH",
  package: "webkit2gtk-driver",
};
/** WebKitGTK's own small browser, which comes with its library. @type {Program} */
export const MINI_BROWSER = {
  title: "WebKitGTK's browser",
  names: ["MiniBrowser"],
  variable: "MINI_BROWSER_PATH",
  package: "webkit2gtk-driver",
  below: /^[^/]+\/webkit2gtk-4\.[^/]+$/,
};
/** A web server, for trying the example for hosts. @type {Program} */
export const NGINX = { title: "nginx", names: ["nginx"], variable: "NGINX_PATH", package: "nginx-light" };
/** A virtual screen for programs that need one. @type {Program} */
export const XVFB = { title: "Xvfb", names: ["Xvfb"], variable: "XVFB_PATH", package: "xvfb" };

/** Folders that are searched besides PATH. */
const FOLDERS = ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/snap/bin"];
const LIBRARIES = "/usr/lib";

/**
 * The suggestion lists below Chromium's address bar: hidden pages that every new window loads, which takes a core for a
 * quarter of a second in the middle of a test or measurement.
 */
const UNSEEN_PAGES = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"];

/** The features that Playwright turns off, repeated here because a browser uses only the last such list. */
const AS_PLAYWRIGHT = [
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
];

/** Arguments that keep a browser under test off the network and quiet, and let it run as root in a container. */
export const BROWSER_ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--no-first-run",
  "--disable-quic",
  `--disable-features=${[...AS_PLAYWRIGHT, ...UNSEEN_PAGES].join(",")}`,
];

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Matching folders two levels below /usr/lib.
 * @param {RegExp} below
 */
function librariesLike(below) {
  if (!existsSync(LIBRARIES)) return [];
  /** @param {string} path */
  const foldersIn = (path) =>
    readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  return foldersIn(LIBRARIES)
    .flatMap((name) => foldersIn(join(LIBRARIES, name)).map((inner) => `${name}/${inner}`))
    .filter((path) => below.test(path))
    .map((path) => join(LIBRARIES, path));
}

/**
 * Path of an installed program, or undefined.
 * @param {Program} program
 * @returns {string | undefined}
 */
export function findProgram({ names, variable, below }) {
  const chosen = process.env[variable];
  if (chosen) {
    if (!isExecutable(chosen)) throw new SetupError(`${variable} names no program that can be run: ${chosen}`);
    return chosen;
  }
  const folders = [...FOLDERS, ...(process.env["PATH"] ?? "").split(delimiter)].filter(Boolean);
  return [...folders, ...(below ? librariesLike(below) : [])]
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isExecutable);
}

/**
 * Path of a required program.
 * @param {Program} program
 */
export function programPath(program) {
  const found = findProgram(program);
  if (found === undefined) throw new SetupError(`${program.title} is not installed.`);
  return found;
}

/**
 * Installs missing programs with the system's package manager; throws an error with a readable message if it can't.
 * @param {Program[]} programs
 */
export async function ensurePrograms(...programs) {
  const missing = programs.filter((program) => findProgram(program) === undefined);
  if (missing.length === 0) return;
  const titles = missing.map(({ title }) => title).join(", ");
  const packages = [...new Set(missing.map((program) => program.package))];
  const variables = missing.map(({ variable }) => variable).join(", ");
  const how = `Install ${titles}, or name what is installed in ${variables}, then run the same command again.`;
  const apt = await run("apt-get", ["--version"]);
  if (apt.code !== 0)
    throw new SetupError(`Not found: ${titles}; and this system has no apt-get to install it with. ${how}`);
  console.log(`Installing Debian's ${packages.join(", ")} …`);
  const asRoot = process.getuid?.() === 0;
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", ...packages]]) {
    // Runlevel 1 starts no services: only the tests run what is installed here.
    const env = { DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
    const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    // sudo must not ask for a password, as the run may be unattended.
    const done = asRoot
      ? await run("apt-get", args, { env })
      : await run("sudo", ["-n", ...settings, "apt-get", ...args]);
    if (done.code !== 0) {
      const last = done.output.trim().split("\n").slice(-5).join("\n");
      throw new SetupError(`Not found: ${titles}; and installing it failed. ${how}\napt-get ${args[0]} said:\n${last}`);
    }
  }
  const absent = missing.filter((program) => findProgram(program) === undefined).map(({ title }) => title);
  if (absent.length > 0) {
    throw new SetupError(`${packages.join(", ")} was installed, but not found: ${absent.join(", ")}. ${how}`);
  }
}

/**
 * Path of an installed Chromium, or undefined.
 * @returns {string | undefined}
 */
export const findChromium = () => findProgram(CHROMIUM);

/**
 * Path of Chromium, which is installed with the system's package manager if it is missing.
 * @returns {Promise<string>}
 */
export async function ensureChromium() {
  await ensurePrograms(CHROMIUM);
  return programPath(CHROMIUM);
}

/**
 * Paths for the end-to-end tests, by environment variable. Both programs are installed if they are missing; without a
 * headless shell, or with a Chromium that the user chose, Chromium runs every test.
 * @returns {Promise<Record<string, string>>}
 */
export async function ensureTestBrowsers() {
  if (process.env[CHROMIUM.variable] && !process.env[HEADLESS_SHELL.variable]) {
    const chosen = await ensureChromium();
    return { [CHROMIUM.variable]: chosen, [HEADLESS_SHELL.variable]: chosen };
  }
  try {
    await ensurePrograms(CHROMIUM, HEADLESS_SHELL);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.log(`${error.message}\nWithout the headless shell every test runs in Chromium, which takes longer.`);
  }
  try {
    await ensurePrograms(NGINX);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.log(`${error.message}\nWithout nginx the example for hosts is not tried.`);
  }
  const chromium = await ensureChromium();
  return { [CHROMIUM.variable]: chromium, [HEADLESS_SHELL.variable]: findProgram(HEADLESS_SHELL) ?? chromium };
}
