import { saveBlob } from "../parts/save-blob";

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
export async function newTextFile(name: string, type: string): Promise<TextFile | undefined> {
  const { showSaveFilePicker } = window as { showSaveFilePicker?: ShowSavePicker };
  if (!showSaveFilePicker) return blobFile(name, type);
  try {
    const handle = await showSaveFilePicker({ suggestedName: name });
    const stream = await handle.createWritable();
    return {
      write: (text) => stream.write(text),
      close: () => stream.close(),
      abort: () => stream.abort(),
    };
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
