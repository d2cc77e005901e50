import type { LaunchOptions } from "@playwright/test";
import { BROWSER_ARGS } from "../../scripts/browser.mjs";

/** How every benchmark starts its browser. */
export function launchOptions(): LaunchOptions {
  const executablePath = process.env["CHROMIUM_PATH"];
  return { args: BROWSER_ARGS, ...(executablePath && { executablePath }) };
}
