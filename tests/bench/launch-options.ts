import type { LaunchOptions } from "@playwright/test";
import { BROWSER_ARGS } from "../../scripts/browser.mjs";

/** How every browser of a benchmark is started. */
export function launchOptions(): LaunchOptions {
  const executablePath = process.env["CHROMIUM_PATH"];
  return { args: BROWSER_ARGS, ...(executablePath && { executablePath }) };
}
