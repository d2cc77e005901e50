import { webAppTables } from "../../client";
import { isAndroidBackup, readAndroidBackup, webAppBackup, type ForeignBackup } from "../../contract";
import { fail, ok, type Result } from "../../protocol";

/** How much of a file shows what it is, bytes. */
const BEGINNING = 200;

/** A larger Android backup, bytes, isn't read: it is parsed in one go, and a page hangs for a second at this size. */
export const MAX_FOREIGN_BYTES = 10_000_000;

/** A backup to read, whatever it was before. */
export interface ReadableBackup extends Omit<ForeignBackup, "text"> {
  file: Blob;
}

type ForeignFault = "too-large" | "not-a-backup" | "cut-backup";

/** Converts a chosen file into a backup. Any other file is passed on, and its reader reports the problem. */
export async function asBackup(file: Blob): Promise<Result<ReadableBackup, ForeignFault>> {
  try {
    const beginning = await file.slice(0, BEGINNING).text();
    if (!isAndroidBackup(beginning)) return ok({ file, credentials: [], leftOut: 0 });
    if (file.size > MAX_FOREIGN_BYTES) return fail("too-large");
    const read = readAndroidBackup(await file.text(), Date.now());
    return read.ok ? ok(readable(read.value)) : read;
  } catch (error) {
    // The file was moved or changed, or its disk is gone.
    if (error instanceof DOMException) return fail("cut-backup");
    throw error;
  }
}

/** Converts what ntfy's web app has stored into a backup; undefined if it can't be read. */
export async function webAppAsBackup(database: string): Promise<ReadableBackup | undefined> {
  const tables = await webAppTables(database);
  return tables && readable(webAppBackup(tables, Date.now()));
}

function readable({ text, ...others }: ForeignBackup): ReadableBackup {
  return { file: new Blob([text]), ...others };
}
