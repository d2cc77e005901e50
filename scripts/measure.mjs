// Measurements in a real browser, each by its folder in tests:
// npm run bench [-- --only CASE,CASE] [--quick]: the app against the bare floor of the same run
// npm run compare -- [--client NAME --url URL] [--only TRIAL,TRIAL]: the same things with the app and other web clients
// npm run lighthouse: Lighthouse's rating of the built app as on a phone
import { join } from "node:path";
import { ensureChromium } from "./browser.mjs";
import { ensureBuilt, runHere, withReadableErrors } from "./setup.mjs";

await withReadableErrors(async () => {
  const [folder = "", ...args] = process.argv.slice(2);
  await ensureBuilt();
  const env = { CHROMIUM_PATH: await ensureChromium() };
  process.exitCode = await runHere(["--import", "tsx", join("tests", folder, "main.ts"), ...args], env);
});
