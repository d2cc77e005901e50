import { keep, kept } from "../../state/device-storage";

const KEY = "earshot-first-steps";

/** Grows with each change of what is kept. */
let changes = $state(0);

/** Whether the card with the first steps is to be seen. */
export function firstStepsOpen(): boolean {
  return changes >= 0 && kept(KEY) === "open";
}

/** Call after the first subscription. Once dismissed, the card never returns. */
export function beginFirstSteps(): void {
  if (kept(KEY) !== undefined) return;
  keep(KEY, "open");
  changes += 1;
}

export function endFirstSteps(): void {
  keep(KEY, "done");
  changes += 1;
}
