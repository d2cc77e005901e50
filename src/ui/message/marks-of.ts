import type { Attachment } from "svelte/attachments";
import type { Filter } from "../../contract";
import { matchMarks } from "./body-parts";

/** Marks what a filter found within an element; nothing where it looks for no words. */
export function marksOf(filter: Filter | undefined): Attachment | undefined {
  if (!filter?.terms.some((term) => !term.not && "text" in term)) return undefined;
  const mark = matchMarks();
  return mark && ((element) => mark(element, filter));
}
