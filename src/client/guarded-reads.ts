import { fail, ok, type Result } from "../protocol";
import { isStoreFailure, type Reader, type StoreError } from "../store";

/** Reads what is stored; a database that can't be read is an answer, as it may end at any moment. */
export type GuardedRead = <Value>(work: (reader: Reader) => Promise<Value>) => Promise<Result<Value, StoreError>>;

/**
 * The one way from the page to what is stored: nobody else is given a reader, so that no read can forget that the database
 * may have ended.
 * @param reader the one to read by at that moment
 * @param failed told before the answer is
 */
export function guardedReads(reader: () => Reader, failed: (error: StoreError) => void): GuardedRead {
  return async (work) => {
    try {
      return ok(await work(reader()));
    } catch (thrown) {
      if (!isStoreFailure(thrown)) throw thrown;
      failed(thrown.error);
      return fail(thrown.error);
    }
  };
}
