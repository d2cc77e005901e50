import type * as Lazy from "./lazy";
import { loadLazy } from "./load-lazy";

/** The code that works out what the events of sequences lead to, and what quiet hours hold back. */
export type LazyCode = Pick<typeof Lazy, "applySequences" | "replacedBy" | "secondOrders" | "heldBackBy">;

let code: LazyCode | undefined;

/**
 * Runs an ingest that may need code which is loaded on first use, as most topics have no sequences and most users no
 * quiet hours. No transaction stays open during a load: if `run` needs the code and was given none, it returns
 * `undefined` and writes nothing, and is run again once the code is loaded. If loading fails, nothing of the batch is
 * stored; it is held or polled again, as when the disk is full.
 */
export async function withLazyCode<Value extends object>(
  run: (code: LazyCode | undefined) => Promise<Value | undefined>,
): Promise<Value> {
  const done = (await run(code)) ?? (await run((code = await loadLazy())));
  // With the code at hand, `run` never returns undefined.
  return done as Value;
}
