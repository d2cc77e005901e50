import {
  type Failure,
  type Credentials,
  type Framing,
  type HttpFormat,
  type SubscribeRequest,
  isStreamType,
  subscribeUrl,
} from "../../protocol";
import { linkedAbort } from "../abort";
import type { Requests } from "./requests";
import { Watchdog } from "./watchdog";

/** How much of an unexpected `Content-Type` is kept for the connection details, characters. */
const MAX_TYPE_TEXT = 100;

/**
 * What a chunk's frames show: that the server is alive; nothing, because no frame so far was of the protocol; or that
 * reading on is useless.
 */
export type ChunkVerdict = "alive" | "strange" | "enough";

/** Takes the frames of an answer, chunk by chunk; a chunk may end none. */
export interface FrameTaker<AnyFrame> {
  take(frames: AnyFrame[]): ChunkVerdict;
}

/** What to ask for, and what becomes of the answer. */
export interface FramesRequest<AnyFrame> extends Omit<SubscribeRequest, "address" | "auth" | "format"> {
  format: HttpFormat;
  credentials?: Credentials | undefined;
  framing: Framing<AnyFrame>;
  taker: FrameTaker<AnyFrame>;
  /** Called if the server says that it sends only the newest part of what was asked for. */
  truncated?: () => void;
  /** How long a started answer may be silent, ms. Absent for a `StreamAttempt`, which watches its transport itself. */
  silenceMs?: number;
  signal?: AbortSignal | undefined;
}

/**
 * Requests a stream or a poll and reads it to its end (docs/protocol.md §2 to 4 and 7). Resolves to `whole` if nothing
 * is missing: the server closed the answer after a complete last line. Otherwise resolves to why not; what came before
 * was still taken. Never throws.
 */
export async function receiveFrames<AnyFrame>(
  requests: Requests,
  request: FramesRequest<AnyFrame>,
): Promise<Failure | "whole"> {
  const { aborter, unlink } = linkedAbort(request.signal);
  const end = await receiveUntil(requests, request, aborter);
  unlink();
  return end;
}

async function receiveUntil<AnyFrame>(
  requests: Requests,
  { credentials, framing, taker, truncated, silenceMs, ...asked }: FramesRequest<AnyFrame>,
  aborter: AbortController,
): Promise<Failure | "whole"> {
  const answer = await requests.send({
    url: (auth) => subscribeUrl({ address: requests.address, ...asked, ...(auth && { auth }) }),
    credentials,
    signal: aborter.signal,
  });
  if (!answer.ok) return answer.error;
  const { headers, body } = answer.value;
  const type = headers.get("Content-Type");
  // Any other type is the sign-in page of a guest network, or something else at the address, whatever its status.
  if (!isStreamType(asked.format, type)) {
    // If the connection breaks meanwhile, there is nothing to cancel.
    void body?.cancel().catch(() => undefined);
    return { kind: "malformed", text: (type ?? "no Content-Type").slice(0, MAX_TYPE_TEXT) };
  }
  if (headers.get("X-Messages-Truncated") === "1") truncated?.();
  let end: Failure = { kind: "ended" };
  const die = (): void => {
    end = { kind: "silent" };
    aborter.abort();
  };
  const watchdog = silenceMs === undefined ? undefined : new Watchdog(requests.environment, () => silenceMs, die);
  const isWhole = await readFrames(body, framing, taker, watchdog);
  watchdog?.stop();
  return isWhole ? "whole" : end;
}

/** Reads to the end; a broken connection counts as one. Resolves to whether nothing is missing. */
async function readFrames<AnyFrame>(
  body: ReadableStream<Uint8Array> | null,
  framing: Framing<AnyFrame>,
  taker: FrameTaker<AnyFrame>,
  watchdog: Watchdog | undefined,
): Promise<boolean> {
  const reader = body?.getReader();
  for (;;) {
    const chunk = reader ? await reader.read().catch(() => undefined) : { done: true as const };
    if (!chunk) return false;
    if (chunk.done) return framing.end().whole;
    const taken = taker.take(framing.push(chunk.value));
    if (taken !== "strange") watchdog?.feed();
    if (taken !== "enough") continue;
    void reader?.cancel().catch(() => undefined);
    return false;
  }
}
