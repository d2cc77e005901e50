import { healthUrl } from "../protocol";
import { isOutage } from "./classify";
import type { Phase } from "./connection-state";
import { checkConnections, type CheckWaits } from "./connection-check";
import { checked, checkPace, NO_CHECKS, pollEveryMs } from "./poll-in-sight";
import { recheckRefused } from "./recheck-refused";
import { ReturnProbe } from "./return-probe";
import type { ServerContext } from "./server-context";
import { sleep } from "./sleep";
import type { StreamPool } from "./stream-pool";

/** After a sleep, what takes longer than this, ms, is also tried over other connections. */
const AFTER_SLEEP: CheckWaits = { patienceMs: 300, freeMs: 500 };

/** A browser keeps at most six connections to a host (HTTP/1.1), and one of them was found to be alive. */
const MOST_DEAD = 5;

/** Refused topics are asked for again this often, ms. */
const RECHECK_EVERY_MS = 45_000;

/**
 * This many checks in a row without any answer, and a silence of this long, ms, mean that the server is gone, if it
 * answered checks before.
 */
const GONE_AFTER_CHECKS = 2;
const GONE_AFTER_MS = 5_000;

/** The connection that a page in sight looks after. */
export interface InSightOwner {
  /** A probe was answered. `wasAway`: an earlier probe wasn't. */
  probeAnswered(wasAway: boolean): void;
  /** Streams were replaced, and what the old ones may have been sent is lost. */
  streamsRenewed(): void;
}

/**
 * What a connection does only while somebody looks at a page, so its code is loaded after the start: it probes a server
 * that is gone, checks silent streams, and asks again for refused topics.
 */
export class InSight {
  readonly probe: ReturnProbe;
  readonly #here: ServerContext;
  readonly #streams: StreamPool;
  readonly #signal: AbortSignal;
  readonly #owner: InSightOwner;
  #isChecking = false;
  #checks = NO_CHECKS;
  /** The time of the last check, device clock, ms. */
  #checkedAtMs = -Infinity;
  /** Checks in a row that got no answer; undefined until one was answered, as not every host answers them. */
  #silentChecks: number | undefined;
  #isRechecking = false;
  /** When refused topics were last asked for again, device clock, ms. */
  #recheckedAtMs: number;

  /** @param signal ends everything, but for the probe */
  constructor(here: ServerContext, streams: StreamPool, signal: AbortSignal, owner: InSightOwner) {
    this.#here = here;
    this.#streams = streams;
    this.#signal = signal;
    this.#owner = owner;
    this.#recheckedAtMs = here.environment.now();
    this.probe = new ReturnProbe(
      here.environment,
      (signal) => here.requests.isHealthy(signal),
      (wasAway) => {
        here.requests.endHanging("again");
        owner.probeAnswered(wasAway);
      },
    );
  }

  /** Starts to probe a server that is gone, and not for a reason that only the user or a longer wait can end. */
  probeIfAway(phase: Phase): void {
    const isGone = phase.kind === "trying" || (phase.kind === "waiting" && isOutage(phase.why));
    if (isGone && !this.#streams.isIdle && !this.#streams.liveBy) this.probe.start();
  }

  /** Called about every second while a page is in sight, unless the connection waits for its next try or is stopped. */
  look(): void {
    const { facts } = this.#here;
    const streams = this.#streams;
    if (!this.#isWithin(this.#recheckedAtMs, RECHECK_EVERY_MS)) void this.recheck();
    if (!streams.liveBy) return;
    const { silentMs } = streams;
    // The browser hides the pings of a WebSocket, so its silence tells nothing; nor does the silence of a stream whose
    // keepalive interval isn't known yet.
    if (facts.isKeepaliveLearnt && streams.renew(facts.doubtAfterMs, "ws")) return;
    const { everyMs } = checkPace(this.#checks);
    if (silentMs < everyMs || this.#isWithin(this.#checkedAtMs, everyMs)) return;
    void this.#check({ hasSlept: false });
  }

  /**
   * The interval of polls that stand in for a stream, ms. @param busyAtMs when the server last said that it was asked
   * too often
   */
  pollEveryMs(busyAtMs: number, recentRequests: number): number {
    const sinceBusyMs = this.#here.environment.now() - busyAtMs;
    return pollEveryMs({ sinceBusyMs, recentRequests, polled: this.#streams.polled });
  }

  /** Call after the device slept: the connections that the browser kept may be dead. */
  woke(): void {
    void this.#check({ hasSlept: true });
  }

  /** Asks again for refused topics, which may be allowed by now. */
  async recheck(): Promise<void> {
    const { environment, requests, plan, hub } = this.#here;
    if (this.#isRechecking || plan.refusedTopics.length === 0) return;
    this.#isRechecking = true;
    this.#recheckedAtMs = environment.now();
    const back = await recheckRefused(environment, requests, plan, this.#signal);
    this.#isRechecking = false;
    if (back > 0 && !this.#signal.aborted) await hub.catalogueChanged();
  }

  /** Checks the open connections to the server, and replaces what hangs on dead ones. */
  async #check({ hasSlept }: { hasSlept: boolean }): Promise<void> {
    const waits = hasSlept ? AFTER_SLEEP : checkPace(this.#checks);
    const { environment, requests } = this.#here;
    const streams = this.#streams;
    const signal = this.#signal;
    if (this.#isChecking) return;
    this.#isChecking = true;
    this.#checkedAtMs = environment.now();
    const ask = async (signal: AbortSignal): Promise<boolean> => {
      const init = { cache: "no-store", referrerPolicy: "no-referrer", signal } as const;
      const answer = await environment.fetch(healthUrl(requests.address), init).catch(() => undefined);
      await answer?.body?.cancel();
      return answer !== undefined;
    };
    const outcome = await checkConnections(environment, ask, waits, signal);
    const tookMs = environment.now() - this.#checkedAtMs;
    if (outcome === "answered" && hasSlept) {
      // Only this one may have met a connection that lives: what was asked just before is given as much time. Asked
      // again, it may meet the next dead one; each time it is given longer, as it may also just be slow.
      for (let round = 1; round <= MOST_DEAD; round++) {
        await sleep(environment, round * waits.patienceMs, signal);
        requests.endHanging("again");
      }
    }
    this.#isChecking = false;
    if (signal.aborted) return;
    if (outcome !== "answered") requests.endHanging(outcome === "silent" ? "failed" : "again");
    if (outcome !== "silent") {
      const wasSilent = (this.#silentChecks ?? 0) > 0;
      this.#silentChecks = 0;
      if (outcome === "answered") this.#checks = checked(this.#checks, { kind: "answered", tookMs });
      else if (streams.renew(-Infinity)) {
        this.#owner.streamsRenewed();
        // After a sleep or an outage connections are dead on any network.
        if (!hasSlept && !wasSilent) this.#checks = checked(this.#checks, { kind: "forgotten" });
      }
      return;
    }
    this.#checks = checked(this.#checks, { kind: "silent" });
    if (this.#silentChecks === undefined) return;
    this.#silentChecks += 1;
    if (this.#silentChecks < GONE_AFTER_CHECKS || streams.silentMs < GONE_AFTER_MS) return;
    this.#silentChecks = 0;
    streams.fail({ kind: "silent" });
  }

  /** Whether a time of the device's clock is less than `ms` ago. */
  #isWithin(atMs: number, ms: number): boolean {
    const agoMs = this.#here.environment.now() - atMs;
    return agoMs >= 0 && agoMs < ms;
  }
}
