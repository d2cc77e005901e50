import type { Failure, ProtocolEvent, ServerStats } from "../protocol";
import { decodeStats, healthUrl, splitTopicsByUrlLength, statsUrl } from "../protocol";
import { isOutage } from "./classify";
import type { Phase } from "./connection-state";
import { checkConnections, type CheckWaits } from "./connection-check";
import { linkedAbort } from "./linked-abort";
import {
  allowed,
  type Allowance,
  checked,
  checkPace,
  DOUBTS,
  NO_CHECKS,
  pollEveryMs,
  recheckNow,
  tabsInSight,
  type Watch,
} from "./poll-in-sight";
import { readJson } from "./read-text";
import { recheckRefused } from "./recheck-refused";
import { ReturnProbe } from "./return-probe";
import type { ServerContext } from "./server-context";
import { sleep } from "./sleep";
import type { StreamPool } from "./stream-pool";
import { DEFAULT_KEEPALIVE_MS } from "./watchdog";

/** After a sleep, what takes longer than this, ms, is also tried over other connections. */
const AFTER_SLEEP: CheckWaits = { patienceMs: 300, freeMs: 500 };

/** A browser keeps at most six connections to a host (HTTP/1.1), and one of them was found to be alive. */
const MAX_DEAD = 5;

/** A server that doesn't tell its count of messages is asked for it again after this, ms. */
const COUNT_AGAIN_AFTER_MS = 600_000;

/** A question for it is given up after this, ms. */
const COUNTED_WITHIN_MS = 2_000;

/** A stream may bring a message this much earlier or later, ms, than the server is seen to have counted it. */
const BROUGHT_WITHIN_MS = 300;

/** With more requests to a poll than this, a stream that is dead alone isn't looked for. */
const MAX_POLLED = 3;

/**
 * This many checks in a row without any answer, and a silence of this long, ms, mean that the server is gone, if it
 * answered checks before.
 */
const GONE_AFTER_CHECKS = 2;
const GONE_AFTER_MS = 5_000;

/** The connection that a page in sight looks after. */
export interface InSightOwner {
  /** The accounts that are received. */
  readonly accountIds: number[];
  /** Polls to find out whether a stream that may be silent for long is dead: resolves to why, or undefined. */
  checkSilence(accountId: number): Promise<Failure | undefined>;
  /** A probe was answered. `wasAway`: an earlier probe wasn't. */
  probeAnswered(wasAway: boolean): void;
  /** Credentials were refused, which the connection treats as if a poll had failed. */
  pollFailed(failure: Failure, accountId: number): void;
  /** Streams were replaced, and what the old ones may have been sent is lost. */
  streamsRenewed(): void;
}

