// From bytes to events: lines, frames, and the events in them; and back, for servers.
import { type ErrorBody, readErrorBody } from "./error-body";
import { isStorable } from "./event";
import { fields, isJsonObject, text } from "./guards";
import { MESSAGE, POLL_REQUEST, type ProtocolEvent, SEQUENCE_STEP, SIGNAL, type StorableEvent } from "./message";
import type { StreamFormat } from "./request";

/** The formats of HTTP answers. */
export type HttpFormat = Exclude<StreamFormat, "ws">;

/** Media types of streams and polls (docs/protocol.md §2); an empty poll has its type too. */
export const STREAM_TYPES: Readonly<Record<HttpFormat, string>> = {
  json: "application/x-ndjson",
  sse: "text/event-stream",
  raw: "text/plain",
};

/**
 * Whether a `Content-Type` is that of a format. Proxies change its case, add parameters, and repeat the header, whose
 * values browsers then join with commas. An answer without a type doesn't count, even if its body can be read.
 */
export function isStreamType(format: HttpFormat, contentType: string | null): boolean {
  const [type = ""] = (contentType ?? "").split(/[;,]/, 1);
  return type.trim().toLowerCase() === STREAM_TYPES[format];
}

/** Longest line that is kept, in UTF-16 code units; servers send at most a few thousand (docs/design.md §7). */
export const MAX_LINE_LENGTH = 1024 * 1024;

/** A line without its end, or `null`, once, for a line longer than `MAX_LINE_LENGTH`, which is skipped. */
export type SplitLine = string | null;

/**
 * Cuts a stream of bytes into lines, wherever the chunks are cut. Bytes that aren't UTF-8 become U+FFFD. Holds at most
 * one line, of bounded length.
 *
 * Lines end with LF, with CRLF, and if `loneCr` also with CR (server-sent events).
 */
export class LineSplitter {
  readonly #decoder = new TextDecoder();
  /** The line that has not ended yet; null: it is too long, and nothing of it is kept. */
  #rest: SplitLine = "";
  /** The last chunk ended with a CR that ends a line, so an LF at the start of the next belongs to it. */
  #afterCr = false;

  constructor(private readonly loneCr = false) {}

