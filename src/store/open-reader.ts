import { ok, type Result } from "../protocol";
import { readerOf } from "./indexeddb-reader";
import { openDatabase, type OpenOptions } from "./open-database";
import type { Reader } from "./reader";
import type { StoreError } from "./store-error";

/** A page's open database. It only reads, so that the page's bundle has no writing code. */
export interface OpenReader {
  reader: Reader;
  close(): void;
}

/** Opens the database for reading. */
export async function openReader(options?: OpenOptions): Promise<Result<OpenReader, StoreError>> {
  const opened = await openDatabase(options);
  if (!opened.ok) return opened;
  const database = opened.value;
  return ok({ reader: readerOf(database), close: () => database.close() });
}
