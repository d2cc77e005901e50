import type { Result } from "../protocol";
import type { Reader } from "./reader";
import type { Store } from "./store";
import type { StoreError } from "./store-error";

/** Which database to open, and what to call when something happens to it. */
export interface OpenOptions {
  /** Default `DATABASE_NAME`. */
  name?: string;
  /** Default: the browser's. */
  indexedDB?: IDBFactory;
  /** The class of key ranges that belongs to `indexedDB`; default: the browser's. */
  keyRange?: typeof IDBKeyRange;
  /** An older version of the app keeps the database open; opening goes on as soon as it lets go. */
  onBlocked?: () => void;
  /** A newer version of the app wants to open: called just before this connection closes itself. */
  onVersionChange?: () => void;
  /** The browser closed the connection by itself. */
  onTerminated?: () => void;
}

/** Opens the database for reading and writing, bringing it to this version first. */
export declare function openStore(options?: OpenOptions): Promise<Result<Store, StoreError>>;

/** Opens the database for reading only. */
export declare function openReader(
  options?: OpenOptions,
): Promise<Result<{ reader: Reader; close(): void }, StoreError>>;
