// The first poll of topics at a new server. Its answer tells whether they may be read, and the connection that begins
// once they are stored reads that answer instead of asking again.
import {
  type Failure,
  type ServerAddress,
  isStreamType,
  JsonFraming,
  subscribeUrl,
  type Result,
  ERROR_CODES,
} from "../../protocol";
import type { Environment, Timer, Clock } from "../environment";
import { EventReading, NO_EVENTS } from "../requests/event-reading";
import { isNotAdmitted } from "../requests/classify";
import { Requests, type ServerRequest } from "../requests/requests";
import { sleep } from "../abort";

/** After this, ms, an unused answer is dropped: another hub leads and polls by itself. */
const TAKEN_WITHIN_MS = 2_000;

/** How long, ms, to wait for the first line after the answer began; whoever takes the answer goes on waiting. */
const FIRST_LINE_WITHIN_MS = 10_000;

/** How much of an unexpected `Content-Type` is kept, characters. */
const MAX_TYPE_TEXT = 100;

/** An answer whose body is still unread. */
interface Kept {
  answer: Response;
  address: ServerAddress;
  aborter: AbortController;
  timer: Timer;
  /** Notes that a request was made, since whoever takes the answer doesn't. */
  count(): void;
  /** Resolves when the answer was taken or given up. */
  gone: Promise<void>;
  go(): void;
}

/** Makes first polls, and keeps each answer for the next request to the same URL. */
export class FirstPolls {
  readonly #environment: Environment;
  readonly #kept = new Map<string, Kept>();

  /** From now on, this environment's requests are answered once by what was kept for them. */
  constructor(environment: Environment) {
    this.#environment = environment;
    const { fetch } = environment;
    environment.fetch = async (url, init) => {
      // Usually nothing is kept, and nothing waits.
      if (this.#kept.size === 0) return fetch(url, init);
      const answer = this.#take(url, init?.signal);
      if (answer) return answer;
      for (const [one, { address, gone }] of this.#kept) {
        if (!url.startsWith(`${address}/`)) continue;
        // A poll of something else shows that the answer isn't wanted. A stream waits until it was taken, because it
        // tells the server's time, and a poll that knows it asks for more.
        if (url.includes("poll=1")) this.#giveUp(one);
        else await gone;
      }
      return fetch(url, init);
    };
  }

  /**
   * Polls everything of these topics, without credentials. The answer is kept if a topic server may have sent it;
   * otherwise resolves to why there is none.
   * @param requests those of the command, which count what is made here
   */
  async ask(requests: PatientRequests, topics: readonly string[]): Promise<Failure | undefined> {
    const { address } = requests;
    const url = firstPollUrl(address, topics);
    const aborter = new AbortController();
    let made = 0;
    const own = new PatientRequests(this.#environment, address, undefined, {
      add: () => void (made += 1),
      answered: (status, code) => requests.count.answered(status, code),
      room: (purpose) => requests.count.room(purpose),
    });
    own.onBusy = requests.onBusy;
    const answered = await own.send({ url: () => url, signal: aborter.signal });
    // Whoever takes the answer counts the request.
    for (const notTaken = answered.ok ? 1 : 0; made > notTaken; made--) requests.count.add();
    if (!answered.ok) return answered.error;
    const answer = answered.value;
    const count = (): void => requests.count.add();
    const failure = await this.#check(answer);
    if (failure) {
      count();
      aborter.abort();
      return failure;
    }
    // Two tabs may have asked at once.
    this.#giveUp(url);
    let go!: () => void;
    const gone = new Promise<void>((resolve) => void (go = resolve));
    const timer = this.#environment.setTimer(() => this.#giveUp(url), TAKEN_WITHIN_MS);
    this.#kept.set(url, { answer, address, aborter, timer, count, gone, go });
    return undefined;
  }

  /** Ends an answer that nobody has taken. */
  giveUp(address: ServerAddress, topics: readonly string[]): void {
    this.#giveUp(firstPollUrl(address, topics));
  }

