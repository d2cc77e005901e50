import {
  type Failure,
  type Credentials,
  type ExtraHeaders,
  type Result,
  type ServerAddress,
  classifyAnswer,
  credentialHeaders,
  ERROR_CODES,
  fail,
  serverUrl,
  ok,
  withCredentials,
} from "../../protocol";
import type { ServerPatch, ServerRecord } from "../../store";
import { linkedAbort, sleep, isRecent, type Clock, type Environment } from "../environment";
import { readJson, readText, saidOf } from "./read-text";
import { PACED_EVERY_MS, RequestCount } from "./request-count";
import { isRationed } from "./classify";
import { restored } from "./retry-policy";

/** The headers of an answer must come within this, ms; otherwise the server counts as unreachable. */
export const ANSWER_WITHIN_MS = 30_000;

/** If other connections are answered, a request that has waited longer than this, ms, hangs on a dead one. */
const HANGS_FROM_MS = 300;

/** A header that was refused is tried again after this, ms. */
const REFUSAL_HOLDS_MS = 86_400_000;

/** For this long after an answer to the header, ms, a failing request with it is assumed to fail for another reason. */
const PROOF_HOLDS_MS = 3_600_000;

/** Work that needs no more than this many requests makes them at once. */
export const PACED_FROM = 4;

/** Long work: this many at once, then one every `PACED_EVERY_MS`. */
const PACED_AT_ONCE = 20;

/** A command waits for a busy server this long, ms: the user won't wait any longer. */
const PATIENT_FOR_MS = 900_000;

/** How many times in a row the header must fail, while the same request without it is answered. */
const ROUNDS = 2;

/** Between rounds, ms, so that a restarting server isn't taken for a refusal. */
const ROUND_EVERY_MS = 1_000;

/** A browser that may not send the header fails at once: a try that takes longer than this, ms, shows nothing. */
const PROBE_WITHIN_MS = 10_000;

/** Why a request isn't made: more errors might get this address banned. */
export const TOO_MANY_ERRORS: Failure = { kind: "busy", code: ERROR_CODES.tooManyRequests };

export type RequestEnvironment = Clock & Pick<Environment, "fetch" | "isBlocked">;

export interface ServerRequest {
  /** Without credentials. */
  url: string;
  credentials?: Credentials | undefined;
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  body?: string | Blob;
  headers?: Record<string, string>;
  /** The answer's headers must come within this, ms, if not `ANSWER_WITHIN_MS`. */
  withinMs?: number;
  signal?: AbortSignal | undefined;
  /** Whether its maker tries again later; others wait their turn if the server is busy. */
  isOnce?: boolean;
  /** Called just before the request is made. */
  onTurn?: (() => void) | undefined;
}

type SignedInRequest = ServerRequest & { credentials: Credentials };

/** What is stored about how credentials get through to a server. */
export type KnownSignIn = Pick<ServerRecord, "credentialsBy" | "credentialsByAtMs" | "headers">;

/**
 * The patch that records how credentials get through. @param refusedAtMs when the header was last seen to be refused,
 * device clock, ms; undefined = it gets through
 */
export function signInPatch(refusedAtMs: number | undefined): ServerPatch {
  return { credentialsBy: refusedAtMs === undefined ? null : "query", credentialsByAtMs: refusedAtMs ?? null };
}

/** Where a request puts its credentials. */
type SignInBy = "header" | "query" | "nothing";

/** Why there is no answer. `too-many-errors`: it wasn't made; `failed`: it failed somewhere between page and server; a page can't learn more. */
type Unanswered = "failed" | "given-up" | "too-many-errors";

/**
 * Makes the requests to one server: adds credentials, counts requests, and turns every error into a `Failure`, which
 * never holds a URL, because that may hold credentials.
 *
 * Credentials go in the header. If CORS forbids that, it looks like an outage, so they go in the query if the header
 * fails repeatedly while the same request without it is answered (docs/decisions/0018). A request that writes is never
 * sent twice, because the first may have arrived.
 */
