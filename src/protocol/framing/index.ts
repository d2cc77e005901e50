import type { StreamFormat } from "../request";

/** The formats that an HTTP answer can have. */
export type HttpFormat = Exclude<StreamFormat, "ws">;

/** Media types of streams and polls (docs/protocol.md §2); an empty poll has its type too. */
export const STREAM_TYPES: Readonly<Record<HttpFormat, string>> = {
  json: "application/x-ndjson",
  sse: "text/event-stream",
  raw: "text/plain",
};

/**
 * Whether a `Content-Type` is that of a format. Proxies change its case, add parameters, and repeat the header, whose
 * values a browser joins by commas. An answer without a type doesn't count, even if its body can be read.
 */
export function isStreamType(format: HttpFormat, contentType: string | null): boolean {
  const [type = ""] = (contentType ?? "").split(/[;,]/, 1);
  return type.trim().toLowerCase() === STREAM_TYPES[format];
}

export * from "./frame";
export * from "./line-splitter";
export * from "./sse";
