// Fetches a message's file to keep it. Server and file are hostile: false sizes and types, endless bodies, redirects,
// proxies' pages.
import { SAID_TYPE_FIELD, safeType, type WhyNotKept } from "../../contract";
import { credentialHeaders, type Credentials, type ExtraHeaders } from "../../protocol";
import type { Environment, Timer } from "../environment";
import { ANSWER_WITHIN_MS } from "./requests";

/** A stalled body is given up after this, ms. */
const STALL_MS = 30_000;

/** How long, ms, a file may take: 200 MB at 2 Mbit/s. */
const WITHIN_MS = 900_000;

/** A Content-Type longer than this, characters, is ignored. */
const MAX_TYPE = 200;

/** The result of fetching a file: its size, or why it isn't kept and how much came. */
export interface FileAnswer {
  bytes: number;
  why?: WhyNotKept;
  /** The server takes no more requests for now. */
  isBusy?: boolean;
}

export interface FileRequest {
  /** A whole address. */
  url: string;
  /** Sent only if the server asked for them, and only for its own files. */
  credentials: Credentials | undefined;
  /** Those of the server, for a file of its own. */
  headers: ExtraHeaders | undefined;
  /** The type according to the message. */
  type: string | undefined;
  /** A larger file, in bytes, is too large. */
  most: number;
  /** Called with the status of each answer. */
  answered: (status: number) => void;
  /** Keeps the file, whole or not at all: rejects if its body ends with an error. */
  keep: (file: Response) => Promise<void>;
}

/** Fetches a file and keeps it. Never rejects. */
export async function fetchFile(environment: Environment, request: FileRequest): Promise<FileAnswer> {
  const first = await fetchOnce(environment, request, undefined);
  const asksForSignIn = first.why === "refused" && request.credentials !== undefined;
  return asksForSignIn ? fetchOnce(environment, request, request.credentials) : first;
}

async function fetchOnce(
  { fetch, now, setTimer, clearTimer }: Environment,
  { url, type, most, headers: extra, answered, keep }: FileRequest,
  credentials: Credentials | undefined,
): Promise<FileAnswer> {
  const aborter = new AbortController();
  const giveUpAtMs = now() + WITHIN_MS;
  let timer: Timer;
  const giveUpAfter = (ms: number): void => {
    clearTimer(timer);
    timer = setTimer(() => aborter.abort(), Math.min(ms, giveUpAtMs - now()));
  };
  giveUpAfter(ANSWER_WITHIN_MS);
  let bytes = 0;
  try {
    const { status, body, headers } = await fetch(url, {
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
      // A file never changes, so one already shown isn't requested again.
      cache: "force-cache",
      // Messages have priority.
      priority: "low",
      headers: { ...extra, ...credentialHeaders(credentials) },
      signal: aborter.signal,
    });
    answered(status);
    if (status === 404 || status === 410) return { bytes, why: "gone" };
    if (status === 401 || status === 403) return { bytes, why: "refused" };
    if (status !== 200 || !body) return { bytes, why: "failed", isBusy: status === 429 };
    const said = (headers.get("Content-Type") ?? "").slice(0, MAX_TYPE);
    // A proxy's page in place of a file.
    if (isPage(said) && type !== undefined && !isPage(type)) return { bytes, why: "failed" };
    const length = Number(headers.get("Content-Length"));
    if (length > most) return { bytes: length, why: "too-large" };
    const limited = body.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          giveUpAfter(STALL_MS);
          bytes += chunk.byteLength;
          if (bytes > most) controller.error(new Error("too large"));
          else controller.enqueue(chunk);
        },
      }),
      { signal: aborter.signal },
    );
    await keep(new Response(limited, { headers: { "Content-Type": safeType(said), [SAID_TYPE_FIELD]: said } }));
    return { bytes };
  } catch (thrown) {
    // No answer, a redirect, or an answer that this page may not read, or not completely.
    if (bytes > most) return { bytes, why: "too-large" };
    const isFull = thrown instanceof Error && thrown.name === "QuotaExceededError";
    return { bytes, why: isFull ? "disk-full" : "failed" };
  } finally {
    clearTimer(timer);
    aborter.abort();
  }
}

function isPage(type: string): boolean {
  return /^\s*(?:text\/html|application\/xhtml)/i.test(type);
}
