import { serverUrl, publishedCount } from "../../protocol";
import { linkedAbort, sleep, isRecent, SAME_RETURN_MS } from "../environment";
import { readJson } from "../requests/read-text";
import type { ServerContext } from "../server/server-context";
import type { StreamPool } from "../live/stream-pool";
import { DEFAULT_KEEPALIVE_MS } from "../requests/receive-frames";
import type { PolledGroup } from "../sync/polled-group";

/** While a page is in sight, a stream silent for this long, ms, is checked, and again after as long. */
const CHECK_EVERY_MS = 20_000;

/** How long to wait for the first request of a check, ms: at a return, someone is waiting for what was missed. */
const PATIENCE_MS = 3_000;
const PATIENCE_ON_RETURN_MS = 300;

/** How long to wait for further requests, ms: the first round frees dead connections, the second opens new ones. */
const ROUNDS_MS = [500, 2_500];

/**
 * A browser keeps at most six connections to a host (HTTP/1.1): with the first one, this many requests use them all.
 */
const AT_ONCE = 5;

/** A stream may bring a message this much later, ms, than the server is seen to count it. */
const BROUGHT_WITHIN_MS = 500;

/** Once the count has risen for others, it is ignored for this long, ms. */
const COUNT_AGAIN_AFTER_MS = 300_000;

/**
 * Finds dead connections. After a sleep, or when a firewall has forgotten them, a request on a connection that the
 * browser kept hangs until it is aborted; no script can choose another one, and a stream just stays silent. One small
 * request tells: every 20 s while someone looks at a page and the server is silent, and at once when a page or the
 * device comes back (docs/decisions/0022).
 */
export class ConnectionCheck {
  /** Ends the check under way. */
  #current: AbortController | undefined;
  /** When the last check and the last return were, device clock, ms. */
  #checkedAtMs = -Infinity;
  #returnedAtMs = -Infinity;
  /** Whether the host answers checks; not every one does. */
  #hasAnswered = false;
  /** Whether the server says how many messages were published there. */
  #isCounting = true;
  /** The count, and when it was read, device clock, ms. */
  #messages: number | undefined;
  #countedAtMs = -Infinity;
  /** When the count last rose for others, device clock, ms. */
  #othersAtMs = -Infinity;

  /** @param signal ends everything */
  constructor(
    private readonly here: ServerContext,
    private readonly streams: StreamPool,
    private readonly groups: ReadonlyMap<number, PolledGroup>,
    private readonly signal: AbortSignal,
  ) {}

  /** Call this about every second while a page is in sight. */
  look(): void {
    const { facts } = this.here;
    const streams = this.streams;
    if (!streams.liveBy) return;
    // The browser hides a WebSocket's pings, so its silence means nothing; nor does that of a stream whose keepalive
    // interval isn't known yet.
    if (facts.isKeepaliveLearnt && streams.renew(facts.doubtAfterMs, "ws")) {
      // If the known interval were too short, each stream would be replaced before it could correct that.
      if (facts.keepaliveMs < DEFAULT_KEEPALIVE_MS) facts.doubtKeepalive();
      return;
    }
    if (
      this.#current ||
      this.#silentMs < CHECK_EVERY_MS ||
      isRecent(this.here.environment, this.#checkedAtMs, CHECK_EVERY_MS)
    )
      return;
    void this.#check(PATIENCE_MS);
  }

  /** Call this when the page or the device came back. */
  returned(): void {
    if (isRecent(this.here.environment, this.#returnedAtMs, SAME_RETURN_MS)) return;
    this.#returnedAtMs = this.here.environment.now();
    void this.#check(PATIENCE_ON_RETURN_MS);
  }

  /** Call this when a stream opened: a proxy's page may have answered before, which counts nothing. */
  opened(): void {
    this.#isCounting = true;
  }

  async #check(patienceMs: number): Promise<void> {
    const { environment, requests, count } = this.here;
    if (count.room("asking") < 1) return;
    // A request from before a sleep may hang, so a running check is abandoned.
    this.#current?.abort();
    const { aborter, unlink } = linkedAbort(this.signal);
    this.#current = aborter;
    this.#checkedAtMs = environment.now();
    const outcome = await this.#prove(patienceMs, aborter.signal);
    unlink();
    if (aborter.signal.aborted) return;
    this.#current = undefined;
    const tookMs = environment.now() - this.#checkedAtMs;
    if (outcome === "silent") {
      requests.endHanging("failed");
      if (this.#hasAnswered && this.#silentMs > tookMs) this.streams.fail({ kind: "silent" });
      return;
    }
    this.#hasAnswered = true;
    if (outcome === "stale") {
      requests.endHanging("again");
      if (this.streams.renew(-Infinity)) for (const group of this.groups.values()) group.catchUpOnReturn();
    } else if (patienceMs === PATIENCE_MS) return;
    // Only this request may have used a live connection. Those made beside it are repeated, with more time each round,
    // because they may just be slow.
    const againMs = outcome === "stale" ? PATIENCE_ON_RETURN_MS : Math.max(PATIENCE_ON_RETURN_MS, tookMs);
    for (let round = 1; round <= AT_ONCE; round++) {
      await sleep(environment, round * againMs, this.signal);
      requests.endHanging("again");
    }
  }

  /** How a request is answered: at once, only over a new connection (`stale`), or not at all. */
  #prove(patienceMs: number, signal: AbortSignal): Promise<"answered" | "stale" | "silent"> {
    const { environment } = this.here;
    const isOver = linkedAbort(signal);
    const first = this.#ask(
      ROUNDS_MS.reduce((sum, ms) => sum + ms, patienceMs),
      isOver.aborter.signal,
    );
    const others = async (): Promise<"stale"> => {
      await sleep(environment, patienceMs, isOver.aborter.signal);
      for (const withinMs of ROUNDS_MS) {
        if (isOver.aborter.signal.aborted) break;
        const asked = Array.from({ length: AT_ONCE }, () => this.#askHealth(withinMs, isOver.aborter.signal));
        const isAnswered = await Promise.any(asked).then(
          () => true,
          () => false,
        );
        if (isAnswered) return "stale";
      }
      throw new Error("silent");
    };
    const isStale = others();
    const isAnswered = first.then(
      () => "answered" as const,
      () => isStale,
    );
    return Promise.race([isAnswered, isStale])
      .catch(() => "silent" as const)
      .finally(() => {
        isOver.aborter.abort();
        isOver.unlink();
      });
  }

  /** Asks for the server's count of messages, or for its health if something blocks that; rejects without an answer. */
  async #ask(withinMs: number, signal: AbortSignal): Promise<void> {
    const { environment, requests } = this.here;
    const answer = this.#isCounting
      ? await requests.answer(serverUrl(requests.address, "stats"), withinMs, signal).catch(() => undefined)
      : undefined;
    if (!answer) {
      signal.throwIfAborted();
      await this.#askHealth(withinMs, signal);
      this.#isCounting = false;
      return;
    }
    const body = await readJson(answer, environment).catch(() => undefined);
    const messages = answer.ok ? publishedCount(body) : undefined;
    // If a proxy's server is gone, the proxy's error says nothing about the server.
    this.#isCounting = messages !== undefined || answer.status >= 500;
    if (messages !== undefined) void this.#counted(messages);
  }

  async #askHealth(withinMs: number, signal: AbortSignal): Promise<void> {
    const { requests } = this.here;
    const answer = await requests.answer(serverUrl(requests.address, "health"), withinMs, signal);
    await answer.body?.cancel().catch(() => undefined);
  }

