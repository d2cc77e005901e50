import { isStorable, type ProtocolEvent } from "../protocol";
import type { Arrival } from "../store";
import type { ConnectionStatus } from "./connection-status";
import type { DueMessages } from "./due-messages";
import type { ServerContext } from "./server-context";
import type { StreamSpec } from "./stream-attempt";

/**
 * Takes what the streams of a server bring: the time that it shows, and messages, which are stored and may alert.
 * Resolves to whether an order within a second is unknown now and makes a difference.
 * @param isDoubted the events may have lain in a buffer while the device slept, so they say nothing about the time
 */
export async function receiveLive(
  here: ServerContext,
  status: ConnectionStatus,
  due: DueMessages,
  received: ProtocolEvent[],
  { accountId, topics }: StreamSpec,
  isDoubted: boolean,
): Promise<boolean> {
  const { serverId, plan, serverClock, facts, ingest } = here;
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
    if (!isStorable(event)) continue;
    if (!isDoubted) serverClock.hearMessage(event.time);
    const isAsked = topics.includes(event.topic);
    const own = isAsked && plan.subscriptions.find((one) => one.accountId === accountId && one.topic === event.topic);
    if (own) arrivals.push({ subId: own.subId, event, via: "stream" });
    else if (!isAsked) foreign += 1;
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
  const stored = await ingest.addLive({ serverId, arrivals, serverNowS: nowS, alerts: true });
  return stored.ok && stored.value.isUnsettled;
}
