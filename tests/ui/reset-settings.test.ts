import { afterEach, expect, test, vi } from "vitest";
import { App } from "../../src/ui/state/app.svelte";
import { changedIn, resetPage } from "../../src/ui/settings/reset";
import { SETTINGS_PAGES } from "../../src/ui/settings/setting-place";
import { ADDRESS, catalogue, FakeClient } from "./fake-client";
import { stubPage } from "./stub-page";

const { settings } = catalogue();

test("a page can be reset once something in it differs from its default", () => {
  for (const page of SETTINGS_PAGES) expect(changedIn(page, settings)).toEqual([]);
  expect(changedIn("appearance", { ...settings, display: { textSize: 115 }, theme: "dark" })).toEqual([
    "theme",
    "display",
  ]);
  expect(changedIn("storage", { ...settings, keepDays: 0 })).toEqual(["keepDays"]);
  expect(changedIn("reading", { ...settings, keepDays: 0 })).toEqual([]);
});

afterEach(() => vi.unstubAllGlobals());

test("a reset that could not be stored doesn't say that it was done", async () => {
  stubPage();
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn() }));
  const client = new FakeClient(catalogue({ settings: { ...settings, keepDays: 0 } }));
  const app = new App(client, client.tables, ADDRESS);
  await resetPage(app, "storage");
  const said = app.notices.current?.text;
  expect(said).toContain("Storage");
  client.answers.setSetting = () => ({ ok: false, error: { kind: "quota" } });
  await app.catalogue.readAgain();
  await resetPage(app, "storage");
  expect(app.notices.current?.text).not.toBe(said);
  expect(app.catalogue.settings.keepDays).toBe(0);
});
