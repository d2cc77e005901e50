import { type Failure, type Result, ERROR_CODES } from "../../protocol";
import { isNotAdmitted } from "../requests/classify";
import { Requests, type ServerRequest } from "../requests/requests";
import { sleep } from "../abort";
import type { Clock } from "../environment";

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
