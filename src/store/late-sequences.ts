import type * as Later from "./later";
import { loadLater } from "./load-later";

/** What the events of sequences come to. */
export type SequenceCode = Pick<typeof Later, "applySequences" | "replacedBy" | "toldSeconds">;

let code: SequenceCode | undefined;

/**
 * Runs what may need the code of sequences, which comes behind the start: most topics have none. No transaction stays open while
 * something is loaded, so that `run` gives `undefined`, with nothing written, where it needs the code and has not got it; it is
 * then run again. Where it can't be loaded nothing of the batch is stored: it is held, or polled for, as where there is no room.
 */
export async function withSequences<Value extends object>(
  run: (code: SequenceCode | undefined) => Promise<Value | undefined>,
): Promise<Value> {
  const done = (await run(code)) ?? (await run((code = await loadLater())));
  if (!done) throw new Error("The code of sequences is here, and was asked for.");
  return done;
}
