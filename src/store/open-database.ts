import { wrap } from "idb";
import { fail, ok, type Result } from "../protocol";
import type { Database } from "./database";

import { DATABASE_NAME, migrate, SCHEMA_VERSION } from "./migrations";
import { storeErrorOf, type StoreError } from "./store-error";

/** Which database to open, and what to call when something happens to it. */
export interface OpenOptions {
  /** Default `DATABASE_NAME`. */
  name?: string;
  /** Default: the browser's. Its classes must be the global ones, by which `idb` recognises its objects. */
  indexedDB?: IDBFactory;
  /** Called just before this connection closes itself, or when the browser has closed it. */
  onEnd?: (why: DatabaseEnd) => void;
}

/** A newer version needs the database, someone deleted it, or the browser closed it. */
export type DatabaseEnd = "newer-version" | "deleted" | "unreadable";

/** Whether the database has this version; undefined: it isn't there. Service workers leave migrations to pages. */
export async function isThisVersion(): Promise<boolean | undefined> {
  const all = await indexedDB.databases().catch(() => undefined);
  const there = all?.find(({ name }) => name === DATABASE_NAME);
  return all && !there ? undefined : there?.version === SCHEMA_VERSION;
}

/**
 * Opens the database, after creating it or migrating it to this version, once no older version of the app has it open.
 * A newer one is left as it is.
 */
export function openDatabase(options: OpenOptions = {}): Promise<Result<Database, StoreError>> {
  const { name = DATABASE_NAME, onEnd } = options;
  // Without IndexedDB not even the global exists.
  const factory = options.indexedDB ?? (globalThis.indexedDB as IDBFactory | undefined);
  if (!factory) {
    return Promise.resolve(fail({ kind: "unavailable", text: "This browser has no IndexedDB." }));
  }
  return new Promise((resolve) => {
    const refuse = (thrown: unknown) => {
      const error = storeErrorOf(thrown) ?? { kind: "failed", text: String(thrown) };
      // While opening, an error without a name of its own means that the database is unavailable.
      resolve(fail(error.kind === "failed" ? { kind: "unavailable", text: error.text } : error));
    };
    let request: IDBOpenDBRequest;
    try {
      request = factory.open(name, SCHEMA_VERSION);
    } catch (thrown) {
      return refuse(thrown);
    }
    let upgrade: IDBTransaction | null = null;
    request.onupgradeneeded = ({ oldVersion }) => {
      upgrade = request.transaction;
      if (upgrade) migrate(request.result, upgrade, oldVersion);
    };
    // The request itself only knows that its upgrade was aborted, not that the disk was full.
    request.onerror = () => refuse(upgrade?.error ?? request.error);
    request.onsuccess = () => {
      const raw = request.result;
      raw.onversionchange = ({ newVersion }) => {
        onEnd?.(newVersion === null ? "deleted" : "newer-version");
        raw.close();
      };
      raw.onclose = () => onEnd?.("unreadable");
      resolve(ok(wrap(raw) as unknown as Database));
    };
  });
}
