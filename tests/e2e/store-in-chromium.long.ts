import { expect, test } from "@playwright/test";
import { join } from "node:path";
import { build } from "vite";
import { ROOT } from "../../scripts/source-hash.mjs";

const FOLDER = join(ROOT, "tests", "store", "in-browser");

/** Fewer tests than this mean that some were not collected. */
const LEAST_TESTS = 90;

/** Bundles the store and its contract into one script. */
async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    root: ROOT,
    logLevel: "error",
    resolve: { alias: [{ find: /^vitest$/, replacement: join(FOLDER, "vitest-in-page.ts") }] },
    build: {
      write: false,
      minify: false,
      target: "es2023",
      rolldownOptions: { input: join(FOLDER, "main.ts"), output: { format: "iife" } },
    },
  });
  const [first] = Array.isArray(built) ? built : [built];
  if (!first || !("output" in first)) throw new Error("the bundler watches in place of building");
  return first.output[0].code;
}

test("the store keeps its contract on Chromium's IndexedDB", async ({ page }, info) => {
  const script = await bundle();
  await page.route("http://store.test/", (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html>" }),
  );
  await page.goto("http://store.test/");
  await page.addScriptTag({ content: script });
  const results = await page.evaluate(() => globalThis.runStoreContract());
  for (const { name, ms, error } of results) {
    info.annotations.push({ type: error === undefined ? "held" : "broken", description: `${name} (${ms} ms)` });
  }
  expect(results.filter(({ error }) => error !== undefined)).toEqual([]);
  expect(results.length).toBeGreaterThan(LEAST_TESTS);
});
