/** Longest line that is kept, in UTF-16 code units; what servers send is a few thousand (docs/design.md §7). */
export const MAX_LINE_LENGTH = 1024 * 1024;

/** A line without its end, or, once per line, `null` for one that was longer than `MAX_LINE_LENGTH` and skipped. */
export type SplitLine = string | null;

/**
 * Cuts a stream of bytes into lines, wherever the chunks are cut. Bytes that aren't UTF-8 become U+FFFD. Holds at most
 * one line, of bounded length.
 *
 * Lines end with LF, with CRLF, and if `loneCr` also with CR (server-sent events).
 */
export class LineSplitter {
  readonly #loneCr: boolean;
  readonly #decoder = new TextDecoder();
  /** The line that has not ended yet; null: it is too long, so nothing of it is kept. */
  #rest: SplitLine = "";
  /** The last chunk ended with a CR that ends a line, so an LF at the start of the next belongs to it. */
  #afterCr = false;

  constructor({ loneCr = false }: { loneCr?: boolean } = {}) {
    this.#loneCr = loneCr;
  }

  /** The lines that end within this chunk. */
  push(chunk: Uint8Array): SplitLine[] {
    let text = this.#decoder.decode(chunk, { stream: true });
    if (text === "") return [];
    if (this.#afterCr && text.startsWith("\n")) text = text.slice(1);
    this.#afterCr = this.#loneCr && text.endsWith("\r");
    const lines: SplitLine[] = [];
    const parts = this.#loneCr ? text.split(/\r\n|\r|\n/) : text.split("\n");
    const last = parts.pop() ?? "";
    for (const part of parts) {
      this.#keep(part, lines);
      if (this.#rest !== null) lines.push(this.#rest.endsWith("\r") ? this.#rest.slice(0, -1) : this.#rest);
      this.#rest = "";
    }
    this.#keep(last, lines);
    return lines;
  }

  /** Whether the last line had its end; what follows the last end is dropped. */
  end(): { whole: boolean } {
    return { whole: this.#decoder.decode() === "" && this.#rest === "" };
  }

  #keep(part: string, lines: SplitLine[]): void {
    if (this.#rest === null) return;
    this.#rest += part;
    if (this.#rest.length <= MAX_LINE_LENGTH) return;
    this.#rest = null;
    lines.push(null);
  }
}
