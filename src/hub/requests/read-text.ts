import { isJsonObject } from "../../protocol";
import type { Clock } from "../environment";

/** A longer answer is a proxy's page: these answers have hundreds of bytes, a message at most thousands. */
const MAX_BYTES = 65_536;

/** An account lists its topics, some hundred bytes each: this is room for 10,000. */
export const MAX_ACCOUNT_BYTES = 4_000_000;

/** An answer that isn't complete after this, ms, is cut off. */
const END_WITHIN_MS = 15_000;

/** The text of an answer, cut off if too long or slow; empty if the connection broke. Never throws. */
export async function readText(response: Response, clock: Clock, mostBytes = MAX_BYTES): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return "";
  const stop = (): void => void reader.cancel().catch(() => undefined);
  const timer = clock.setTimer(stop, END_WITHIN_MS);
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const chunk = await reader.read().catch(() => undefined);
    if (!chunk) text = "";
    if (!chunk || chunk.done) break;
    bytes += chunk.value.byteLength;
    text += decoder.decode(chunk.value, { stream: true });
    if (bytes > mostBytes) stop();
  }
  clock.clearTimer(timer);
  return text;
}

/** The JSON value of a short answer; undefined if it isn't JSON. */
export async function readJson(response: Response, clock: Clock, mostBytes = MAX_BYTES): Promise<unknown> {
  const text = await readText(response, clock, mostBytes);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A field of a parsed answer; undefined if it isn't there. */
export function saidOf(body: unknown, field: "healthy" | "success"): boolean | undefined {
  const value = isJsonObject(body) ? body[field] : undefined;
  return typeof value === "boolean" ? value : undefined;
}
