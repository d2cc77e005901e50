import type { MessageKey } from "../../contract";
import { keep, kept } from "../state/device-storage";
import { UNFOLDED } from "./fold";

/** The most messages whose long text stays unfolded; those unfolded longest ago are folded again. */
const MOST = 300;

/** The messages that the user unfolded, kept across reloads. */
export class Unfolded {
  /** The oldest choice comes first. */
  #keys = $state.raw<ReadonlySet<string>>(new Set(kept(UNFOLDED)?.split("\n").filter(Boolean)));

  has(key: MessageKey): boolean {
    return this.#keys.has(key.join("/"));
  }

  set(key: MessageKey, on: boolean): void {
    const name = key.join("/");
    const names = [...this.#keys].filter((other) => other !== name);
    if (on) names.push(name);
    this.#keys = new Set(names.slice(-MOST));
    keep(UNFOLDED, [...this.#keys].join("\n"));
  }
}

let unfolded: Unfolded | undefined;

/** The page's `Unfolded`, created by the first call. Call it during a component's setup, see `feedCacheOf`. */
export function unfoldedMessages(): Unfolded {
  return (unfolded ??= new Unfolded());
}
