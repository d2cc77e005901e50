import type { SavedView } from "./topics";
import { type Result, fail, ok } from "../protocol";

/** The longest name of a view, characters: enough for words, few enough for the rail. */
export const MAX_LETTERS_OF_VIEW = 60;

/** More views than this are no longer an overview. */
export const MAX_VIEWS = 100;

/** Why saved views are refused. */
export type ViewError = "no-name" | "long-name" | "same-name" | "no-link" | "too-many";

/** Checks a list of views before it is stored. */
export function checkViews(views: readonly SavedView[]): Result<null, ViewError> {
  if (views.length > MAX_VIEWS) return fail("too-many");
  const names = new Set<string>();
  for (const { name, link } of views) {
    if (name.trim() === "") return fail("no-name");
    if (name.length > MAX_LETTERS_OF_VIEW) return fail("long-name");
    if (names.has(name)) return fail("same-name");
    if (!link.startsWith("#/")) return fail("no-link");
    names.add(name);
  }
  return ok(null);
}
