import type { CommandName, Commands, HubEvent, ServerStatus } from "../protocol";
import type { GuardedRead } from "./guarded-reads";

/** What the page knows of its environment, each with its words when something is missing. */
export interface Environment {
  /** https or localhost: service worker, locks, clipboard, notifications, install. */
  secure: boolean;
  /** Where rows are kept: the database, or memory when it can't be opened. */
  storage: "database" | "memory";
  /** One worker for all tabs, one for each tab, or none (code runs in the page's own worker anyway). */
  worker: "shared" | "dedicated";
}

/** The page's one way in: reads, commands, changes. */
export interface Client {
  readonly environment: Environment;
  /**
   * Reads what is stored. A failure is announced as trouble of the storage before it is answered, and its text is the
   * browser's own, for the details.
   */
  readonly read: GuardedRead;
  /** Sends a command to the hub. Never rejects for an expected failure: those are in the answer. */
  send<Name extends CommandName>(name: Name, input: Commands[Name]["input"]): Promise<Commands[Name]["output"]>;
  /**
   * Calls back on every announcement, and at once with trouble of the storage that lasts; the returned function ends
   * that.
   */
  listen(listener: (event: HubEvent) => void): () => void;
  /** Newest status of each server, by serverId. Kept up to date before listeners are called. */
  readonly statuses: ReadonlyMap<number, ServerStatus>;
  /**
   * The one request that the page makes itself, when a server is added: only a page gets the browser's question about
   * the local network (docs/design.md §3). Answers what the address turned out to be.
   */
  probe(address: string): Promise<"topic-server" | "not-a-topic-server" | "unreachable">;
  close(): void;
}
