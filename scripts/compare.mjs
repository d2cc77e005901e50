// Tries the same things with the app and with other web clients: npm run compare -- [--client NAME --url URL] [--only TRIAL,TRIAL]
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureChromium } from "./browser.mjs";
import { ensureBuilt, ensurePackages, withReadableErrors, requireNode } from "./setup.mjs";
import { ROOT } from "./source-hash.mjs";

await withReadableErrors(async () => {
  requireNode();
  await ensurePackages();
  await ensureBuilt();
  const chromium = await ensureChromium();
  const args = ["--import", "tsx", join("tests", "compare", "main.ts"), ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, CHROMIUM_PATH: chromium },
  });
  child.on("close", (code) => (process.exitCode = code ?? 1));
});
