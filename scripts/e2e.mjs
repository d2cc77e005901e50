// Runs only the end-to-end tests: npm run e2e -- <arguments for Playwright, such as a file or -g "name">. --long runs
// those that take minutes, which npm test leaves out.
import { join } from "node:path";
import { ensureTestBrowsers } from "./browser.mjs";
import { ENGINE_FOR_TESTS, ensureBuilt, runHere, TOOLS, withReadableErrors } from "./setup.mjs";

await withReadableErrors(async () => {
  await ensureBuilt();
  const browsers = await ensureTestBrowsers();
  const given = process.argv.slice(2);
  const isLong = given.includes("--long");
  const args = [
    ...ENGINE_FOR_TESTS,
    ...[TOOLS.playwright, "test", "--config", join("tests", "e2e", "playwright.config.ts")],
    ...given.filter((one) => one !== "--long"),
  ];
  const env = { ...browsers, ...(isLong && { LONG: "1" }) };
  const codes = [await runHere(args, env)];
  // Unit tests, too, leave cases to the long run.
  if (isLong && given.length === 1) codes.push(await runHere([TOOLS.vitest, "run"], env));
  process.exitCode = Math.max(...codes);
});
