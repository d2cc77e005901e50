import { fail, ok, type Result } from "../protocol";
import { isStoreFailure, type Reader, type StoreError, DEFAULT_SETTINGS, type Catalogue, StoreFailure } from "../store";
import type { HubConnection } from "./hub-connection";

/** What a page shows if it can't read the small tables. */
export const EMPTY_CATALOGUE: Catalogue = {
  servers: [],
  accounts: [],
  subscriptions: [],
  views: [],
  gaps: [],
  settings: DEFAULT_SETTINGS,
  total: 0,
  lastArrival: 0,
};

/** Reads what is stored. A failed read is a result, not an exception, as the database may close at any moment. */
export type GuardedRead = <Value>(work: (reader: Reader) => Promise<Value>) => Promise<Result<Value, StoreError>>;

/**
 * The page's only way to read what is stored. Nothing else gets a reader, so no read can forget that the database may
 * have closed.
 *
 * @param reader the current reader
 * @param failed called before the result is returned
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

/** Reads through the hub, for a page that can't open the database: the rows are in the hub's memory. */
export function portReader(hub: Pick<HubConnection, "send">): Reader {
  const read = async (method: string, args: unknown[]): Promise<unknown> => {
    const answer = await hub.send("read", { method, args });
    if (answer.ok) return answer.value;
    const { kind, text = kind }: { kind: string; text?: string } = answer.error;
    throw new StoreFailure({ kind: kind === "quota" ? kind : "failed", text });
  };
  return new Proxy({} as Reader, {
    get:
      (_, method) =>
      (...args: unknown[]) =>
        read(String(method), args),
  });
}