  /** The lines that end within this chunk. */
  push(chunk: Uint8Array): SplitLine[] {
    let text = this.#decoder.decode(chunk, { stream: true });
    if (text === "") return [];
    if (this.#afterCr && text.startsWith("\n")) text = text.slice(1);
    this.#afterCr = this.loneCr && text.endsWith("\r");
    const lines: SplitLine[] = [];
    const parts = this.loneCr ? text.split(/\r\n|\r|\n/) : text.split("\n");
    const last = parts.pop() ?? "";
    for (const part of parts) {
      this.#keep(part, lines);
      if (this.#rest !== null) lines.push(this.#rest.endsWith("\r") ? this.#rest.slice(0, -1) : this.#rest);
      this.#rest = "";
    }
    this.#keep(last, lines);
    return lines;
  }

  /** Whether the last line was complete; if not, it is dropped. */
  end(): boolean {
    return this.#decoder.decode() === "" && this.#rest === "";
  }

  #keep(part: string, lines: SplitLine[]): void {
    if (this.#rest === null) return;
    this.#rest += part;
    if (this.#rest.length <= MAX_LINE_LENGTH) return;
    this.#rest = null;
    lines.push(null);
  }
}

/** What a stream of events carries. */
export type Frame =
  | { kind: "event"; event: ProtocolEvent }
  /** An event of a newer server, to be skipped silently. */
  | { kind: "unknown" }
  /** A line or server-sent event that was skipped and is counted. */
  | { kind: "malformed" }
  /** An error of the server, after which the stream ends (docs/protocol.md §7). */
  | { kind: "error"; body: ErrorBody }
  /** An empty line or comment, which only shows that the stream is alive. */
  | { kind: "blank" };

export const MALFORMED = { kind: "malformed" } as const;

/** Real messages nest three levels deep. Deeper ones could overflow the stack when they are cloned. */
const MAX_DEPTH = 32;

/** The events, by kind (docs/protocol.md §6 and 17). Fields that aren't listed are kept unchecked. */
const EVENTS: Readonly<Record<ProtocolEvent["event"], (value: unknown) => boolean>> = {
  open: fields(SIGNAL),
  keepalive: fields(SIGNAL),
  poll_request: fields(POLL_REQUEST),
  message_delete: fields(SEQUENCE_STEP),
  message_clear: fields(SEQUENCE_STEP),
  message: fields(MESSAGE),
};

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const entry of Object.values(value)) if (isDeeperThan(entry, levels - 1)) return true;
  return false;
}

/** The frame in a parsed value (docs/protocol.md §6 and 17). An event is the object itself, with unknown fields. */
function frameIn(value: unknown): Frame {
  if (!isJsonObject(value)) return MALFORMED;
  const kind = value["event"];
  const body = kind === undefined ? readErrorBody(value) : undefined;
  if (body) return { kind: "error", body };
  if (text(kind) && !Object.hasOwn(EVENTS, kind)) return { kind: "unknown" };
  const isEvent = text(kind) && EVENTS[kind as ProtocolEvent["event"]](value) && !isDeeperThan(value, MAX_DEPTH);
  return isEvent ? { kind: "event", event: value as unknown as ProtocolEvent } : MALFORMED;
}

/** A value that is an event; undefined if it is anything else. */
export function decodeEvent(value: unknown): ProtocolEvent | undefined {
  const frame = frameIn(value);
  return frame.kind === "event" ? frame.event : undefined;
}

/** Reads one line of JSON, or the data of one server-sent event (docs/protocol.md §7). `null`: it was too long. */
export function decodeLine(line: string | null): Frame {
  if (line === "") return { kind: "blank" };
  try {
    return line === null ? MALFORMED : frameIn(JSON.parse(line));
  } catch {
    return MALFORMED;
  }
}

/** An incremental parser: bytes in, frames out, wherever the chunks are cut. It never throws. */
export interface Framing<AnyFrame = Frame> {
  push(chunk: Uint8Array): AnyFrame[];
  /** Whether nothing is missing: the stream ended after a line end. */
  end(): boolean;
}

/** The frame in one WebSocket text frame: an object, usually with a final line feed (docs/protocol.md §7). */
export function frameOfText(text: string): Frame {
  return text.length > MAX_LINE_LENGTH ? MALFORMED : decodeLine(text.trim());
}

/** Reads a stream in which each line is a frame, such as one of JSON lines (docs/protocol.md §7). */
export function lineFraming<AnyFrame>(frameOf: (line: SplitLine) => AnyFrame): Framing<AnyFrame> {
  const lines = new LineSplitter();
  return { push: (chunk) => lines.push(chunk).map((line) => frameOf(line)), end: () => lines.end() };
}

/** An object as it is sent: `sequence_id` is left out if equal to `id` (docs/protocol.md §17). */
function encodeObject(event: ProtocolEvent): string {
  const { sequence_id } = event as Partial<StorableEvent>;
  return JSON.stringify(sequence_id === event.id ? { ...event, sequence_id: undefined } : event);
}

/** One line of a JSON stream (docs/protocol.md §7). */
export function encodeJson(event: ProtocolEvent): string {
  return `${encodeObject(event)}\n`;
}

/** What a raw stream carries: texts, and empty lines for everything that isn't a message (docs/protocol.md §7). */
export type RawFrame = { kind: "text"; text: string } | { kind: "blank" | "malformed" };

/** The frame in one line of a raw stream: a text without id, which is never stored (docs/design.md §4, "Transports"). */
export function frameOfRawLine(line: SplitLine): RawFrame {
  if (line === null) return MALFORMED;
  return line === "" ? { kind: "blank" } : { kind: "text", text: line };
}

/** One line of a raw stream: the text with spaces for its line feeds, or an empty line (docs/protocol.md §7 and 17). */
export function encodeRaw(event: ProtocolEvent): string {
  return event.event === "message" ? `${event.message.replaceAll("\n", " ")}\n` : "\n";
}

/**
 * Reads server-sent events (docs/protocol.md §7; line ends, comments and fields by the HTML standard, "Parsing an event
 * stream"). The object in `data` says what it is, so `event` is ignored; `id` and `retry` are never sent.
 */
export class SseFraming implements Framing {
  readonly #lines = new LineSplitter(true);
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

  /** Ends the stream. An event that no blank line ended is dropped, as the standard requires. */
  end(): boolean {
    return this.#lines.end() && !this.#open;
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
    if (data) frames.push(decodeLine(data));
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
