import { ERROR_CODES } from "../../protocol";
import type { ServerRecord } from "../../store";
import { isWithin, type Clock } from "../environment";

/** The span over which requests are counted, ms: servers ration them (docs/protocol.md §11). */
const SPAN_MS = 300_000;

/** Over 100 errors in this time, ms, are a ban; a sign-in while locked counts as ten (docs/protocol.md §11). */
const ERRORS_SPAN_MS = 600_000;
const LOCKED_OUT_WEIGHT = 10;

/** Errors allowed: under half the limit, as a household shares an address. Checks leave some for receiving. */
const MAX_ERRORS = { receiving: 42, asking: 30 };

/** Requests that may be under way besides the one let through. */
const BESIDE = 2;

type CausedError = NonNullable<ServerRecord["errors"]>[number];

/** Counts the requests to one server, and the errors that they cause. */
export class RequestCount {
  #times: number[] = [];
  #errors: CausedError[] = [];
  /** Called with the errors of the span after another one. */
  onErrors: ((errors: CausedError[]) => void) | undefined;

  constructor(private readonly clock: Pick<Clock, "now">) {}

  add(): void {
    this.#times = [...this.#recent(), this.clock.now()];
  }

  /** Notes an answer, which may be an error. @param code of the protocol, if there is one */
  answered(status: number, code?: number): void {
    if (status < 400 || status >= 500) return;
    const weight = code === ERROR_CODES.tooManyFailedLogins ? LOCKED_OUT_WEIGHT : 1;
    this.#errors = [...this.#recentErrors(), { atMs: this.clock.now(), weight }];
    this.onErrors?.(this.#errors);
  }

  /** Takes over what an earlier leader stored, since a server counts the errors of all of them. */
  remember(errors: readonly CausedError[]): void {
    if (this.#errors.length === 0) this.#errors = [...errors];
  }

  /** How many requests may be answered by errors now: below 1, none may be made (docs/design.md §4, "Answers"). */
  room(purpose: keyof typeof MAX_ERRORS): number {
    const errors = this.#recentErrors();
    const weight = errors.at(-1)?.weight ?? 1;
    const caused = errors.reduce((sum, error) => sum + error.weight, 0);
    return Math.floor((MAX_ERRORS[purpose] - caused) / weight) - BESIDE;
  }

  get recent(): number {
    return this.#recent().length;
  }

  #recent(): number[] {
    return this.#times.filter((time) => isWithin(this.clock, time, SPAN_MS));
  }

  #recentErrors(): CausedError[] {
    return this.#errors.filter(({ atMs }) => isWithin(this.clock, atMs, ERRORS_SPAN_MS));
  }
}
