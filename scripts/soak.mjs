// Hours of messages and faults in a real browser: npm run test:soak -- [--minutes 60] [--seed N]
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureChromium } from "./browser.mjs";
import { ensureBuilt, runHere, SetupError, TOOLS, withReadableErrors } from "./setup.mjs";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "60" }, seed: { type: "string", default: "1" } },
});

await withReadableErrors(async () => {
  for (const [name, value] of Object.entries(values)) {
    if (!(Number(value) > 0)) throw new SetupError(`--${name} takes a number above 0, not "${value}".`);
  }
  await ensureBuilt();
  const chromium = await ensureChromium();
  const env = { CHROMIUM_PATH: chromium, SOAK_MINUTES: values.minutes, SOAK_SEED: values.seed };
  process.exitCode = await runHere(
    [TOOLS.playwright, "test", "--config", join("tests", "soak", "playwright.config.ts")],
    env,
  );
});
