// The browser of the end-to-end tests: one that is there, else Debian's package. No build of a browser is downloaded.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { SetupError, run } from "./setup.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/** Looked into beside PATH. */
const FOLDERS = ["/usr/bin", "/usr/local/bin", "/snap/bin"];

/**
 * Chromium's own lists below its address bar: pages that every new window loads unseen, which takes a core for a quarter of
 * a second in the midst of what is tested or measured.
 */
const UNSEEN_PAGES = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"];

/** What Playwright turns off; of two such lists a browser takes the last alone. */
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

/** What keeps a browser under test from talking to anybody, quiet, and lets it run as root in a container. */
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
    return true;
  } catch {
    return false;
  }
}

/**
 * Path of an installed Chromium, or undefined.
 * @returns {string | undefined}
 */
export function findChromium() {
  const chosen = process.env["CHROMIUM_PATH"];
  if (chosen) {
    if (!isExecutable(chosen)) throw new SetupError(`CHROMIUM_PATH names no program that can be run: ${chosen}`);
    return chosen;
  }
  const folders = [...FOLDERS, ...(process.env["PATH"] ?? "").split(delimiter)].filter(Boolean);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable);
}

/**
 * Path of a Chromium, installed by the system's package manager when there is none.
 * @returns {Promise<string>}
 */
export async function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  const how = "Install Chromium, or set CHROMIUM_PATH to one, then run the same command again.";
  const apt = await run("apt-get", ["--version"]);
  if (apt.code !== 0)
    throw new SetupError(`No Chromium was found, and this system has no apt-get to install it with. ${how}`);
  console.log("Installing Debian's package chromium …");
  const asRoot = process.getuid?.() === 0;
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", "chromium"]]) {
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    // sudo without a question: there may be nobody to answer.
    const done = asRoot
      ? await run("apt-get", args, { env })
      : await run("sudo", ["-n", "DEBIAN_FRONTEND=noninteractive", "apt-get", ...args]);
    if (done.code !== 0) {
      const last = done.output.trim().split("\n").slice(-5).join("\n");
      throw new SetupError(
        `No Chromium was found, and installing it failed. ${how}\napt-get ${args[0]} said:\n${last}`,
      );
    }
  }
  const installed = findChromium();
  if (!installed) throw new SetupError(`The package chromium was installed, but no program of it was found. ${how}`);
  return installed;
}
