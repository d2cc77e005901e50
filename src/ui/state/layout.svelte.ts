import { MediaQuery } from "svelte/reactivity";

/**
 * By the width in em of the browser, which is 16 px unless its user wants larger text: `phone` up to 640 px: one column;
 * `middle` up to 1100 px: rail and feed; `wide` above: rail, feed and details.
 */
export type Shape = "phone" | "middle" | "wide";

/** The page's shape by its width, for what CSS can't decide: which components are mounted. */
export class Layout {
  #phone = new MediaQuery("width <= 40em");
  #wide = new MediaQuery("width > 68.75em");

  get shape(): Shape {
    if (this.#phone.current) return "phone";
    return this.#wide.current ? "wide" : "middle";
  }
}
