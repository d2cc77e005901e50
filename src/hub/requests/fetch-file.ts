// Fetches a message's file to keep it. Server and file are hostile: false sizes and types, endless bodies, redirects,
// pages of proxies.
import type { WhyNotKept } from "../../contract";
import { credentialHeaders, type Credentials, type ExtraHeaders } from "../../protocol";
import type { Environment } from "../environment";
import { ANSWER_WITHIN_MS } from "./requests";

/** After how long, ms, a stalled body is given up. */
const STALL_MS = 30_000;

/** How long, ms, a body may take: 200 MB at 2 Mbit/s. */
const WITHIN_MS = 900_000;

/** A longer Content-Type, characters, is ignored. */
const MAX_TYPE = 200;

/** The result of fetching a file. */
export type FileAnswer =
  | {
      kind: "file";
      body: ReadableStream<Uint8Array<ArrayBuffer>>;
      type: string;
      size: () => number;
      why: () => WhyNotKept;
    }
  /** `busy`: the server takes no more requests for now. */
  | { kind: "none"; why: WhyNotKept; busy?: true };

export interface FileRequest {
  /** A whole address. */
  url: string;
  /** Sent only if the server asked for them, and only for its own files. */
  credentials: Credentials | undefined;
  /** Those of the server, for a file of its own. */
  headers: ExtraHeaders | undefined;
  /** The type that the message gives. */
  type: string | undefined;
  /** Larger, in bytes, is too large; it may shrink while the file comes. */
  most: () => number;
  /** Told of the status of each answer. */
  answered: (status: number) => void;
}

/** Asks for a file. Its body ends with an error if it gets too large or too slow; `why` then says which. */
export async function fetchFile(environment: Environment, request: FileRequest): Promise<FileAnswer> {
  const first = await ask(environment, request, undefined);
  const asksForSignIn = first.kind === "none" && first.why === "refused" && request.credentials !== undefined;
  return asksForSignIn ? ask(environment, request, request.credentials) : first;
}

async function ask(
  environment: Environment,
  { url, type, most, headers: extra, answered: told }: FileRequest,
  credentials: Credentials | undefined,
): Promise<FileAnswer> {
  const aborter = new AbortController();
  let timer = environment.setTimer(() => aborter.abort(), ANSWER_WITHIN_MS);
  const end = (why: WhyNotKept, busy?: true): FileAnswer => {
    environment.clearTimer(timer);
    aborter.abort();
    return { kind: "none", why, ...(busy && { busy }) };
  };
  let response: Response;
  try {
    response = await environment.fetch(url, {
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
      // A file never changes, so one that was shown is not asked for again.
      cache: "force-cache",
      // Messages go first.
      priority: "low",
      headers: { ...extra, ...credentialHeaders(credentials) },
      signal: aborter.signal,
    });
  } catch {
    // There was no answer, or a redirect, or one that this page may not read.
    return end("failed");
  }
  const { status, body, headers } = response;
  told(status);
  if (status === 404 || status === 410) return end("gone");
  if (status === 401 || status === 403) return end("refused");
  if (status !== 200 || !body) return end("failed", status === 429 || status === 503 ? true : undefined);
  const answered = (headers.get("Content-Type") ?? "").slice(0, MAX_TYPE);
  // The page of a proxy instead of a file.
  if (isPage(answered) && type !== undefined && !isPage(type)) return end("failed");
  if (Number(headers.get("Content-Length")) > most()) return end("too-large");
  environment.clearTimer(timer);

  let size = 0;
  let why: WhyNotKept = "failed";
  const latestMs = environment.now() + WITHIN_MS;
  const reader = body.getReader();
  const stop = (stopped: WhyNotKept, controller: ReadableStreamDefaultController): void => {
    why = stopped;
    environment.clearTimer(timer);
    aborter.abort();
    void reader.cancel().catch(() => undefined);
    controller.error(new Error(stopped));
  };
  const limited = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const leftMs = Math.min(STALL_MS, latestMs - environment.now());
      timer = environment.setTimer(() => stop("failed", controller), leftMs);
      const chunk = await reader.read().catch(() => undefined);
      environment.clearTimer(timer);
      if (aborter.signal.aborted) return;
      if (!chunk) return stop("failed", controller);
      if (chunk.done) return controller.close();
      size += chunk.value.byteLength;
      if (size > most()) return stop("too-large", controller);
      controller.enqueue(chunk.value);
    },
    async cancel() {
      environment.clearTimer(timer);
      aborter.abort();
      await reader.cancel().catch(() => undefined);
    },
  });
  return { kind: "file", body: limited, type: answered, size: () => size, why: () => why };
}

function isPage(type: string): boolean {
  return /^\s*(?:text\/html|application\/xhtml)/i.test(type);
}