export class Requests {
  /** They repeat by themselves, so none is made that could cause too many errors (docs/design.md §4, "Answers"). */
  isBounded = false;
  /** Set where someone waits: busy reads are repeated. Gets the time of the next try, device clock, ms. */
  onBusy: ((nextTryAtMs: number) => void) | undefined;
  /** Called when the header is found to be refused, device clock, ms; undefined = it no longer is. */
  onSignIn: ((refusedAtMs: number | undefined) => void) | undefined;
  /** Sent with every request, for a proxy. With them, no redirect is followed, because it could lead them elsewhere. */
  headers: ExtraHeaders | undefined;
  /** Reads awaiting their answer, by when they were made, device clock, ms. Calling the key repeats or fails one. */
  readonly #waiting = new Map<(how: "again" | "failed") => void, number>();
  /** When the header was refused, device clock, ms; -Infinity = long ago; undefined = it isn't refused. */
  #refusedAtMs: number | undefined;
  /** When a request with the header was last answered, device clock, ms. */
  #provenAtMs = -Infinity;
  #probing: Promise<void> | undefined;
  /** How many paced requests may be made at once, as of `#pacedAtMs` (device clock, ms); below 0, they wait. */
  #pacedLeft = PACED_AT_ONCE;
  #pacedAtMs = 0;

  constructor(
    /** Also the clock of whatever handles an answer. */
    readonly environment: RequestEnvironment,
    readonly address: ServerAddress,
    { credentialsBy, credentialsByAtMs, headers }: KnownSignIn = {},
    /** Counts the requests to this server, whoever makes them, and their errors. */
    readonly count = new RequestCount(environment),
  ) {
    this.headers = headers;
    if (credentialsBy === "query") this.#refusedAtMs = credentialsByAtMs ?? -Infinity;
  }

  /** Resolves to a 2xx answer with its body unread, or to why there is none. */
  async send(request: ServerRequest): Promise<Result<Response, Failure>> {
    const { now } = this.environment;
    const { signal, isOnce, onTurn, method } = request;
    const givenUpAtMs = this.isBounded ? Infinity : now() + PATIENT_FOR_MS;
    const isPatient = (this.isBounded || this.onBusy) && method !== "POST" && !isOnce;
    for (let isFirst = true; ; isFirst = false) {
      // What a user asks for isn't held back by other requests.
      if (this.isBounded || !isFirst) await this.count.turn(signal);
      onTurn?.();
      const { aborter, unlink } = linkedAbort(signal);
      const answer = await this.#sendOnce({ ...request, signal: aborter.signal });
      if (!answer.ok) unlink();
      const isBusy = !answer.ok && isRationed(answer.error);
      if (!isBusy || !isPatient || signal?.aborted || now() >= givenUpAtMs) return answer;
      this.onBusy?.(this.count.nextTurnAtMs);
    }
  }

  /** Resolves to the JSON value of a 2xx answer, undefined if it isn't JSON, or to why there is no such answer. */
  async json(request: ServerRequest, mostBytes?: number): Promise<Result<unknown, Failure>> {
    const answer = await this.send(request);
    return answer.ok ? ok(await readJson(answer.value, this.environment, mostBytes)) : answer;
  }

  /** Resolves to why there is no 2xx answer; undefined = there is one, whatever its body says. */
  async failure(request: ServerRequest): Promise<Failure | undefined> {
    const answer = await this.send(request);
    if (!answer.ok) return answer.error;
    // If the connection breaks meanwhile, there is nothing to cancel.
    await answer.value.body?.cancel().catch(() => undefined);
    return undefined;
  }

  async #sendOnce(request: ServerRequest): Promise<Result<Response, Failure>> {
    const { credentials, signal } = request;
    const madeAtMs = this.environment.now();
    const answer = credentials
      ? await this.#signedIn({ ...request, credentials })
      : await this.#try(request, "nothing");
    if (answer === "too-many-errors") {
      this.count.refused(madeAtMs);
      return fail(TOO_MANY_ERRORS);
    }
    if (typeof answer === "string") return fail(await this.#whyUnreachable(signal));
    if (answer.ok) {
      this.count.served(madeAtMs);
      return ok(answer);
    }
    const text = await readText(answer, this.environment);
    const failure = classifyAnswer(answer.status, answer.headers.get("Content-Type"), text);
    this.count.answered(answer.status, "code" in failure ? failure.code : undefined);
    if (isRationed(failure)) this.count.refused(madeAtMs, Number(answer.headers.get("Retry-After")) * 1_000 || 0);
    return fail(failure);
  }

