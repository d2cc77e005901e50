import type { Filter } from "../../contract";
import type { Origin } from "../message/origin";
import type { View } from "../state/navigation/view";

/** A user who touched nothing for this long, ms, may have left. */
export const THERE_WITHIN_MS = 60_000;

/** Whether a view shows every message of these topics. */
export function showsAllOf(view: View, filter: Filter, origins: readonly Pick<Origin, "address" | "topic">[]): boolean {
  if (filter.terms.length > 0) return false;
  const parts = view.kind === "topics" ? [view] : view.kind === "several" ? view.parts : [];
  return origins.every(({ address, topic }) =>
    parts.some(({ server, topics }) => server === address && topics.includes(topic)),
  );
}

/** Notes when this page was last touched. */
export class Presence {
  #lastMs = -Infinity;

  /** Called once. */
  start(): void {
    const note = (): void => void (this.#lastMs = performance.now());
    for (const kind of ["pointerdown", "pointermove", "keydown", "wheel", "touchmove"])
      addEventListener(kind, note, { passive: true, capture: true });
  }

  /** Whether someone looks at this page: it has the focus and was touched lately. */
  get isThere(): boolean {
    return document.hasFocus() && performance.now() - this.#lastMs < THERE_WITHIN_MS;
  }
}
