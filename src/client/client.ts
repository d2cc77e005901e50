import type { CommandName, Commands, HubEvent, ServerStatus } from "../contract";
import type { ExtraHeaders, ServerAddress } from "../protocol";
import type { Inspection } from "./inspect";
import type { GuardedRead } from "./guarded-reads";

/** What the page knows about its environment. */
export interface PageEnvironment {
  /** https or localhost: service worker, locks, clipboard, notifications and installing need it. */
  secure: boolean;
  /** Where rows are kept: in the database, or in memory if that can't be opened. */
  storage: "database" | "memory";
  /** One worker for all tabs, or one for each tab. */
  worker: "shared" | "dedicated";
}

/** The page's only way to the hub and to what is stored: reads, commands, announcements. */
export interface Client {
  readonly environment: PageEnvironment;
  /**
   * Reads what is stored. A failure is announced as storage trouble before the read resolves; its text is the browser's
   * own, for the details.
   */
  readonly read: GuardedRead;
  /** Sends a command to the hub. Never rejects for an expected failure: those are in the result. */
  send<Name extends CommandName>(name: Name, input: Commands[Name]["input"]): Promise<Commands[Name]["output"]>;
  /** Calls back on every announcement, and at once if storage is in trouble now. Returns a function that stops this. */
  listen(listener: (event: HubEvent) => void): () => void;
  /** The newest status of each server, by serverId. Updated before listeners are called. */
  readonly statuses: ReadonlyMap<number, ServerStatus>;
  /**
   * A request that the page makes itself when a server is added, because only a page makes the browser ask about the
   * local network (docs/design.md §3). Resolves to what is at the address.
   */
  probe(address: string, headers?: ExtraHeaders): Promise<"topic-server" | "not-a-topic-server" | "unreachable">;
  /** Takes a closer look at an address, for the user who asked. */
  inspect(address: ServerAddress, headers?: ExtraHeaders): Promise<Inspection>;
  close(): void;
}
