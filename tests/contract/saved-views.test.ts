import { expect, test } from "vitest";
import { checkViews, MAX_LETTERS_OF_VIEW, MAX_VIEWS } from "../../src/contract";

const view = (name: string, link = "#/") => ({ name, link });

test.each([
  ["no-name", [view("  ")]],
  ["long-name", [view("x".repeat(MAX_LETTERS_OF_VIEW + 1))]],
  ["same-name", [view("One"), view("Two"), view("One", "#/a")]],
  ["no-link", [view("One", "https://elsewhere.example/")]],
  ["too-many", Array.from({ length: MAX_VIEWS + 1 }, (_, at) => view(String(at)))],
])("views are refused: %s", (error, views) => expect(checkViews(views)).toEqual({ ok: false, error }));

test("views of different names are taken", () => {
  expect(checkViews([view("One"), view("one"), view("x".repeat(MAX_LETTERS_OF_VIEW))]).ok).toBe(true);
  expect(checkViews([]).ok).toBe(true);
});