  /**
   * Why an answer isn't a topic server's, by its type and first line; its body stays unread. One that breaks off or is
   * slow passes, since whoever takes it finds out what is wrong.
   */
  async #check(answer: Response): Promise<Failure | undefined> {
    const type = answer.headers.get("Content-Type");
    if (!isStreamType("json", type)) {
      return { kind: "malformed", text: (type ?? "no Content-Type").slice(0, MAX_TYPE_TEXT) };
    }
    const reader = answer.clone().body?.getReader();
    // The other half of the body goes on.
    const stop = (): void => void reader?.cancel().catch(() => undefined);
    let isSlow = false;
    const timer = this.#environment.setTimer(() => {
      isSlow = true;
      stop();
    }, FIRST_LINE_WITHIN_MS);
    const framing = new JsonFraming();
    const reading = new EventReading({});
    let isCut = false;
    while (reader) {
      const chunk = await reader.read().catch(() => undefined);
      if (chunk?.done) isCut = !isSlow && !framing.end().whole;
      if (!chunk || chunk.done) break;
      const frames = framing.push(chunk.value);
      reading.take(frames);
      if (frames.length > 0) break;
    }
    stop();
    this.#environment.clearTimer(timer);
    return reading.failure ?? (isCut || reading.isStrange() ? NO_EVENTS : undefined);
  }

  #take(url: string, signal: AbortSignal | null | undefined): Response | undefined {
    const kept = this.#remove(url);
    // The body is read as if the taker had asked for it, and ends when the taker gives it up.
    if (kept) signal?.addEventListener("abort", () => kept.aborter.abort());
    return kept?.answer;
  }

  #giveUp(url: string): void {
    const kept = this.#remove(url);
    kept?.count();
    kept?.aborter.abort();
  }

  #remove(url: string): Kept | undefined {
    const kept = this.#kept.get(url);
    this.#kept.delete(url);
    this.#environment.clearTimer(kept?.timer);
    kept?.go();
    return kept;
  }
}

/** The URL that a connection polls first (`poll-round.ts`), as long as it hasn't heard the server's time. */
function firstPollUrl(address: ServerAddress, topics: readonly string[]): string {
  return subscribeUrl({ address, topics, since: { kind: "all" }, scheduled: false, format: "json", poll: true });
}

/**
 * A request is made again after this, ms. A server gives back two in this time (docs/protocol.md §11), one of them for
 * streams, which bring messages; polls wait longer (`BUSY_DELAY_MS`).
 */
const AGAIN_AFTER_MS = 10_000;

/**
 * From this many tries on, retries are a minute apart: servers ban who causes too many errors (docs/protocol.md §11).
 */
const MAX_QUICK = 12;
const LATER_AGAIN_AFTER_MS = 60_000;

/** Retrying ends after this, ms, as the user won't wait any longer. */
const PATIENT_FOR_MS = 900_000;

/** Requests that someone waits for. Those that only read are repeated when the server says there were too many. */
export class PatientRequests extends Requests {
  /** Called with the time of the next try, device clock, ms. */
  onBusy: ((nextTryAtMs: number) => void) | undefined;
  readonly #clock: Clock;

  constructor(...[environment, ...rest]: ConstructorParameters<typeof Requests>) {
    super(environment, ...rest);
    this.#clock = environment;
  }

  override async send(request: ServerRequest): Promise<Result<Response, Failure>> {
    const { now } = this.#clock;
    const givenUpAtMs = now() + PATIENT_FOR_MS;
    for (let tries = 1; ; tries++) {
      const answer = await super.send(request);
      const isBusy =
        !answer.ok &&
        answer.error.kind === "busy" &&
        answer.error.code !== ERROR_CODES.tooManyFailedLogins &&
        !isNotAdmitted(answer.error);
      if (!isBusy || request.method === "POST" || now() >= givenUpAtMs) return answer;
      const afterMs = tries < MAX_QUICK ? AGAIN_AFTER_MS : LATER_AGAIN_AFTER_MS;
      this.onBusy?.(now() + afterMs);
      await sleep(this.#clock, afterMs, request.signal);
    }
  }
}
