import { isStorable } from "../event";
import type { ProtocolEvent } from "../message";
import { type Frame, type Framing, type FramingEnd, frameOfLine, MALFORMED, encodeObject } from "./frame";
import { type SplitLine, LineSplitter, MAX_LINE_LENGTH } from "./line-splitter";

/**
 * Reads server-sent events (docs/protocol.md §7; line ends, comments and fields by the HTML standard, "Parsing an event
 * stream"). The object in `data` says what it is, so `event` is ignored; `id` and `retry` are never sent.
 */
export class SseFraming implements Framing {
  readonly #lines = new LineSplitter({ loneCr: true });
  /** Values of the `data` lines since the last blank line; absent = none yet. */
  #data: string[] | undefined;
  #dataLength = 0;
  /** The current event is too long: the rest of it is skipped, and this is reported once. */
  #skipping = false;
  /** Whether fields came since the last blank line. */
  #open = false;

  push(chunk: Uint8Array): Frame[] {
    const frames: Frame[] = [];
    for (const line of this.#lines.push(chunk)) this.#read(line, frames);
    return frames;
  }

  /** Ends the stream. An event that no blank line ended is dropped, as the standard demands. */
  end(): FramingEnd {
    return { whole: this.#lines.end().whole && !this.#open };
  }

  #read(line: SplitLine, frames: Frame[]): void {
    if (line === "") return this.#dispatch(frames);
    if (line?.startsWith(":")) {
      frames.push({ kind: "blank" });
      return;
    }
    this.#open = true;
    if (line === null) return this.#skip(frames);
    const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field !== "data" || this.#skipping) return;
    this.#dataLength += value.length + 1;
    if (this.#dataLength > MAX_LINE_LENGTH) return this.#skip(frames);
    (this.#data ??= []).push(value);
  }

  #skip(frames: Frame[]): void {
    if (!this.#skipping) frames.push(MALFORMED);
    this.#skipping = true;
    this.#data = undefined;
  }

  #dispatch(frames: Frame[]): void {
    const data = this.#data?.join("\n");
    // Without data there is no event, only a blank line.
    if (data) frames.push(frameOfLine(data));
    this.#data = undefined;
    this.#dataLength = 0;
    this.#skipping = false;
    this.#open = false;
  }
}

/** One server-sent event: signals and poll requests are named, storable events aren't (docs/protocol.md §7 and 17). */
export function encodeSse(event: ProtocolEvent): string {
  const name = isStorable(event) ? "" : `event: ${event.event}\n`;
  return `${name}data: ${encodeObject(event)}\n\n`;
}
