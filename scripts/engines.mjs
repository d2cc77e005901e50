// Tests the main features in Firefox and WebKitGTK: npm run test:engines -- [firefox|webkit] <arguments for Playwright,
// such as a file or -g "name">. Docs: docs/engines.md.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensurePrograms, FIREFOX, MINI_BROWSER, WEBKIT_DRIVER, XVFB } from "./browser.mjs";
import { ensureBuilt, runHere, TOOLS, withReadableErrors } from "./setup.mjs";
import { ROOT } from "./source-hash.mjs";

/** The programs that each engine needs. */
const NEEDED = { firefox: [FIREFOX], webkit: [WEBKIT_DRIVER, MINI_BROWSER, XVFB] };
const NAMES = /** @type {(keyof typeof NEEDED)[]} */ (Object.keys(NEEDED));
const REPORT = join(ROOT, ".cache", "reports", "engines.json");

await withReadableErrors(async () => {
  await ensureBuilt();
  const given = process.argv.slice(2);
  const named = NAMES.filter((name) => given.includes(name));
  const engines = named.length > 0 ? named : NAMES;
  await ensurePrograms(...engines.flatMap((name) => NEEDED[name]));
  rmSync(REPORT, { force: true });
  const args = [
    ...[TOOLS.playwright, "test", "--config", join("tests", "engines", "playwright.config.ts")],
    ...given.filter((one) => !engines.some((name) => name === one)),
  ];
  const code = await runHere(args, { ENGINES: engines.join(" ") });
  const { passed, failed, skipped } = counts(code === 0);
  console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exitCode = failed === 0 ? 0 : 1;
});

/**
 * Sums up the report. A run without a report, or one that ended badly without naming a failure, counts as failed too.
 * @param {boolean} endedWell
 */
function counts(endedWell) {
  if (!existsSync(REPORT)) return { passed: 0, failed: 1, skipped: 0 };
  const { stats, errors } = JSON.parse(readFileSync(REPORT, "utf8"));
  const failed = stats.unexpected + stats.flaky + errors.length;
  return { passed: stats.expected, failed: failed === 0 && !endedWell ? 1 : failed, skipped: stats.skipped };
}