  /** Counts an error reported in a line of an answer, as the server does, and returns it. */
  counted(failure: Failure): Failure {
    const code = "code" in failure ? failure.code : undefined;
    this.count.answered(Math.floor((code ?? 40_000) / 100), code);
    if (isRationed(failure)) this.count.refused(this.environment.now());
    return failure;
  }

  /** Waits for the turn of one of `many` requests. Stops waiting if aborted. */
  async pace(many: number, signal?: AbortSignal): Promise<void> {
    if (many <= PACED_FROM) return;
    const nowMs = this.environment.now();
    const capacity = { most: PACED_AT_ONCE, everyMs: PACED_EVERY_MS };
    // After a clock was set back, the share would seem used up until the old time is reached again.
    const sinceMs = nowMs < this.#pacedAtMs ? Infinity : nowMs - this.#pacedAtMs;
    this.#pacedLeft = restored(this.#pacedLeft, sinceMs, capacity) - 1;
    this.#pacedAtMs = nowMs;
    await sleep(this.environment, -this.#pacedLeft * PACED_EVERY_MS, signal);
  }

  /** Whether a topic server says at `/v1/health` that it is well (docs/protocol.md §2); undefined if none answers. */
  async health(signal?: AbortSignal, withinMs = ANSWER_WITHIN_MS): Promise<boolean | undefined> {
    const { aborter, unlink } = linkedAbort(signal);
    const answer = await this.answer(serverUrl(this.address, "health"), withinMs, aborter.signal).catch(
      () => undefined,
    );
    const isHealthy = answer && saidOf(await readJson(answer, this.environment), "healthy");
    unlink();
    return isHealthy;
  }

  /** Resolves to any answer from a URL within this time, ms; rejects without one. */
  async answer(url: string, withinMs: number, signal?: AbortSignal): Promise<Response> {
    const answer = await this.#try({ url, signal }, "nothing", withinMs);
    if (typeof answer === "string") throw new Error(answer);
    this.count.answered(answer.status);
    return answer;
  }

  /** Ends hanging requests: `again` if other connections are answered, `failed` if none is. */
  endHanging(how: "again" | "failed"): void {
    const nowMs = this.environment.now();
    for (const [end, madeAtMs] of [...this.#waiting]) {
      if (nowMs < madeAtMs || nowMs - madeAtMs >= HANGS_FROM_MS) end(how);
    }
  }

  async #signedIn(request: SignedInRequest): Promise<Response | Unanswered> {
    if (this.#refusedAtMs !== undefined && !isRecent(this.environment, this.#refusedAtMs, REFUSAL_HOLDS_MS)) {
      this.#probing ??= this.#probe(request.credentials).finally(() => (this.#probing = undefined));
      await this.#probing;
    }
    if (this.#refusedAtMs === undefined) {
      const answer = await this.#byHeader(request);
      if (answer !== "refused") return answer;
      this.#learn("query");
      if ((request.method ?? "GET") !== "GET") return "failed";
    }
    return this.#try(request, "query");
  }

  async #byHeader(request: SignedInRequest): Promise<Response | Unanswered | "refused"> {
    const isProven = (): boolean => isRecent(this.environment, this.#provenAtMs, PROOF_HOLDS_MS);
    let answer: Response | Unanswered | "refused" = await this.#try(request, "header");
    if (answer === "failed" && !isProven() && (await this.health(request.signal))) {
      answer = await this.#doubtHeader(request);
    }
    if (typeof answer !== "string") this.#provenAtMs = this.environment.now();
    // Another request got through with the header meanwhile.
    return answer === "refused" && isProven() ? "failed" : answer;
  }

  /**
   * Finds out whether the header is why a request failed although the server is well. A request that only reads is made
   * again, and its answer is returned if one comes. A request that writes may have arrived, so one that only reads is
   * made in its place, and the original counts as failed.
   */
  async #doubtHeader(request: SignedInRequest): Promise<Response | Unanswered | "refused"> {
    const { credentials, signal } = request;
    const isRead = (request.method ?? "GET") === "GET";
    const asked = isRead ? request : { url: serverUrl(this.address, "health"), credentials, signal };
    for (let round = 0; round < ROUNDS; round++) {
      if (round > 0) await sleep(this.environment, ROUND_EVERY_MS, signal);
      const again = await this.#try(asked, "header");
      if (isRead && again !== "failed") return again;
      if (again !== "failed") return letGo(again);
      const without = await this.#try(asked, "nothing");
      if (typeof without === "string") return without;
      await letGo(without);
    }
    return "refused";
  }

