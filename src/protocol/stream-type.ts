import type { StreamFormat } from "./request";

/** The formats that an HTTP answer can have. */
export type HttpFormat = Exclude<StreamFormat, "ws">;

/** Media types of streams and polls (docs/protocol.md §2); an empty poll has its type too. */
export const STREAM_TYPES: Readonly<Record<HttpFormat, string>> = {
  json: "application/x-ndjson",
  sse: "text/event-stream",
  raw: "text/plain",
};

/**
 * Whether a `Content-Type` is that of a format. Proxies change the case, add parameters, and repeat the header, whose
 * values a browser joins by commas. Without one it is none: that a body can be read does not make it an answer of ours.
 */
export function isStreamType(format: HttpFormat, contentType: string | null): boolean {
  const [type = ""] = (contentType ?? "").split(/[;,]/, 1);
  return type.trim().toLowerCase() === STREAM_TYPES[format];
}
