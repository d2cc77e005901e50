import type { ServerAddress } from "./address";

/** What a topic server tells of itself in `/v1/stats` (docs/protocol.md §2). */
export interface ServerStats {
  /** How many messages were published at the server in all. */
  messages: number;
  /** How many messages a second were published of late. */
  rate: number;
}

/** URL of the counts of a topic server; not rate limited (docs/protocol.md §2). */
export function statsUrl(address: ServerAddress): string {
  return `${address}/v1/stats`;
}

/** Reads the JSON value of such an answer; undefined if it is something else. */
export function decodeStats(body: unknown): ServerStats | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const { messages, messages_rate: rate = 0 } = body as Record<string, unknown>;
  const isCount = typeof messages === "number" && Number.isSafeInteger(messages) && messages >= 0;
  if (!isCount || typeof rate !== "number" || !Number.isFinite(rate) || rate < 0) return undefined;
  return { messages, rate };
}
