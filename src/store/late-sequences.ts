import type * as Later from "./later";
import { loadLater } from "./load-later";

/** The code that works out what the events of sequences lead to. */
export type SequenceCode = Pick<typeof Later, "applySequences" | "replacedBy" | "toldSeconds">;

let code: SequenceCode | undefined;

/**
 * Runs what may need the code for sequences, which is loaded after the start, as most topics have none. No transaction
 * stays open during a load: if `run` needs the code and doesn't have it, it returns `undefined` and writes nothing, and
 * is run again once the code is loaded. If loading fails, nothing of the batch is stored; it is held or polled again,
 * as when the disk is full.
 */
export async function withSequences<Value extends object>(
  run: (code: SequenceCode | undefined) => Promise<Value | undefined>,
): Promise<Value> {
  const done = (await run(code)) ?? (await run((code = await loadLater())));
  if (!done) throw new Error("The code of sequences is here, and was asked for.");
  return done;
}
