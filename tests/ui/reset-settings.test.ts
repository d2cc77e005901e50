import { expect, test } from "vitest";
import { changedIn, SECTION_SETTINGS } from "../../src/ui/settings/reset";
import { catalogue } from "./fake-client";

const { settings } = catalogue();

test("a section can be reset once something in it differs from its default", () => {
  for (const section of Object.keys(SECTION_SETTINGS) as (keyof typeof SECTION_SETTINGS)[]) {
    expect(changedIn(section, settings)).toEqual([]);
  }
  expect(changedIn("appearance", { ...settings, display: { textSize: 115 }, theme: "dark" })).toEqual([
    "theme",
    "display",
  ]);
  expect(changedIn("keeping", { ...settings, keepDays: 0 })).toEqual(["keepDays"]);
  expect(changedIn("reading", { ...settings, keepDays: 0 })).toEqual([]);
});