  /** Makes one request to find out whether a header that was refused a while ago still is. */
  async #probe(credentials: Credentials): Promise<void> {
    const asked = { url: serverUrl(this.address, "health"), credentials };
    const answer = await this.#try(asked, "header", PROBE_WITHIN_MS);
    if (typeof answer === "string") {
      if ((await this.health()) !== undefined) this.#learn("query");
      return;
    }
    await letGo(answer);
    this.#learn("header");
  }

  /** Makes one request. A page can't learn why an answer is missing. */
  async #try(
    request: ServerRequest,
    by: SignInBy,
    withinMs = request.withinMs ?? ANSWER_WITHIN_MS,
  ): Promise<Response | Unanswered> {
    let isAgain = false;
    for (;;) {
      const answer = await this.#tryOnce(request, by, withinMs, (how) => (isAgain = how === "again"));
      if (!isAgain || typeof answer !== "string" || request.signal?.aborted) return answer;
      isAgain = false;
    }
  }

  /**
   * @param onEnded called when a hanging request is ended; only reading ones can be, because a writing one is never
   * sent twice
   */
  async #tryOnce(
    request: ServerRequest,
    by: SignInBy,
    withinMs: number,
    onEnded: (how: "again" | "failed") => void,
  ): Promise<Response | Unanswered> {
    const { credentials, method = "GET", body, signal } = request;
    if (signal?.aborted) return "given-up";
    const isFree =
      request.url === serverUrl(this.address, "health") || request.url === serverUrl(this.address, "stats");
    const hasRoom = !this.isBounded || this.count.room(isFree ? "asking" : "receiving") > 0;
    if (!hasRoom && method === "GET") return "too-many-errors";
    const headers = {
      ...this.headers,
      ...request.headers,
      ...credentialHeaders(by === "header" ? credentials : undefined),
    };
    const { aborter, unlink } = linkedAbort(signal);
    const timer = this.environment.setTimer(() => aborter.abort(), withinMs);
    const end = (how: "again" | "failed"): void => {
      onEnded(how);
      aborter.abort();
    };
    if (method === "GET") this.#waiting.set(end, this.environment.now());
    // Servers don't ration these (docs/protocol.md §2).
    if (!isFree) this.count.add();
    try {
      // The link to the caller's signal stays, because that also ends reading the body.
      const url = by === "query" && credentials ? withCredentials(request.url, credentials) : request.url;
      return await this.environment.fetch(url, {
        method,
        headers,
        ...(body !== undefined && { body }),
        cache: "no-store",
        ...(this.headers && { redirect: "error" }),
        // The topic server needn't know where the app is hosted.
        referrerPolicy: "no-referrer",
        signal: aborter.signal,
      });
    } catch {
      unlink();
      return aborter.signal.aborted ? "given-up" : "failed";
    } finally {
      this.#waiting.delete(end);
      this.environment.clearTimer(timer);
    }
  }

  async #whyUnreachable(signal: AbortSignal | undefined): Promise<Failure> {
    if (signal?.aborted) return { kind: "ended" };
    return { kind: (await this.environment.isBlocked(this.address)) ? "not-allowed-by-browser" : "network" };
  }

  #learn(by: "header" | "query"): void {
    this.#refusedAtMs = by === "query" ? this.environment.now() : undefined;
    this.onSignIn?.(this.#refusedAtMs);
  }
}

/** Discards an answer; that it came is all that mattered. */
async function letGo(answer: Response | Unanswered): Promise<"failed"> {
  // Cancelling fails if the connection broke meanwhile, which doesn't matter.
  if (typeof answer !== "string") await answer.body?.cancel().catch(() => undefined);
  return "failed";
}
