import type { ProtocolEvent } from "../message";
import type { Framing, FramingEnd } from "./frame";
import { LineSplitter } from "./line-splitter";

/** What a raw stream carries: texts, and empty lines for everything that isn't a message (docs/protocol.md §7). */
export type RawFrame =
  { kind: "text"; text: string } | { kind: "blank" } | { kind: "malformed"; error: { kind: "overlong" } };

/**
 * Reads a raw stream: texts without ids, so they can be shown live but not stored (docs/design.md §4, "Transports").
 */
export class RawFraming implements Framing<RawFrame> {
  readonly #lines = new LineSplitter();

  push(chunk: Uint8Array): RawFrame[] {
    return this.#lines.push(chunk).map((line): RawFrame => {
      if (line === null) return { kind: "malformed", error: { kind: "overlong" } };
      return line === "" ? { kind: "blank" } : { kind: "text", text: line };
    });
  }

  end(): FramingEnd {
    return this.#lines.end();
  }
}

/** One line of a raw stream: the text with spaces for its line feeds, or an empty line (docs/protocol.md §7 and 17). */
export function encodeRaw(event: ProtocolEvent): string {
  return event.event === "message" ? `${event.message.replaceAll("\n", " ")}\n` : "\n";
}
