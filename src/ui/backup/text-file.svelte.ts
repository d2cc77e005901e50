import { onDestroy } from "svelte";
import { saveBlob } from "../parts/save-blob";
import { backupStrings } from "../strings";
import { type FilePiece, Unreadable } from "./write-backup";

/** Text goes into a blob in pieces of this many characters, because browsers keep large blobs on disk. */
const PIECE = 1_000_000;

/** Saves messages as a file, and shows progress. */
export class FileExport {
  /** How many messages are written; undefined = nothing is being saved. */
  written = $state<number>();
  /** Why the last file wasn't saved, in words. */
  fault = $state("");
  #aborter: AbortController | undefined;

  /** Stops when the component that made it goes. */
  constructor() {
    onDestroy(() => this.stop());
  }

  stop(): void {
    this.#aborter?.abort();
  }

  /** @returns how many messages were saved; undefined if the user stopped it, or on a fault */
  async save(name: string, type: string, pieces: AsyncIterable<FilePiece>): Promise<number | undefined> {
    const { signal } = (this.#aborter = new AbortController());
    const blobs: Blob[] = [];
    let open = "";
    let messages = 0;
    this.fault = "";
    this.written = 0;
    try {
      for await (const piece of pieces) {
        if (signal.aborted) return undefined;
        this.written = messages = piece.messages;
        open += piece.text;
        if (open.length < PIECE) continue;
        blobs.push(new Blob([open]));
        open = "";
      }
      saveBlob(new Blob([...blobs, open], { type }), name);
      return messages;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.fault = backupStrings.readFault;
      return undefined;
    } finally {
      this.written = undefined;
    }
  }
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