/**
 * What a connection does only while somebody looks at a page: it probes a server
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
  #watch: Watch = { tabs: 1, servers: 1, isCounted: true };
  /** The time of the last check, device clock, ms. */
  #checkedAtMs = -Infinity;
  /** Checks in a row that got no answer; undefined until one was answered, as not every host answers them. */
  #silentChecks: number | undefined;
  #isRechecking = false;
  /** When a refused topic was last asked for again, device clock, ms, and which one, by its `subId`. */
  #recheckedAtMs: number;
  #recheckedLast = 0;
  readonly #refusedAccounts = new Set<number>();
  /** How many topics were refused at the last look, and when their number last grew, device clock, ms. */
  #refused = 0;
  #refusedAtMs: number;
  /** There is a hint that refused topics may be allowed by now. */
  #isHinted = false;
  /** The counts that the server told last, and when, device clock, ms. */
  #stats: ServerStats | undefined;
  #countedAtMs = -Infinity;
  /** The server has been unreachable since then. */
  #isGone = false;
  /** When it answered with something else, device clock, ms. */
  #noStatsAtMs = -Infinity;
  #isCounting = false;
  /** When a stream last brought something, or opened, device clock, ms; keepalives don't count. */
  #broughtAtMs = -Infinity;
  #doubts: Allowance | undefined;

  /** @param signal ends everything, but for the probe */
  constructor(here: ServerContext, streams: StreamPool, signal: AbortSignal, owner: InSightOwner) {
    this.#here = here;
    this.#streams = streams;
    this.#signal = signal;
    this.#owner = owner;
    this.#recheckedAtMs = here.environment.now();
    this.#refusedAtMs = this.#recheckedAtMs;
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

  /**
   * Called about every second while a page is in sight, unless the connection waits for its next try or is stopped.
   * @param saidAtMs when tabs last said that they are in sight, device clock, ms
   * @param servers how many are received from
   */
  look(saidAtMs: readonly number[], servers: number): void {
    const { environment, facts, plan } = this.#here;
    this.#watch = { ...this.#watch, tabs: tabsInSight(saidAtMs, environment.now()), servers };
    const streams = this.#streams;
    this.#recheckIfDue();
    if (!streams.liveBy) {
      // Where no topic may be read, no stream tells whether the server is there, or that a message was published.
      if (plan.refusedTopics.length > 0) void this.#count();
      return;
    }
    // The browser hides the pings of a WebSocket, so its silence tells nothing; nor does the silence of a stream whose
    // keepalive interval isn't known yet.
    if (facts.isKeepaliveLearnt && streams.renew(facts.doubtAfterMs, "ws")) {
      // Were the interval known too short, each stream would be replaced before it could correct that.
      if (facts.keepaliveMs < DEFAULT_KEEPALIVE_MS) facts.doubtKeepalive();
      return;
    }
    const { everyMs } = checkPace(this.#checks, this.#watch);
    if (this.#silentMs < everyMs || this.#isWithin(this.#checkedAtMs, everyMs)) return;
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

  /** Call with all that streams bring. */
  received(events: readonly ProtocolEvent[]): void {
    if (events.some(({ event }) => event !== "keepalive")) this.#broughtAtMs = this.#here.environment.now();
  }

  /** Call after the device slept: the connections that the browser kept may be dead. */
  woke(): void {
    void this.#check({ hasSlept: true });
  }

  /** Asks again for refused topics, which may be allowed by now, as after a start. */
  recheck(): void {
    this.#hint();
  }

  #recheckIfDue(): void {
    const { environment, plan, count } = this.#here;
    const nowMs = environment.now();
    const refused = plan.refusedTopics.length;
    if (refused > this.#refused) this.#refusedAtMs = nowMs;
    this.#refused = refused;
    const sinceMs = nowMs - this.#recheckedAtMs;
    const most = recheckNow({
      refused,
      room: count.room("asking"),
      // With a clock that was set back, the time of the last round means nothing.
      sinceMs: sinceMs < 0 ? Infinity : sinceMs,
      sinceRefusedMs: nowMs - this.#refusedAtMs,
      isHinted: this.#isHinted,
    });
    if (most > 0 && !this.#isRechecking) void this.#recheck(most);
  }

  /** @param most how many topics are asked for one by one */
  async #recheck(most: number): Promise<void> {
    const { environment, requests, plan, hub } = this.#here;
    this.#isRechecking = true;
    this.#isHinted = false;
    this.#recheckedAtMs = environment.now();
    const round = { most, after: this.#recheckedLast, refusedAccounts: this.#refusedAccounts };
    const { back, last, refusal } = await recheckRefused(environment, requests, plan, round, this.#signal);
    this.#isRechecking = false;
    this.#recheckedLast = last;
    if (this.#signal.aborted) return;
    if (refusal) this.#owner.pollFailed(refusal.failure, refusal.accountId);
    if (back === 0) return;
    await hub.catalogueChanged();
    // As one is allowed again, others may be that were not asked for.
    if (most < this.#refused) this.#hint();
  }

  /** How long the stream that was silent longest has been silent, ms; 0 if none is open. */
  get #silentMs(): number {
    const nowMs = this.#here.environment.now();
    const open = [...this.#streams.attempts].filter((attempt) => attempt.isOpen && attempt.transport !== "poll");
    return Math.max(0, ...open.map(({ heardAtMs }) => nowMs - heardAtMs));
  }

  /** Whether questions may still be answered by errors. */
  get #mayAsk(): boolean {
    return this.#here.count.room("asking") > 0;
  }

  get #asksForStats(): boolean {
    return !this.#isWithin(this.#noStatsAtMs, COUNT_AGAIN_AFTER_MS);
  }

  /** Asks a server for its count of messages where no check of a stream does. */
  async #count(): Promise<void> {
    if (this.#isCounting || !this.#asksForStats || !this.#mayAsk) return;
    this.#isCounting = true;
    const { environment, requests } = this.#here;
    const { aborter, unlink } = linkedAbort(this.#signal);
    const timer = environment.setTimer(() => aborter.abort(), COUNTED_WITHIN_MS);
    if (!(await this.#ask(statsUrl(requests.address), aborter.signal))) this.#isGone = true;
    environment.clearTimer(timer);
    unlink();
    this.#isCounting = false;
  }

  /** Makes one small request; resolves to whether it was answered, whatever the answer. */
  async #ask(url: string, signal: AbortSignal): Promise<boolean> {
    const { environment, requests } = this.#here;
    const { headers } = requests;
    const init: RequestInit = {
      cache: "no-store",
      referrerPolicy: "no-referrer",
      signal,
      // A proxy may let nothing through without them; they must not follow a redirect to elsewhere.
      ...(headers && { headers, redirect: "error" }),
    };
    const answer = await environment.fetch(url, init).catch(() => undefined);
    if (answer) this.#here.count.answered(answer.status);
    const isForStats = url === statsUrl(requests.address);
    if (answer && isForStats) void this.#read(answer);
    else await answer?.body?.cancel().catch(() => undefined);
    if (answer || !isForStats || signal.aborted) return answer !== undefined;
    // Something, such as a filter, may block this address alone.
    const isHealthy = await this.#ask(healthUrl(requests.address), signal);
    if (isHealthy) {
      this.#noStatsAtMs = environment.now();
      this.#watch = { ...this.#watch, isCounted: false };
    }
    return isHealthy;
  }

  /** Reads the server's count of messages, and acts on what it tells. */
  async #read(answer: Response): Promise<void> {
    const { environment } = this.#here;
    const atMs = environment.now();
    const stats = answer.ok ? decodeStats(await readJson(answer, environment)) : undefined;
    if (!answer.ok) await answer.body?.cancel().catch(() => undefined);
    if (this.#signal.aborted) return;
    this.#watch = { ...this.#watch, isCounted: stats !== undefined };
    // An error may come from a proxy whose server is gone.
    if (answer.status >= 500) this.#isGone = true;
    else if (!stats) this.#noStatsAtMs = atMs;
    if (!stats) return;
    const before = this.#stats;
    this.#stats = stats;
    const wasGone = this.#isGone;
    this.#isGone = false;
    if (wasGone || (before && stats.messages < before.messages)) this.#hint();
    else if (before && stats.messages > before.messages) void this.#published(this.#countedAtMs);
    this.#countedAtMs = atMs;
  }

  #hint(): void {
    if (this.#here.plan.refusedTopics.length === 0) return;
    this.#isHinted = true;
    this.#recheckIfDue();
  }

  /**
   * A message was published at the server. If no stream brings one, it was published to a topic that others have, or
   * that is refused; or a stream is dead alone, which a poll tells.
   */
  async #published(fromMs: number): Promise<void> {
    const { environment, facts, plan, requests } = this.#here;
    const streams = this.#streams;
    if (streams.liveBy) {
      await sleep(environment, BROUGHT_WITHIN_MS, this.#signal);
      const withinMs = environment.now() - fromMs + BROUGHT_WITHIN_MS;
      if (this.#signal.aborted || this.#isWithin(this.#broughtAtMs, withinMs)) return;
    }
    this.#hint();
    if (!streams.liveBy || streams.isPolled || facts.retentionS === 0) return;
    const polled = this.#owner.accountIds.flatMap((accountId) => {
      const own = plan.readable.filter((one) => one.accountId === accountId);
      const topics = own.map(({ topic }) => topic);
      return splitTopicsByUrlLength(requests.address, topics, undefined, plan.credentials(accountId));
    }).length;
    const doubts = allowed(this.#doubts, DOUBTS, environment.now());
    this.#doubts = doubts;
    if (polled > MAX_POLLED || doubts.left < polled) return;
    this.#doubts = { ...doubts, left: doubts.left - polled };
    const found = await Promise.all(this.#owner.accountIds.map((accountId) => this.#owner.checkSilence(accountId)));
    if (this.#signal.aborted || !found.some((failure) => failure?.kind === "silent")) return;
    // A doubt that proved right isn't counted: the allowance limits polls for messages of others.
    this.#doubts = doubts;
    if (streams.renew(-Infinity)) this.#checks = checked(this.#checks, { kind: "forgotten" });
  }

  /** Checks the open connections to the server, and replaces what hangs on dead ones. */
  async #check({ hasSlept }: { hasSlept: boolean }): Promise<void> {
    const waits = hasSlept ? AFTER_SLEEP : checkPace(this.#checks, this.#watch);
    const { environment, requests } = this.#here;
    const streams = this.#streams;
    const signal = this.#signal;
    // A request from before the sleep may hang, so it is not waited for.
    if ((this.#isChecking && !hasSlept) || !this.#mayAsk) return;
    this.#isChecking = true;
    this.#checkedAtMs = environment.now();
    // The first request tells more; the others only use up dead connections.
    let url = this.#asksForStats ? statsUrl(requests.address) : healthUrl(requests.address);
    const ask = (signal: AbortSignal): Promise<boolean> => {
      const isAnswered = this.#ask(url, signal);
      url = healthUrl(requests.address);
      return isAnswered;
    };
    const outcome = await checkConnections(environment, ask, waits, signal);
    const tookMs = environment.now() - this.#checkedAtMs;
    // Only this one may have met a connection that lives.
    if (outcome === "answered" && hasSlept) await this.#askAgain(waits.patienceMs);
    this.#isChecking = false;
    if (signal.aborted) return;
    if (outcome !== "answered") requests.endHanging(outcome === "silent" ? "failed" : "again");
    if (outcome === "stale") void this.#askAgain(waits.patienceMs);
    if (outcome !== "silent") {
      const wasSilent = (this.#silentChecks ?? 0) > 0;
      this.#silentChecks = 0;
      const rate = this.#stats?.rate ?? 0;
      if (outcome === "answered") this.#checks = checked(this.#checks, { kind: "answered", tookMs, rate });
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
    if (this.#silentChecks < GONE_AFTER_CHECKS || this.#silentMs < GONE_AFTER_MS) return;
    this.#silentChecks = 0;
    streams.fail({ kind: "silent" });
  }

  /**
   * Makes requests once more that may hang on dead connections, also those that were made just before. Made again, one
   * may meet the next dead connection; each time it is given longer, as it may also just be slow.
   */
  async #askAgain(patienceMs: number): Promise<void> {
    const { environment, requests } = this.#here;
    for (let round = 1; round <= MAX_DEAD; round++) {
      await sleep(environment, round * patienceMs, this.#signal);
      requests.endHanging("again");
    }
  }

  /** Whether a time of the device's clock is less than `ms` ago. */
  #isWithin(atMs: number, ms: number): boolean {
    const agoMs = this.#here.environment.now() - atMs;
    return agoMs >= 0 && agoMs < ms;
  }
}
