import { healthUrl } from "../protocol";
import type { StreamPool } from "./stream-pool";
import { checkConnections } from "./connection-check";
import { pollEveryMs } from "./poll-in-sight";
import { recheckRefused } from "./recheck-refused";
import type { Requests } from "./requests";
import { ReturnProbe } from "./return-probe";
import type { ServerFacts } from "./server-facts";
import type { ServerPlan } from "./server-plan";
import type { Environment } from "./environment";

/** After a sleep an answer that takes longer than this, ms, is looked for over other connections as well. */
const AFTER_SLEEP_PATIENCE_MS = 300;

/** Topics that were refused are asked for again this often, ms. */
const RECHECK_EVERY_MS = 45_000;

/** A stream that is silent for so long, ms, is checked, and then this often. */
const CHECK_EVERY_MS = 5_000;
const CHECK_PATIENCE_MS = 1_000;

/** So many checks in a row without any answer, while others were answered before, mean that the server is gone. */
const GONE_AFTER_CHECKS = 2;

/** What is shared with the connection. */
export interface InSightConnection {
  environment: Environment;
  requests: Requests;
  streams: StreamPool;
  facts: ServerFacts;
  signal: AbortSignal;
  plan(): ServerPlan;
  /** A stream that was silent for longer than this, ms, is doubted. */
  doubtAfterMs(): number;
  /** A probe was answered; `wasAway`: an earlier one was not. */
  probeAnswered(wasAway: boolean): void;
  /** Streams were replaced, as what they may have brought is lost. */
  renewed(): void;
  catalogueChanged(): Promise<void>;
}

/**
 * What a connection does only while somebody looks at a page, so that its code comes behind the start: probes a server that
 * is gone, proves streams that say nothing, asks again for what was refused.
 */
export class InSight {
  readonly probe: ReturnProbe;
  readonly #here: InSightConnection;
  #isChecking = false;
  /** Device clock, ms. */
  #checkedAtMs = -Infinity;
  /** Checks that nothing answered, one after the other; undefined until one was answered: not every host answers them. */
  #silentChecks: number | undefined;
  #isRechecking = false;
  /** Device clock, ms, of the last time that refused topics were asked for again. */
  #recheckedAtMs: number;

  constructor(here: InSightConnection) {
    this.#here = here;
    this.#recheckedAtMs = here.environment.now();
    this.probe = new ReturnProbe(
      here.environment,
      (signal) => here.requests.isHealthy(signal),
      (wasAway) => here.probeAnswered(wasAway),
    );
  }

  /** Called every second or so while nothing is waited for. */
  look(): void {
    const { streams, facts, doubtAfterMs } = this.#here;
    if (!this.#isWithin(this.#recheckedAtMs, RECHECK_EVERY_MS)) void this.recheck();
    if (!streams.liveBy) return;
    const { silentMs } = streams;
    // A WebSocket's signs of life can't be seen, so that its silence tells nothing; nor does that of a stream whose
    // interval is not known yet.
    if (streams.liveBy !== "ws" && facts.isKeepaliveLearnt && streams.renew(doubtAfterMs())) return;
    if (silentMs < CHECK_EVERY_MS || this.#isWithin(this.#checkedAtMs, CHECK_EVERY_MS)) return;
    void this.#check(CHECK_PATIENCE_MS);
  }

  /** How often polls stand in for a stream, ms. @param busyAtMs when the server said last that it was asked too often */
  pollEveryMs(busyAtMs: number, recentRequests: number): number {
    const { environment, streams } = this.#here;
    return pollEveryMs({ sinceBusyMs: environment.now() - busyAtMs, recentRequests, polled: streams.polled });
  }

  /** The device slept: the connections that the browser kept may be dead. */
  woke(): void {
    void this.#check(AFTER_SLEEP_PATIENCE_MS);
  }

  /** Asks for what was refused again: it may be allowed by now. */
  async recheck(): Promise<void> {
    const { environment, requests, plan, signal, catalogueChanged } = this.#here;
    if (this.#isRechecking || plan().refusedTopics.length === 0) return;
    this.#isRechecking = true;
    this.#recheckedAtMs = environment.now();
    const back = await recheckRefused(environment, requests, plan(), signal);
    this.#isRechecking = false;
    if (back > 0 && !signal.aborted) await catalogueChanged();
  }

  /** Proves the connections that are open to the server, and replaces what hangs on dead ones. */
  async #check(patienceMs: number): Promise<void> {
    const { environment, requests, streams, signal, renewed } = this.#here;
    if (this.#isChecking) return;
    this.#isChecking = true;
    this.#checkedAtMs = environment.now();
    const ask = async (signal: AbortSignal): Promise<boolean> => {
      const init = { cache: "no-store", referrerPolicy: "no-referrer", signal } as const;
      const answer = await environment.fetch(healthUrl(requests.address), init).catch(() => undefined);
      await answer?.body?.cancel();
      return answer !== undefined;
    };
    const outcome = await checkConnections(environment, ask, patienceMs, signal);
    this.#isChecking = false;
    if (signal.aborted) return;
    if (outcome !== "answered") requests.endHanging(outcome === "stale" ? "again" : "failed");
    if (outcome !== "silent") {
      this.#silentChecks = 0;
      if (outcome === "stale" && streams.renew(-Infinity)) renewed();
      return;
    }
    if (this.#silentChecks === undefined) return;
    this.#silentChecks += 1;
    if (this.#silentChecks < GONE_AFTER_CHECKS || streams.silentMs < CHECK_EVERY_MS) return;
    this.#silentChecks = 0;
    streams.fail({ kind: "silent" });
  }

  /** Whether a time of the device's clock is no longer ago than this, ms. */
  #isWithin(atMs: number, ms: number): boolean {
    const agoMs = this.#here.environment.now() - atMs;
    return agoMs >= 0 && agoMs < ms;
  }
}
