/** Longest line that is kept, in bytes; what servers send is a few kilobytes (docs/design.md §7). */
export const MAX_LINE_BYTES = 1024 * 1024;

const LF = 10;
const CR = 13;
const BOM = "\uFEFF";
/** Most lines fit in this many bytes; the buffer doubles as needed. */
const FIRST_BUFFER_BYTES = 1024;

/** A line without its end, or, once per line, `null` for one that was longer than `MAX_LINE_BYTES` and skipped. */
export type SplitLine = string | null;

/**
 * Cuts a stream of bytes into lines, wherever the chunks are cut. Only whole lines are decoded, so a character cut in
 * two is no problem; bytes that aren't UTF-8 become U+FFFD. Holds at most one line, of bounded length.
 *
 * Lines end with LF, with CRLF, and if `loneCr` also with CR (server-sent events).
 */
export class LineSplitter {
  readonly #loneCr: boolean;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** Bytes of the line that has not ended yet. */
  #rest = new Uint8Array(FIRST_BUFFER_BYTES);
  #restLength = 0;
  /** The current line is too long: nothing of it is kept until it ends. */
  #skipping = false;
  /** The last chunk ended with a CR that ends a line, so an LF at the start of the next belongs to it. */
  #afterCr = false;
  #atStart = true;

  constructor({ loneCr = false }: { loneCr?: boolean } = {}) {
    this.#loneCr = loneCr;
  }

  /** The lines that end within this chunk. */
  push(chunk: Uint8Array): SplitLine[] {
    let bytes = chunk;
    if (this.#afterCr && bytes.length > 0) {
      if (bytes[0] === LF) bytes = bytes.subarray(1);
      this.#afterCr = false;
    }
    const lines: SplitLine[] = [];
    const first = this.#findEnd(bytes, 0);
    if (first < 0) {
      this.#keep(bytes, lines);
      return lines;
    }
    let from = 0;
    if (this.#skipping || this.#restLength > 0) {
      // This end belongs to a line that began in an earlier chunk.
      this.#keep(bytes.subarray(0, first), lines);
      if (!this.#skipping) this.#decode(this.#rest.subarray(0, this.#restLength), lines);
      this.#skipping = false;
      this.#restLength = 0;
      from = this.#afterEnd(bytes, first);
    }
    const end = this.#lastEnd(bytes);
    if (end >= from) this.#splitWhole(bytes, from, end, lines);
    this.#afterCr = this.#loneCr && end === bytes.length - 1 && bytes[end] === CR;
    this.#keep(bytes.subarray(end + 1), lines);
    return lines;
  }

  /** Whether the last line had its end; what follows the last end is dropped. */
  end(): { whole: boolean } {
    return { whole: this.#restLength === 0 && !this.#skipping };
  }

  /** Decodes the whole lines up to the line end at `end`, many at once, which is much cheaper than one by one. */
  #splitWhole(bytes: Uint8Array, from: number, end: number, lines: SplitLine[]): void {
    while (from <= end) {
      const block = bytes.subarray(from, Math.min(end, from + MAX_LINE_BYTES) + 1);
      const last = this.#lastEnd(block);
      if (last < 0) {
        this.#skip(lines);
        from = this.#afterEnd(bytes, this.#findEnd(bytes, from));
      } else {
        // A cut at CRLF must remove both characters.
        const crlf = this.#loneCr && block[last] === LF && last > 0 && block[last - 1] === CR;
        this.#decode(block.subarray(0, crlf ? last - 1 : last), lines);
        from = this.#afterEnd(bytes, from + last);
      }
    }
  }

  #decode(bytes: Uint8Array, lines: SplitLine[]): void {
    let text = this.#decoder.decode(bytes);
    if (this.#atStart) {
      this.#atStart = false;
      if (text.startsWith(BOM)) text = text.slice(1);
    }
    for (const line of this.#loneCr ? text.split(/\r\n|\r|\n/) : text.split("\n")) {
      lines.push(line.endsWith("\r") ? line.slice(0, -1) : line);
    }
  }

  #keep(bytes: Uint8Array, lines: SplitLine[]): void {
    if (this.#skipping || bytes.length === 0) return;
    const length = this.#restLength + bytes.length;
    if (length > MAX_LINE_BYTES) {
      this.#skipping = true;
      this.#restLength = 0;
      this.#rest = new Uint8Array(FIRST_BUFFER_BYTES);
      this.#skip(lines);
      return;
    }
    if (length > this.#rest.length) {
      const grown = new Uint8Array(Math.max(length, this.#rest.length * 2));
      grown.set(this.#rest.subarray(0, this.#restLength));
      this.#rest = grown;
    }
    this.#rest.set(bytes, this.#restLength);
    this.#restLength = length;
  }

  #skip(lines: SplitLine[]): void {
    this.#atStart = false;
    lines.push(null);
  }

  #findEnd(bytes: Uint8Array, from: number): number {
    const lf = bytes.indexOf(LF, from);
    const cr = this.#loneCr ? bytes.indexOf(CR, from) : -1;
    return cr < 0 || (lf >= 0 && lf < cr) ? lf : cr;
  }

  #lastEnd(bytes: Uint8Array): number {
    return Math.max(bytes.lastIndexOf(LF), this.#loneCr ? bytes.lastIndexOf(CR) : -1);
  }

  #afterEnd(bytes: Uint8Array, end: number): number {
    return this.#loneCr && bytes[end] === CR && bytes[end + 1] === LF ? end + 2 : end + 1;
  }
}
