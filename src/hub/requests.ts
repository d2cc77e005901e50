import {
  classifyAnswer,
  credentialHeaders,
  ERROR_CODES,
  fail,
  healthUrl,
  ok,
  type Credentials,
  type Failure,
  type Result,
  type ServerAddress,
} from "../protocol";
import { checkConnections, type CheckOutcome } from "./connection-check";
import { linkedAbort } from "./linked-abort";
import { readJson, readText, saysYes } from "./read-text";
import { RequestCount } from "./request-count";
import { sleep } from "./sleep";
import type { Surroundings } from "./surroundings";

/** The headers of an answer come within this, ms; else the server is out of reach. */
export const ANSWER_WITHIN_MS = 30_000;

/** The bucket of requests refills one in 5 s (protocol, section 11); less would only empty it again, ms. */
export const BUSY_DELAY_MS = 15_000;

/** Nobody waits for longer than this, ms. */
const PATIENT_FOR_MS = 900_000;

/** Where other connections are answered, a request that waits for longer than this, ms, hangs on a dead one. */
const HANGS_FROM_MS = 300;

/** What needs no more requests than this takes them at once. */
export const PACED_FROM = 4;

/**
 * Requests of which one thing needs many go out at once up to this number, and then one every so often, ms: a server
 * gives back one in 5 s of 60 (protocol, section 11), and other things need some as well.
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

/**
 * Makes the requests to one server: adds credentials, counts, turns everything that goes wrong into a `Failure`.
 * No failure ever holds a URL, as it may hold credentials.
 */
export class Requests {
  readonly address: ServerAddress;
  readonly count: Pick<RequestCount, "add">;
  /** Told when credentials got through another way than before. */
  onCredentialsBy: ((by: "header" | "query") => void) | undefined;
  /**
   * Set where somebody waits for what is asked: requests that read are then made again by themselves where the server says
   * that there were too many. Told when that will be, device clock, ms.
   */
  onBusy: ((nextTryAtMs: number) => void) | undefined;
  readonly #surroundings: Surroundings;
  #credentialsBy: "header" | "query";
  /** The header got an answer once, so a request that fails with it fails for another reason. */
  #isHeaderProven = false;
  /** Requests that wait for their turn. */
  #pacing = 0;
  /** Told when requests begin to wait for their turn, or no longer do. */
  onPacing: (() => void) | undefined;
  /** Device clock, ms, until which the paced requests made so far have used up their share. */
  #pacedUntilMs = 0;
  /** Device clock, ms, of the last one of them. */
  #pacedAtMs = 0;
  /**
   * Requests that read and wait for their answer, with the time they were made (device clock, ms). Called, one ends:
   * to be made once more, or as failed.
   */
  readonly #waiting = new Map<(how: "again" | "failed") => void, number>();

  constructor(
    surroundings: Surroundings,
    address: ServerAddress,
    credentialsBy: "header" | "query" = "header",
    count: Pick<RequestCount, "add"> = new RequestCount(surroundings.now),
  ) {
    this.#surroundings = surroundings;
    this.address = address;
    this.#credentialsBy = credentialsBy;
    this.count = count;
  }

