// The end-to-end tests alone: npm run e2e -- <what Playwright takes, such as a file or -g "name">
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureChromium } from "./browser.mjs";
import { ensureBuilt, ensurePackages, inWords, requireNode } from "./setup.mjs";
import { ROOT } from "./source-hash.mjs";

await inWords(async () => {
  requireNode();
  await ensurePackages();
  await ensureBuilt();
  const chromium = await ensureChromium();
  const cli = join("node_modules", "@playwright", "test", "cli.js");
  const args = [cli, "test", "--config", join("tests", "e2e", "playwright.config.ts"), ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, CHROMIUM_PATH: chromium },
  });
  child.on("close", (code) => (process.exitCode = code ?? 1));
});
