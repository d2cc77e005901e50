import type { StorableEvent, ProtocolEvent } from "../message";
import { type Frame, type Framing, type FramingEnd, frameOfLine } from "./frame";
import { LineSplitter } from "./line-splitter";

/** Reads a stream of JSON lines (docs/protocol.md §7). */
export class JsonFraming implements Framing {
  readonly #lines = new LineSplitter();

  push(chunk: Uint8Array): Frame[] {
    return this.#lines.push(chunk).map(frameOfLine);
  }

  end(): FramingEnd {
    return this.#lines.end();
  }
}

/** An object as it is sent: `sequence_id` is left out if equal to `id` (docs/protocol.md §17). */
export function encodeObject(event: ProtocolEvent): string {
  const { sequence_id } = event as Partial<StorableEvent>;
  return JSON.stringify(sequence_id === event.id ? { ...event, sequence_id: undefined } : event);
}

/** One line of a JSON stream (docs/protocol.md §7). */
export function encodeJson(event: ProtocolEvent): string {
  return `${encodeObject(event)}\n`;
}