  /** The count rose but no stream brought a message: it was for others, or a stream is dead. A poll tells which. */
  async #counted(messages: number): Promise<void> {
    const { environment, facts } = this.here;
    const streams = this.streams;
    const [before, fromMs] = [this.#messages, this.#countedAtMs];
    this.#messages = messages;
    this.#countedAtMs = environment.now();
    if (before === undefined || messages <= before || isRecent(environment, this.#othersAtMs, COUNT_AGAIN_AFTER_MS))
      return;
    await sleep(environment, BROUGHT_WITHIN_MS, this.signal);
    const hasBrought = isRecent(environment, this.here.broughtAtMs, environment.now() - fromMs + BROUGHT_WITHIN_MS);
    if (this.signal.aborted || hasBrought || !streams.liveBy || streams.isPolled || facts.retentionS === 0) return;
    const found = await Promise.all([...this.groups.values()].map((group) => group.checkSilence()));
    if (this.signal.aborted) return;
    if (found.some((failure) => failure?.kind === "silent")) streams.renew(-Infinity);
    else this.#othersAtMs = environment.now();
  }

  /** How long the most silent stream has been silent, ms; 0 if none is open. */
  get #silentMs(): number {
    const nowMs = this.here.environment.now();
    const open = [...this.streams.attempts].filter((attempt) => attempt.isOpen && attempt.transport !== "poll");
    return Math.max(0, ...open.map(({ heardAtMs }) => nowMs - heardAtMs));
  }
}

/** How often a server that is gone is probed, ms: least and most; after a long outage less often. */
const PROBE_MS = [1_000, 1_500] as const;
const PROBE_LONG_MS = [3_000, 5_000] as const;
const LONG_OUTAGE_MS = 360_000;

/** A probe without an answer for this long, ms, is given up; the next ones start meanwhile. */
const GIVE_UP_AFTER_MS = 5_000;

/**
 * Asks a server that is gone whether it is back, every second or so while someone waits, by `/v1/health`, which the
 * server doesn't count. Probes overlap, because one may hang for long if the host doesn't answer at all.
 * @param signal ends this
 * @param answered called once, with whether an earlier probe got no answer, or a late one; then `signal` must abort
 */
export async function probeReturn(
  { environment, requests }: ServerContext,
  signal: AbortSignal,
  answered: (wasAway: boolean) => void,
): Promise<void> {
  const sinceMs = environment.now();
  let wasAway = false;
  let pending = 0;
  const probe = async (): Promise<void> => {
    pending += 1;
    const isBack = await requests.health(signal, GIVE_UP_AFTER_MS);
    pending -= 1;
    if (isBack && !signal.aborted) answered(wasAway);
    else wasAway = true;
  };
  for (;;) {
    const [least, most] = environment.now() - sinceMs < LONG_OUTAGE_MS ? PROBE_MS : PROBE_LONG_MS;
    await sleep(environment, least + environment.random() * (most - least), signal);
    if (signal.aborted) return;
    if (pending > 0) wasAway = true;
    void probe();
  }
}
