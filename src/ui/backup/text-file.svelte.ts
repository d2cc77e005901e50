import type { Result } from "../../protocol";
import { saveBlob } from "../parts/save-blob";
import { backupStrings } from "../strings";
import { dateOf } from "../strings/dates";
import type { BackupStop } from "./write-backup";

/** A file written piece by piece, so its text is never in memory as a whole. */
export interface TextFile {
  write(text: string): Promise<void>;
  /** Ends the file, which is then the user's. */
  close(): Promise<void>;
  /** Gives the file up; nothing of it stays. */
  abort(): Promise<void>;
}

/** Asks for a place to save to. Only some browsers have it, and only in a secure context. */
type ShowSavePicker = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;

/** Text goes into a blob in pieces of this many characters, because browsers keep large blobs on disk. */
const PIECE = 1_000_000;

/**
 * Begins a file. Call it on a press, because the browser may ask where to save. Resolves to undefined if the user
 * cancels.
 */
async function newTextFile(name: string, type: string): Promise<TextFile | undefined> {
  const { showSaveFilePicker } = window as { showSaveFilePicker?: ShowSavePicker };
  if (!showSaveFilePicker) return blobFile(name, type);
  try {
    const handle = await showSaveFilePicker({ suggestedName: name });
    return await handle.createWritable();
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return undefined;
    // Some embedded browsers have the picker and refuse it.
    if (error instanceof DOMException) return blobFile(name, type);
    throw error;
  }
}

function blobFile(name: string, type: string): TextFile {
  const pieces: Blob[] = [];
  let open: string[] = [];
  let letters = 0;
  const put = (): void => {
    pieces.push(new Blob(open));
    open = [];
    letters = 0;
  };
  return {
    write(text) {
      open.push(text);
      letters += text.length;
      if (letters >= PIECE) put();
      return Promise.resolve();
    },
    close() {
      put();
      saveBlob(new Blob(pieces, { type }), name);
      return Promise.resolve();
    },
    abort() {
      pieces.length = 0;
      return Promise.resolve();
    },
  };
}

/** Saves messages as a file, and tells how far it is. */
export class FileExport {
  /** How many messages are written; undefined = nothing is being saved. */
  written = $state<number>();
  /** Why the last file wasn't saved, in words. */
  fault = $state("");
  #aborter: AbortController | undefined;

  stop(): void {
    this.#aborter?.abort();
  }

  /** @returns how many messages were saved; undefined if the user stopped it, or for a fault */
  async save(
    name: string,
    type: string,
    write: (file: TextFile, signal: AbortSignal) => Promise<Result<{ messages: number }, BackupStop>>,
  ): Promise<number | undefined> {
    this.fault = "";
    const file = await newTextFile(name, type);
    if (!file) return undefined;
    const { signal } = (this.#aborter = new AbortController());
    this.written = 0;
    try {
      const done = await write(file, signal);
      if (done.ok) {
        await file.close();
        return done.value.messages;
      }
      await file.abort();
      if (done.error.kind === "unreadable") this.fault = backupStrings.readFault;
    } catch (error) {
      // The disk is full, or the file was moved away.
      if (!(error instanceof DOMException) && !(error instanceof TypeError)) throw error;
      this.fault = backupStrings.writeFault({ text: error.message });
    } finally {
      this.written = undefined;
    }
    return undefined;
  }
}

/** A moment's day (ms) for file names, `2026-11-24`, by the device's clock. */
export function fileDate(ms: number): string {
  const date = dateOf(ms);
  const digits = (number: number): string => String(number).padStart(2, "0");
  return `${String(date.getFullYear())}-${digits(date.getMonth() + 1)}-${digits(date.getDate())}`;
}

/** The longest part of a file name taken from a title, characters. */
const MAX_LETTERS = 60;

/** A view's name as part of a file name, without characters that file systems refuse or interpret. */
export function exportFileName(title: string): string {
  const plain = title
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, MAX_LETTERS);
  return `earshot${plain.startsWith("-") ? "" : "-"}${plain}`.replace(/-$/, "");
}
