import { ERROR_CODES } from "../../protocol";
import type { ServerRecord } from "../../store";
import { isRecent, linkedAbort, sleep, type Clock } from "../environment";

/** The period over which requests are counted, ms: servers ration them (docs/protocol.md §11). */
const SPAN_MS = 300_000;

/** Over 100 errors in this time, ms, mean a ban; a sign-in while locked out counts as ten (docs/protocol.md §11). */
const ERRORS_SPAN_MS = 600_000;
const LOCKED_OUT_WEIGHT = 10;

/** Errors allowed: under half the limit, because a household shares an address. Checks leave some for receiving. */
const MAX_ERRORS = { receiving: 42, asking: 30 };

/** How many requests may be under way besides the one let through. */
const BESIDE = 2;

/** Between requests of long work, and to a server that takes no more for now, ms: servers give back one in 5 s (docs/protocol.md §11). */
export const PACED_EVERY_MS = 6_000;

/** Further refusals extend that, up to this, ms. */
const MAX_APART_MS = 60_000;

/** A server may ask for a longer wait, up to this, ms. */
const MAX_ASKED_MS = 600_000;

type CausedError = NonNullable<ServerRecord["errors"]>[number];

/** Counts the requests to one server, and the errors they cause. */
export class RequestCount {
  #times: number[] = [];
  #errors: CausedError[] = [];
  /** How far apart requests are, ms; 0 = the server isn't busy. */
  #apartMs = 0;
  /** When the last one was made or refused, device clock, ms. */
  #turnAtMs = 0;
  /** Those that wait for their turn; aborting one lets it look again whether it has to. */
  readonly #waiting = new Set<AbortController>();
  /** When the server last answered that there were too many requests, device clock, ms. */
  busyAtMs = -Infinity;
  /** Called after another error, with those of the period. */
  onErrors: ((errors: CausedError[]) => void) | undefined;
  /** Called when the server took no request, whoever made it, so that the next turn is later. */
  onRefused: (() => void) | undefined;

  constructor(private readonly clock: Clock) {}

  add(): void {
    this.#times = [...this.recent, this.clock.now()];
  }

  /** Records an answer, which may be an error. @param code of the protocol, if there is one */
  answered(status: number, code?: number): void {
    if (status < 400 || status >= 500) return;
    const weight = code === ERROR_CODES.tooManyFailedLogins ? LOCKED_OUT_WEIGHT : 1;
    this.#errors = [...this.#recentErrors(), { atMs: this.clock.now(), weight }];
    this.onErrors?.(this.#errors);
  }

  /** Adopts what a leader stored, because a server counts the errors of all of them. */
  remember(errors: readonly CausedError[]): void {
    const isKnown = ({ atMs }: CausedError): boolean => this.#errors.some((error) => error.atMs === atMs);
    this.#errors = [...errors.filter((error) => !isKnown(error)), ...this.#errors];
  }

  /** How many requests may be answered by errors now; below 1, none may be made (docs/design.md §4, "Answers"). */
  room(purpose: keyof typeof MAX_ERRORS): number {
    const errors = this.#recentErrors();
    const weight = errors.at(-1)?.weight ?? 1;
    const caused = errors.reduce((sum, error) => sum + error.weight, 0);
    return Math.floor((MAX_ERRORS[purpose] - caused) / weight) - BESIDE;
  }

  /** Waits for a request's turn: with a busy server they go one after the other, whoever makes them. */
  async turn(signal?: AbortSignal): Promise<void> {
    while (this.isBusy && !signal?.aborted) {
      const { aborter, unlink } = linkedAbort(signal);
      this.#waiting.add(aborter);
      await sleep(this.clock, this.nextTurnAtMs - this.clock.now(), aborter.signal);
      this.#waiting.delete(aborter);
      unlink();
    }
    if (!signal?.aborted) this.#turnAtMs = this.clock.now();
  }

  /** Whether the next request has to wait. */
  get isBusy(): boolean {
    return isRecent(this.clock, this.#turnAtMs, this.#apartMs);
  }

  /** When the next request may be made, device clock, ms. */
  get nextTurnAtMs(): number {
    return this.#turnAtMs + this.#apartMs;
  }

  /** Records that the server took a request, made at this time, device clock, ms. Once none is waiting, none has to. */
  served(madeAtMs: number): void {
    if (!this.#isNewer(madeAtMs)) return;
    this.#apartMs = this.#waiting.size === 0 ? 0 : PACED_EVERY_MS;
    this.#lookAgain();
  }

  /** Notes that the server took no request: all that follow are further apart. @param askedMs the wait it asks for */
  refused(madeAtMs: number, askedMs = 0): void {
    // Others may have been under way when it became busy.
    const apartMs = Math.max(this.#isNewer(madeAtMs) ? 2 * this.#apartMs : this.#apartMs, PACED_EVERY_MS);
    this.#apartMs = Math.max(Math.min(apartMs, MAX_APART_MS), Math.min(askedMs, MAX_ASKED_MS));
    this.#turnAtMs = this.busyAtMs = this.clock.now();
    this.onRefused?.();
  }

  /** Whether a request was made since the server was last busy: by a clock that was set back since, any. */
  #isNewer(madeAtMs: number): boolean {
    return madeAtMs > this.busyAtMs || this.busyAtMs > this.clock.now();
  }

  /** Lets the next request be made at once. */
  endWait(): void {
    this.#turnAtMs = -Infinity;
    this.#lookAgain();
  }

  #lookAgain(): void {
    for (const waiting of this.#waiting) waiting.abort();
  }

  get recent(): number[] {
    return this.#times.filter((time) => isRecent(this.clock, time, SPAN_MS));
  }

  #recentErrors(): CausedError[] {
    return this.#errors.filter(({ atMs }) => isRecent(this.clock, atMs, ERRORS_SPAN_MS));
  }
}
