// Hours of messages and faults in a real browser: npm run test:soak -- [--minutes 60] [--seed N]
import { spawn } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureChromium } from "./browser.mjs";
import { ensureBuilt, ensurePackages, withReadableErrors, requireNode, SetupError } from "./setup.mjs";
import { ROOT } from "./source-hash.mjs";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "60" }, seed: { type: "string", default: "1" } },
});

await withReadableErrors(async () => {
  for (const [name, value] of Object.entries(values)) {
    if (!(Number(value) > 0)) throw new SetupError(`--${name} takes a number above 0, not "${value}".`);
  }
  requireNode();
  await ensurePackages();
  await ensureBuilt();
  const chromium = await ensureChromium();
  const cli = join("node_modules", "@playwright", "test", "cli.js");
  const child = spawn(process.execPath, [cli, "test", "--config", join("tests", "soak", "playwright.config.ts")], {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, CHROMIUM_PATH: chromium, SOAK_MINUTES: values.minutes, SOAK_SEED: values.seed },
  });
  child.on("close", (code) => (process.exitCode = code ?? 1));
});