  /** A 2xx answer with its body unread, or why there is none. */
  async send(request: ServerRequest): Promise<Result<Response, Failure>> {
    const { now } = this.#surroundings;
    const givenUpAtMs = now() + PATIENT_FOR_MS;
    for (;;) {
      const answer = await this.#send(request);
      const isBusy =
        !answer.ok && answer.error.kind === "busy" && answer.error.code !== ERROR_CODES.tooManyFailedLogins;
      const isRead = (request.method ?? "GET") === "GET";
      if (!isBusy || !isRead || !this.onBusy || now() >= givenUpAtMs) return answer;
      this.onBusy(now() + BUSY_DELAY_MS);
      await sleep(this.#surroundings, BUSY_DELAY_MS, request.signal);
    }
  }

  async #send(request: ServerRequest): Promise<Result<Response, Failure>> {
    let response = await this.#try(request, this.#credentialsBy);
    if (!response && (await this.#mayHeaderBeRefused(request))) {
      response = await this.#try(request, "query");
      if (response) this.#learn("query");
    }
    if (!response) return fail(await this.#whyUnreachable(request.signal));
    if (request.credentials && this.#credentialsBy === "header") this.#isHeaderProven = true;
    if (response.ok) return ok(response);
    const text = await readText(response, this.#surroundings);
    return fail(classifyAnswer(response.status, response.headers.get("Content-Type"), text));
  }

  /** Waits for the turn of one of so many requests. Aborted, it waits no longer. */
  async pace(many: number, signal?: AbortSignal): Promise<void> {
    if (many <= PACED_FROM) return;
    const nowMs = this.#surroundings.now();
    // By a clock that was set back, the share would seem used up until it gets there again.
    if (nowMs < this.#pacedAtMs) this.#pacedUntilMs = nowMs;
    this.#pacedAtMs = nowMs;
    this.#pacedUntilMs = Math.max(this.#pacedUntilMs, nowMs) + PACED_EVERY_MS;
    const waitMs = this.#pacedUntilMs - nowMs - PACED_AT_ONCE * PACED_EVERY_MS;
    if (waitMs <= 0) return;
    this.#pacing += 1;
    if (this.#pacing === 1) this.onPacing?.();
    await sleep(this.#surroundings, waitMs, signal);
    this.#pacing -= 1;
    if (this.#pacing === 0) this.onPacing?.();
  }

  /** Requests wait for their turn. */
  get isPacing(): boolean {
    return this.#pacing > 0;
  }

  /** Whether `/v1/health` answers as a topic server does (protocol, section 2). */
  async isHealthy(signal?: AbortSignal): Promise<boolean> {
    const response = await this.#fetch(healthUrl(this.address), {}, signal);
    return response?.ok === true && saysYes(await readJson(response, this.#surroundings), "healthy");
  }

  /**
   * Finds out whether the connections that the browser keeps to the server still work. Where they do not, requests that
   * wait for an answer are made anew over others, or given up.
   */
  async checkConnections(patienceMs: number, signal?: AbortSignal): Promise<CheckOutcome> {
    const ask = async (signal: AbortSignal): Promise<boolean> => {
      const response = await this.#fetchOnce(healthUrl(this.address), {}, signal, "failed");
      await response?.body?.cancel();
      return response !== undefined;
    };
    const outcome = await checkConnections(this.#surroundings, ask, patienceMs, signal);
    if (outcome !== "answered") this.endHanging(outcome === "stale" ? "again" : "failed");
    return outcome;
  }

  /** Others are answered, or nothing is: requests that hang are made once more, or given up. */
  endHanging(how: "again" | "failed"): void {
    const nowMs = this.#surroundings.now();
    for (const [end, madeAtMs] of [...this.#waiting]) {
      if (nowMs < madeAtMs || nowMs - madeAtMs >= HANGS_FROM_MS) end(how);
    }
  }

  #try(request: ServerRequest, by: "header" | "query"): Promise<Response | undefined> {
    const { credentials, method = "GET", body, signal } = request;
    const inQuery = by === "query" ? credentials : undefined;
    const headers = credentialHeaders(by === "header" ? credentials : undefined);
    return this.#fetch(request.url(inQuery), { method, headers, ...(body !== undefined && { body }) }, signal);
  }

  /** The answer; undefined when there is none, for whatever reason: a page learns no more. */
  async #fetch(url: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Response | undefined> {
    const isRead = (init.method ?? "GET") === "GET";
    for (;;) {
      const response = await this.#fetchOnce(url, init, signal, isRead ? "again" : "failed");
      if (response !== "again") return response;
    }
  }

  /** @param most what may be done with it where it hangs on a dead connection; `again` is answered where it is to be done */
  async #fetchOnce<Most extends "again" | "failed">(
    url: string,
    init: RequestInit,
    signal: AbortSignal | undefined,
    most: Most,
  ): Promise<Response | (Most extends "again" ? "again" : never) | undefined> {
    if (signal?.aborted) return undefined;
    const { aborter, unlink } = linkedAbort(signal);
    let isAgain = false;
    const end = (how: "again" | "failed"): void => {
      isAgain = how === "again";
      aborter.abort();
    };
    if (most === "again") this.#waiting.set(end, this.#surroundings.now());
    const timer = this.#surroundings.setTimer(() => aborter.abort(), ANSWER_WITHIN_MS);
    // Of this one no server takes count (protocol, section 2).
    if (url !== healthUrl(this.address)) this.count.add();
    try {
      // The link to the caller's signal stays: it also ends the reading of the body.
      return await this.#surroundings.fetch(url, {
        ...init,
        cache: "no-store",
        // Where the app lives is no business of the topic server's.
        referrerPolicy: "no-referrer",
        signal: aborter.signal,
      });
    } catch {
      unlink();
      return isAgain && !signal?.aborted ? ("again" as Most extends "again" ? "again" : never) : undefined;
    } finally {
      this.#waiting.delete(end);
      this.#surroundings.clearTimer(timer);
    }
  }

  /** A CORS answer that does not allow the header looks like an outage, but for the health check (DESIGN, section 4). */
  async #mayHeaderBeRefused({ credentials, signal }: ServerRequest): Promise<boolean> {
    if (!credentials || this.#credentialsBy === "query" || this.#isHeaderProven || signal?.aborted) return false;
    return this.isHealthy(signal);
  }

  async #whyUnreachable(signal: AbortSignal | undefined): Promise<Failure> {
    if (signal?.aborted) return { kind: "ended" };
    return { kind: (await this.#surroundings.isBlocked(this.address)) ? "not-allowed-by-browser" : "network" };
  }

  #learn(by: "header" | "query"): void {
    this.#credentialsBy = by;
    this.onCredentialsBy?.(by);
  }
}
