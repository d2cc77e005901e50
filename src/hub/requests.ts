import {
  classifyAnswer,
  credentialHeaders,
  fail,
  healthUrl,
  ok,
  type Credentials,
  type Failure,
  type Result,
  type ServerAddress,
} from "../protocol";
import type { ServerPatch, ServerRecord } from "../store";
import { linkedAbort } from "./linked-abort";
import type { Try } from "./header-doubt";
import { readJson, readText, saysYes } from "./read-text";
import { RequestCount } from "./request-count";
import { sleep } from "./sleep";
import type { Environment } from "./environment";

/** The headers of an answer come within this, ms; else the server is out of reach. */
export const ANSWER_WITHIN_MS = 30_000;

/** Where other connections are answered, a request that waits for longer than this, ms, hangs on a dead one. */
const HANGS_FROM_MS = 300;

/** The header is tried again after this, ms, where it was refused. */
const REFUSAL_HOLDS_MS = 86_400_000;

/** For so long after an answer to the header, ms, a request that fails with it fails for another reason. */
const PROOF_HOLDS_MS = 3_600_000;

/** What needs no more requests than this takes them at once. */
export const PACED_FROM = 4;

/**
 * Requests of which one thing needs many go out at once up to this number, and then one every so often, ms: a server
 * gives back one in 5 s of 60 (docs/protocol.md §11), and other things need some as well.
 */
const PACED_AT_ONCE = 20;
const PACED_EVERY_MS = 6_000;

/** One request to a topic server. */
export interface ServerRequest {
  /** Builds the URL; with `auth` it holds the credentials and is a secret. */
  url(auth?: Credentials): string;
  credentials?: Credentials | undefined;
  method?: "GET" | "POST";
  body?: string;
  signal?: AbortSignal;
}

export type SignedInRequest = ServerRequest & { credentials: Credentials };

/** What is kept of how credentials get to a server. */
export type KnownSignIn = Pick<ServerRecord, "credentialsBy" | "credentialsByAtMs">;

/** @param refusedAtMs device clock, ms, when the header was last seen to be refused; undefined = it gets through */
export function signInPatch(refusedAtMs: number | undefined): ServerPatch {
  return { credentialsBy: refusedAtMs === undefined ? null : "query", credentialsByAtMs: refusedAtMs ?? null };
}

/** Where the credentials of a request stand. */
export type SignInBy = "header" | "query" | "nothing";

/** Why there is no answer. `failed`: somewhere between page and server; a page learns no more. */
export type Unanswered = "failed" | "given-up";

/**
 * Makes the requests to one server: adds credentials, counts, turns everything that goes wrong into a `Failure`.
 * No failure ever holds a URL, as it may hold credentials.
 *
 * Credentials go in the header. A CORS answer that does not allow it looks like an outage: they go in the query where
 * the header fails again and again while the same request without it is answered (docs/decisions/0018). What writes is
 * never sent twice, as the first may have arrived.
 */
export class Requests {
  readonly address: ServerAddress;
  readonly count: Pick<RequestCount, "add">;
  /** Told that the header is refused, as of now by the device's clock, ms; or, with undefined, that it no longer is. */
  onSignIn: ((refusedAtMs: number | undefined) => void) | undefined;
  readonly #environment: Environment;
  /**
   * Requests that read and wait for their answer, with the time they were made (device clock, ms). Called, one ends:
   * to be made once more, or as failed.
   */
  readonly #waiting = new Map<(how: "again" | "failed") => void, number>();
  /** Device clock, ms, when the header was last seen to be refused; -Infinity = too long ago; undefined = it is not. */
  #refusedAtMs: number | undefined;
  /** Device clock, ms, of the last answer to a request with the header. */
  #provenAtMs = -Infinity;
  #probing: Promise<void> | undefined;
  /** Device clock, ms, until which the paced requests made so far have used up their share. */
  #pacedUntilMs = 0;
  /** Device clock, ms, of the last one of them. */
  #pacedAtMs = 0;

  constructor(
    environment: Environment,
    address: ServerAddress,
    { credentialsBy, credentialsByAtMs }: KnownSignIn = {},
    count: Pick<RequestCount, "add"> = new RequestCount(environment.now),
  ) {
    this.#environment = environment;
    this.address = address;
    if (credentialsBy === "query") this.#refusedAtMs = credentialsByAtMs ?? -Infinity;
    this.count = count;
  }

