import { expect, test } from "vitest";
import { changedIn } from "../../src/ui/settings/reset";
import { SETTINGS_PAGES } from "../../src/ui/settings/setting-place";
import { catalogue } from "./fake-client";

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
