import { rowsEvent } from "../../contract";
import { isStorable, type Failure, type ProtocolEvent } from "../../protocol";
import type { Arrival } from "../../store";
import { MAX_TIMER_MS, type Timer } from "../environment";
import type { EventSink } from "../requests/receive-frames";
import type { ServerContext } from "../server/server-context";
import type { StreamSpec } from "./stream-attempt";

/** Failed storing is retried after this, seconds. */
const AGAIN_AFTER_S = 60;

/** Lets a server's scheduled messages enter the feed and raise alerts when they fall due (docs/design.md §4). */
export class DueMessages {
  #timer: Timer | undefined;
  #isOver = false;

  constructor(private readonly here: ServerContext) {}

  /** Lets in what is due, and plans for the next one. */
  async settle(): Promise<void> {
    const { environment, serverId, serverClock, hub } = this.here;
    // The server's clock decides what is due; the device's counts only if nothing ever tells the server's time.
    if (serverClock.estimate() === undefined && !this.here.isPolled()) return;
    const { store, now, clearTimer, setTimer } = environment;
    const settled = await store.settleDue({ serverId, serverNowS: serverClock.nowS, nowMs: now(), alerts: true });
    if (this.#isOver) return;
    let nextDueS: number | undefined = serverClock.nowS + AGAIN_AFTER_S;
    if (settled.ok) {
      hub.announce(rowsEvent(settled.value));
      hub.alerts.claimed(settled.value.alerts);
      nextDueS = settled.value.nextDueS;
    }
    clearTimer(this.#timer);
    if (nextDueS === undefined) return;
    const delayMs = Math.min(Math.max((nextDueS - serverClock.nowS) * 1_000, 1_000), MAX_TIMER_MS);
    this.#timer = setTimer(() => void this.settle(), delayMs);
  }

  stop(): void {
    this.#isOver = true;
    this.here.environment.clearTimer(this.#timer);
  }
}

/** A message this much older than its arrival, seconds, isn't new. */
const HISTORY_AFTER_S = 60;

/** The topics that a stream carries, as it sees them. */
export interface StreamedGroup {
  /** Bytes came. */
  heard(): void;
  /** An order within a second is now unknown and matters. */
  askOrder(): void;
  /** Polls in place of a stream. Resolves to why that failed, if it did, and how many messages were missing. */
  pollInPlace(): Promise<{ failure?: Failure; missing: number }>;
  /** Polls to find out whether a stream that may be silent for long is dead: resolves to why, or undefined. */
  checkSilence(): Promise<Failure | undefined>;
}

/** Takes what a stream brings. */
export function liveSink(here: ServerContext, due: DueMessages, group: StreamedGroup, spec: StreamSpec): EventSink {
  return {
    heard() {
      here.status.heard();
      group.heard();
    },
    events(events, isDoubted = false) {
      void receive(here, due, events, spec, isDoubted).then((isUnsettled) => isUnsettled && group.askOrder());
    },
    malformed: (count) => here.status.countMalformed(count),
  };
}

/**
 * Learns the server's time from events and stores messages, which may alert. Resolves to whether an order within a
 * second is now unknown and matters.
 *
 * @param isDoubted the events may have been buffered while the device slept, so they say nothing about the time
 */
async function receive(
  here: ServerContext,
  due: DueMessages,
  received: ProtocolEvent[],
  { accountId, topics }: StreamSpec,
  isDoubted: boolean,
): Promise<boolean> {
  const { serverId, plan, serverClock, facts, ingest, status } = here;
  const arrivals: Arrival[] = [];
  let foreign = 0;
  for (const event of received) {
    if (!isDoubted && (event.event === "open" || event.event === "keepalive")) {
      const isFirst = serverClock.estimate() === undefined;
      if (event.event === "open") serverClock.hearOpen(event.time);
      else serverClock.hearKeepalive(event.time);
      if (isFirst) void due.settle();
    }
    if (event.event === "keepalive") status.changed();
    else here.broughtAtMs = here.environment.now();
    if (!isStorable(event)) continue;
    if (!isDoubted) serverClock.hearMessage(event.time);
    const isAsked = topics.includes(event.topic);
    const own = isAsked && plan.subscriptions.find((one) => one.accountId === accountId && one.topic === event.topic);
    if (!isAsked) foreign += 1;
    // Servers in a cluster may send old messages again. A new topic's history is left to its poll, or it would alert.
    const isHistory = own && own.joined === undefined && event.time < (serverClock.estimate() ?? 0) - HISTORY_AFTER_S;
    if (own && !isHistory) arrivals.push({ subId: own.subId, event, via: "stream" });
  }
  if (foreign > 0) status.countMalformed(foreign);
  if (arrivals.length === 0) return false;
  const { nowS } = serverClock;
  const subIdOf = (topic: string) => arrivals.find((arrival) => arrival.event.topic === topic)?.subId;
  const isNews = facts.learnRetention(
    arrivals.map((arrival) => arrival.event),
    subIdOf,
    nowS,
  );
  if (isNews) status.changed();
  return ingest.addLive({ serverId, arrivals, serverNowS: nowS, alerts: true });
}
