import type { Clock } from "./environment";

/** More is a page of a proxy; the answers read this way have some hundred bytes, a message at most some thousand. */
const MAX_BYTES = 65_536;

/** An answer that stops in the middle ends after this, ms. */
const END_WITHIN_MS = 15_000;

/** The text of a short answer, cut off where it becomes too long or too slow; empty if the connection broke. Never throws. */
export async function readText(response: Response, clock: Clock): Promise<string> {
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
    if (bytes > MAX_BYTES) stop();
  }
  clock.clearTimer(timer);
  return text;
}

/** The same, as JSON; undefined if it is none. */
export async function readJson(response: Response, clock: Clock): Promise<unknown> {
  const text = await readText(response, clock);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a parsed answer says yes in this field. */
export function saysYes(body: unknown, field: "healthy" | "success"): boolean {
  return typeof body === "object" && body !== null && (body as Record<string, unknown>)[field] === true;
}
