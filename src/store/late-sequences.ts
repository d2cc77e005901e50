import type * as Later from "./later";
import { StoreFailure } from "./store-error";

/** What the events of sequences come to. */
export type SequenceCode = Pick<typeof Later, "applySequences" | "replacedBy" | "toldSeconds">;

let code: SequenceCode | undefined;

/**
 * Runs what may need the code of sequences, which comes behind the start: most topics have none. No transaction stays open while
 * something is loaded, so that `run` gives `undefined`, with nothing written, where it needs the code and has not got it; it is
 * then run again.
 */
export async function withSequences<Value extends object>(
  run: (code: SequenceCode | undefined) => Promise<Value | undefined>,
): Promise<Value> {
  const done = (await run(code)) ?? (await run((code = await load())));
  if (!done) throw new Error("The code of sequences is here, and was asked for.");
  return done;
}

/** Without it nothing of the batch is stored: it is held, or polled for, as where there is no room. */
async function load(): Promise<SequenceCode> {
  try {
    return await import("./later");
  } catch (thrown) {
    throw new StoreFailure({ kind: "failed", text: String(thrown) });
  }
}
