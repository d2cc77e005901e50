import { afterEach, describe, expect, it, vi } from "vitest";
import { ensureTestBrowsers, findChromium } from "../../scripts/browser.mjs";
import { packagesMatch, requireNode } from "../../scripts/setup.mjs";
import { buildName, hashOf, sourceHash } from "../../scripts/source-hash.mjs";

describe("requireNode", () => {
  it.each(["20.19.0", "20.20.2", "22.0.0", "24.1.0"])("goes on with %s", (version) => {
    expect(() => requireNode(version)).not.toThrow();
  });

  it.each(["18.20.8", "20.18.3", "8.0.0"])("says which version it needs instead of %s", (version) => {
    expect(() => requireNode(version)).toThrow(`Earshot needs Node 20.19 or newer; this is ${version}.`);
  });
});

describe("packagesMatch", () => {
  const locked = {
    "": {},
    "node_modules/a": { version: "1.0.0" },
    "node_modules/b-win32": { version: "2.0.0", optional: true },
  };

  it("accepts packages that are all there", () => {
    expect(packagesMatch(locked, { "node_modules/a": { version: "1.0.0" } })).toBe(true);
  });

  it.each([
    ["nothing was installed, or not to the end", undefined],
    ["a package is missing", {}],
    ["a package has another version", { "node_modules/a": { version: "1.0.1" } }],
    ["there is one too many", { "node_modules/a": { version: "1.0.0" }, "node_modules/c": { version: "1.0.0" } }],
    [
      "an optional one has another version",
      { "node_modules/a": { version: "1.0.0" }, "node_modules/b-win32": { version: "2.1.0" } },
    ],
  ])("is not when %s", (_, present) => {
    expect(packagesMatch(locked, present)).toBe(false);
  });
});

describe("findChromium", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("uses the one that CHROMIUM_PATH names", () => {
    vi.stubEnv("CHROMIUM_PATH", process.execPath);
    expect(findChromium()).toBe(process.execPath);
  });

  it("reports a CHROMIUM_PATH without a browser", () => {
    vi.stubEnv("CHROMIUM_PATH", "/nowhere/chromium");
    expect(() => findChromium()).toThrow("CHROMIUM_PATH names no program that can be run: /nowhere/chromium");
  });
});

describe("ensureTestBrowsers", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("runs every test in a Chromium that the user chose", async () => {
    vi.stubEnv("CHROMIUM_PATH", process.execPath);
    vi.stubEnv("HEADLESS_SHELL_PATH", "");
    const chosen = { CHROMIUM_PATH: process.execPath, HEADLESS_SHELL_PATH: process.execPath };
    await expect(ensureTestBrowsers()).resolves.toEqual(chosen);
  });
});

describe("buildName", () => {
  it("sorts by age", () => {
    const older = buildName(new Date("2026-09-30T23:59:59Z"));
    const newer = buildName(new Date("2026-10-01T00:00:00Z"));
    expect(older < newer).toBe(true);
  });

  it("holds the hash of the sources", () => {
    expect(hashOf(`${buildName(new Date(0))}\n`)).toBe(sourceHash());
  });
});