  /** A 2xx answer with its body unread, or why there is none. */
  async send(request: ServerRequest): Promise<Result<Response, Failure>> {
    const { credentials, signal } = request;
    const answer = credentials
      ? await this.#signedIn({ ...request, credentials })
      : await this.#try(request, "nothing");
    if (typeof answer === "string") return fail(await this.#whyUnreachable(signal));
    if (answer.ok) return ok(answer);
    const text = await readText(answer, this.#environment);
    return fail(classifyAnswer(answer.status, answer.headers.get("Content-Type"), text));
  }

  /** Waits for the turn of one of so many requests. Aborted, it waits no longer. */
  async pace(many: number, signal?: AbortSignal): Promise<void> {
    if (many <= PACED_FROM) return;
    const nowMs = this.#environment.now();
    // By a clock that was set back, the share would seem used up until it gets there again.
    if (nowMs < this.#pacedAtMs) this.#pacedUntilMs = nowMs;
    this.#pacedAtMs = nowMs;
    this.#pacedUntilMs = Math.max(this.#pacedUntilMs, nowMs) + PACED_EVERY_MS;
    await sleep(this.#environment, this.#pacedUntilMs - nowMs - PACED_AT_ONCE * PACED_EVERY_MS, signal);
  }

  /** Whether `/v1/health` answers as a topic server does (docs/protocol.md §2). */
  async isHealthy(signal?: AbortSignal): Promise<boolean> {
    const answer = await this.#try({ url: () => healthUrl(this.address), ...(signal && { signal }) }, "nothing");
    return typeof answer !== "string" && answer.ok && saysYes(await readJson(answer, this.#environment), "healthy");
  }

  /** Others are answered, or nothing is: requests that hang are made once more, or given up. */
  endHanging(how: "again" | "failed"): void {
    const nowMs = this.#environment.now();
    for (const [end, madeAtMs] of [...this.#waiting]) {
      if (nowMs < madeAtMs || nowMs - madeAtMs >= HANGS_FROM_MS) end(how);
    }
  }

  async #signedIn(request: SignedInRequest): Promise<Response | Unanswered> {
    if (this.#refusedAtMs !== undefined && !this.#isWithin(this.#refusedAtMs, REFUSAL_HOLDS_MS)) {
      this.#probing ??= this.#probe(request.credentials).finally(() => (this.#probing = undefined));
      await this.#probing;
    }
    if (this.#refusedAtMs === undefined) {
      const answer = await this.#byHeader(request);
      if (answer !== "refused") return answer;
      this.#learn("query");
      if (request.method === "POST") return "failed";
    }
    return this.#try(request, "query");
  }

  async #byHeader(request: SignedInRequest): Promise<Response | Unanswered | "refused"> {
    const isProven = (): boolean => this.#isWithin(this.#provenAtMs, PROOF_HOLDS_MS);
    let answer: Response | Unanswered | "refused" = await this.#try(request, "header");
    if (answer === "failed" && !isProven() && (await this.isHealthy(request.signal))) {
      const later = await loadDoubt();
      if (later) answer = await later.doubtHeader(this.address, this.#attempt, this.#environment, request);
    }
    if (typeof answer !== "string") this.#provenAtMs = this.#environment.now();
    // Meanwhile another request got through with it.
    return answer === "refused" && isProven() ? "failed" : answer;
  }

  /** The header was refused a while ago, or seemed to be: one request shows whether it still is. */
  async #probe(credentials: Credentials): Promise<void> {
    const later = await loadDoubt();
    const by = await later?.probeHeader(this, this.#attempt, credentials);
    if (by) this.#learn(by);
  }

  readonly #attempt: Try = (request, by, withinMs) => this.#try(request, by, withinMs);

  /** One request; no answer is for whatever reason, as a page learns no more. */
  async #try(request: ServerRequest, by: SignInBy, withinMs = ANSWER_WITHIN_MS): Promise<Response | Unanswered> {
    let isAgain = false;
    for (;;) {
      const answer = await this.#tryOnce(request, by, withinMs, (how) => (isAgain = how === "again"));
      if (!isAgain || typeof answer !== "string" || request.signal?.aborted) return answer;
      isAgain = false;
    }
  }

  /** @param onEnded told how one that hangs was ended: only what reads may be, as what writes is never sent twice */
  async #tryOnce(
    request: ServerRequest,
    by: SignInBy,
    withinMs: number,
    onEnded: (how: "again" | "failed") => void,
  ): Promise<Response | Unanswered> {
    const { credentials, method = "GET", body, signal } = request;
    if (signal?.aborted) return "given-up";
    const url = request.url(by === "query" ? credentials : undefined);
    const headers = credentialHeaders(by === "header" ? credentials : undefined);
    const { aborter, unlink } = linkedAbort(signal);
    const timer = this.#environment.setTimer(() => aborter.abort(), withinMs);
    const end = (how: "again" | "failed"): void => {
      onEnded(how);
      aborter.abort();
    };
    if (method === "GET") this.#waiting.set(end, this.#environment.now());
    // Of health checks no server takes count (docs/protocol.md §2).
    if (url !== healthUrl(this.address)) this.count.add();
    try {
      // The link to the caller's signal stays: it also ends the reading of the body.
      return await this.#environment.fetch(url, {
        method,
        headers,
        ...(body !== undefined && { body }),
        cache: "no-store",
        // Where the app lives is no business of the topic server's.
        referrerPolicy: "no-referrer",
        signal: aborter.signal,
      });
    } catch {
      unlink();
      return aborter.signal.aborted ? "given-up" : "failed";
    } finally {
      this.#waiting.delete(end);
      this.#environment.clearTimer(timer);
    }
  }

  async #whyUnreachable(signal: AbortSignal | undefined): Promise<Failure> {
    if (signal?.aborted) return { kind: "ended" };
    return { kind: (await this.#environment.isBlocked(this.address)) ? "not-allowed-by-browser" : "network" };
  }

  /**
   * Whether a time of the device's clock is no longer ago than this, ms; one to come is of a clock that was set back.
   */
  #isWithin(atMs: number, ms: number): boolean {
    const agoMs = this.#environment.now() - atMs;
    return agoMs >= 0 && agoMs < ms;
  }

  #learn(by: "header" | "query"): void {
    this.#refusedAtMs = by === "query" ? this.#environment.now() : undefined;
    this.onSignIn?.(this.#refusedAtMs);
  }
}

/** Undefined where the code can't be had, as a server that can't be reached: what it was for comes up again. */
const loadDoubt = () => import("./header-doubt").catch(() => undefined);
