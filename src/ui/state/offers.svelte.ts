import { keep, kept } from "./device-storage";

const KEY = "earshot-first-steps";

/** Unread messages from before their topics were subscribed to. */
export interface OlderMessages {
  subIds: readonly number[];
  count: number;
  /** The last arrival among them. */
  upTo: number;
}

/** What is offered above a feed after subscribing. */
export class Offers {
  /** Messages to mark read at once. */
  older = $state.raw<OlderMessages>();
  /** How to allow notifications. */
  tellsHow = $state(false);
  /** Whether notifications and installation are offered. */
  firstSteps = $state(kept(KEY) === "open");

  /** Call it after the first subscription. Once dismissed, the first steps never return. */
  beginFirstSteps(): void {
    if (kept(KEY) === undefined) this.#keep("open");
  }

  endFirstSteps(): void {
    this.#keep("done");
  }

  #keep(state: "open" | "done"): void {
    keep(KEY, state);
    this.firstSteps = state === "open";
  }
}
