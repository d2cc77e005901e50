import { fail, ok, type Result } from "../protocol";
import {
  isStoreFailure,
  type Reader,
  type StoreError,
  DEFAULT_SETTINGS,
  type Catalogue,
  StoreFailure,
  type DatabaseEnd,
} from "../store";
import type { HubConnection } from "./hub-connection";
import type { HubEvent } from "../contract";

/** What a page shows if it can't read the small tables. */
export const EMPTY_CATALOGUE: Catalogue = {
  servers: [],
  accounts: [],
  subscriptions: [],
  views: [],
  gaps: [],
  outbox: [],
  settings: DEFAULT_SETTINGS,
  total: 0,
  lastArrival: 0,
};

/** Reads what is stored. A failed read is a result, not an exception, because the database may close at any moment. */
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
  return new Proxy({} as Reader, {
    get:
      (_, method) =>
      async (...args: unknown[]) => {
        const answer = await hub.send("read", { method: String(method), args });
        if (answer.ok) return answer.value;
        const { kind, text = kind }: { kind: string; text?: string } = answer.error;
        throw new StoreFailure({ kind: kind === "quota" ? kind : "failed", text });
      },
  });
}

type StorageEvent = Extract<HubEvent, { kind: "storage" }>;

/** They say more than that the database can't be read. */
const REASONS: ReadonlySet<StorageEvent["problem"]> = new Set(["newer-version", "deleted"]);

/** What is wrong with storage: trouble that hubs report passes; the end of the page's own database is final. */
export class StorageTrouble {
  /** The current trouble, for listeners added later. */
  current: StorageEvent | undefined;
  /** Whether the page's own database has ended. */
  hasEnded = false;

  constructor(private readonly announce: (event: StorageEvent) => void) {}

  /** Call this with what a hub reports. */
  told(event: StorageEvent): void {
    // A hub that can write again doesn't help a page that can't read.
    if (this.hasEnded && !REASONS.has(event.problem)) return;
    this.current = event.problem === "none" ? undefined : event;
    this.announce(event);
  }

  /** Call this when the page's own database can no longer be read: it closed, or a read failed. */
  ended(problem: DatabaseEnd, text?: string): void {
    this.hasEnded = true;
    const before = this.current?.problem;
    // A database that closed for such a reason can't be read either: that is final, and nothing is announced twice.
    if ((before && REASONS.has(before)) || before === problem) return;
    this.current = { kind: "storage", problem, ...(text !== undefined && { text }) };
    this.announce(this.current);
  }
}
