import type * as Later from "./later";
import { loadLater } from "./load-later";

/** The code that works out what the events of sequences lead to, and what quiet hours hold back. */
export type LateCode = Pick<typeof Later, "applySequences" | "replacedBy" | "secondOrders" | "heldBackBy">;

let code: LateCode | undefined;

/**
 * Runs what may need code that is loaded after the start, as most topics have no sequences and most users no quiet
 * hours. No transaction stays open during a load: if `run` needs the code and doesn't have it, it returns `undefined`
 * and writes nothing, and is run again once the code is loaded. If loading fails, nothing of the batch is stored; it is
 * held or polled again, as when the disk is full.
 */
export async function withLateCode<Value extends object>(
  run: (code: LateCode | undefined) => Promise<Value | undefined>,
): Promise<Value> {
  const done = (await run(code)) ?? (await run((code = await loadLater())));
  // Whoever has the code doesn't ask for it.
  return done as Value;
}
