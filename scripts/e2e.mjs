// Runs only the end-to-end tests: npm run e2e -- <arguments for Playwright, such as a file or -g "name">. --long runs
// those that take minutes, which npm test leaves out.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureTestBrowsers } from "./browser.mjs";
import { ENGINE_FOR_TESTS, ensureBuilt, ensurePackages, withReadableErrors, requireNode } from "./setup.mjs";
import { ROOT } from "./source-hash.mjs";

await withReadableErrors(async () => {
  requireNode();
  await ensurePackages();
  await ensureBuilt();
  const browsers = await ensureTestBrowsers();
  const given = process.argv.slice(2);
  const isLong = given.includes("--long");
  const cli = join("node_modules", "@playwright", "test", "cli.js");
  const args = [
    ...ENGINE_FOR_TESTS,
    cli,
    "test",
    "--config",
    join("tests", "e2e", "playwright.config.ts"),
    ...given.filter((one) => one !== "--long"),
  ];
  const env = { ...process.env, ...browsers, ...(isLong && { LONG: "1" }) };
  const start = (/** @type {string[]} */ args) =>
    new Promise((resolve) =>
      spawn(process.execPath, args, { cwd: ROOT, stdio: "inherit", env }).on("close", (code) => resolve(code ?? 1)),
    );
  const codes = [await start(args)];
  // Unit tests, too, leave cases to the long run.
  if (isLong && given.length === 1) codes.push(await start([join("node_modules", "vitest", "vitest.mjs"), "run"]));
  process.exitCode = Math.max(...codes);
});
