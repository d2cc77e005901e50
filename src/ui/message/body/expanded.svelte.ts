import { keyText, type MessageKey } from "../../../contract";
import { keep, kept } from "../../state/device-storage";
import { EXPANDED } from "./collapse";

/** The most messages whose text stays expanded; the oldest are collapsed again. */
const MOST = 300;

/** The messages that the user expanded, kept across reloads. */
export class Expanded {
  /** The oldest choice comes first. */
  #keys = $state.raw<ReadonlySet<string>>(new Set(kept(EXPANDED)?.split("\n").filter(Boolean)));

  has(key: MessageKey): boolean {
    return this.#keys.has(keyText(key));
  }

  set(key: MessageKey, on: boolean): void {
    const name = keyText(key);
    const names = [...this.#keys].filter((other) => other !== name);
    if (on) names.push(name);
    this.#keys = new Set(names.slice(-MOST));
    keep(EXPANDED, [...this.#keys].join("\n"));
  }
}

let expanded: Expanded | undefined;

/** The page's `Expanded`, created by the first call. Call it during a component's setup, see `feedCacheOf`. */
export function expandedMessages(): Expanded {
  return (expanded ??= new Expanded());
}
