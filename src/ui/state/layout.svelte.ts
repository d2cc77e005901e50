import { keep, kept } from "./device-storage";
import { MediaQuery } from "svelte/reactivity";

/**
 * By width in the browser's em, usually 16 px. `phone` up to 640 px: one column; `middle` up to 1100 px: rail and feed;
 * `wide` above: rail, feed and details.
 */
export type Shape = "phone" | "middle" | "wide";

/** The page's shape by its width, for what CSS can't decide: which components are mounted. */
export class Layout {
  #phone = new MediaQuery("width <= 40em");
  #wide = new MediaQuery("width > 68.75em");
  /** Whether there is room for rows of one line. */
  readonly roomy = new MediaQuery("width > 1100px");

  get shape(): Shape {
    if (this.#phone.current) return "phone";
    return this.#wide.current ? "wide" : "middle";
  }
}

const KEY = "earshot-rail";

/** Whether the rail shows only icons. It depends on the device's screen, so it isn't a setting in the database. */
export class Rail {
  narrow = $state(kept(KEY) === "narrow");

  toggle(): void {
    this.narrow = !this.narrow;
    keep(KEY, this.narrow ? "narrow" : "wide");
  }
}

/** Whether it is installed and has a window of its own. */
export const ownWindow = new MediaQuery("(display-mode: standalone)");

/** On touch screens nothing hovers, so a row's controls are always visible. */
export const coarsePointer = new MediaQuery("pointer: coarse");

/** Turns a step to the right (1) or left (-1) on the screen into a step forward (1) or back (-1) in reading direction. */
export function inReadingDirection(right: -1 | 1): -1 | 1 {
  return document.documentElement.dir === "rtl" ? (right === 1 ? -1 : 1) : right;
}
