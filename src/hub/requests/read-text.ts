import { isJsonObject } from "../../protocol";
import type { Clock } from "../environment";

/** A longer answer is a proxy's page: these answers have hundreds of bytes, a message at most thousands. */
const MAX_BYTES = 65_536;

/** An account lists its topics, some hundred bytes each: this is room for 10,000. */
export const MAX_ACCOUNT_BYTES = 4_000_000;

/** An answer that isn't complete, or a file that was silent, for this long, ms, is cut off. */
const CUT_AFTER_MS = 15_000;

/**
 * The beginning of an answer's body, and whether it was cut off, because it is longer or slow. Rejects if the network
 * fails.
 */
export async function readBeginning(
  response: Response,
  clock: Clock,
  mostBytes: number,
  kind: "answer" | "file",
): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  const reader = response.body?.getReader();
  let bytes = new Uint8Array(Math.min(mostBytes, 4_096));
  let length = 0;
  let isCut = false;
  const cut = (): void => {
    isCut = true;
    void reader?.cancel().catch(() => undefined);
  };
  let timer = clock.setTimer(cut, CUT_AFTER_MS);
  try {
    for (let chunk = await reader?.read(); chunk?.value; chunk = await reader?.read()) {
      const fitting = chunk.value.subarray(0, mostBytes - length);
      if (length + fitting.length > bytes.length) {
        const longer = new Uint8Array(Math.min(mostBytes, 2 * (length + fitting.length)));
        longer.set(bytes);
        bytes = longer;
      }
      bytes.set(fitting, length);
      length += fitting.length;
      if (fitting.length < chunk.value.length) cut();
      if (kind === "answer") continue;
      clock.clearTimer(timer);
      timer = clock.setTimer(cut, CUT_AFTER_MS);
    }
  } finally {
    clock.clearTimer(timer);
  }
  return { bytes: bytes.subarray(0, length), isCut };
}

/** The text of an answer, cut off if too long or slow; empty if the connection broke. Never throws. */
export async function readText(response: Response, clock: Clock, mostBytes = MAX_BYTES): Promise<string> {
  const read = await readBeginning(response, clock, mostBytes, "answer").catch(() => undefined);
  return new TextDecoder().decode(read?.bytes, { stream: true });
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
