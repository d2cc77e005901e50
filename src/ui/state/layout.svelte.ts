import { MediaQuery } from "svelte/reactivity";

/** `phone` to 640 px, `middle` to 1100, `wide` from there: one column, rail and feed, rail and feed and details. */
export type Shape = "phone" | "middle" | "wide";

/** The page's shape by its width, for what CSS alone can't decide: what is mounted at all. */
export class Layout {
  #phone = new MediaQuery("width <= 640px");
  #wide = new MediaQuery("width > 1100px");

  get shape(): Shape {
    if (this.#phone.current) return "phone";
    return this.#wide.current ? "wide" : "middle";
  }
}
