import { isUnread } from "../../contract";
import type { StorableEvent } from "../../protocol";
import { pushedTag, tellWritten, updateBadge } from "../push/push-notifications";
import type { PushWorker } from "../push/push-worker";
import { readServers, serverOfTopic } from "../read-servers";
import { poll } from "../requests/poll";
import { Requests } from "../requests/requests";
import { keyOf } from "./keys";
import { carrierIn } from "./listening";
import { open, toldBy } from "./packets";

/** A push worker has little time, ms; what it leaves, the next hub hears. */
const WITHIN_MS = 20_000;

/**
 * Takes what the user's other devices told while the app is closed, and withdraws what was dealt with there. Moves
 * nothing on, because the next hub hears it again. One that has said nothing yet first has its own marks to share.
 */
export async function hearTold(worker: PushWorker): Promise<void> {
  const { store, now, setTimer, clearTimer } = worker;
  const [read, servers] = await Promise.all([store.group(), readServers(store)]);
  const group = read.ok ? read.value : undefined;
  if (!group?.counter || group.ended || !servers.ok || (await worker.isInSight())) return;
  const { at, server, credentials } = carrierIn(servers.value, group.address);
  const events: StorableEvent[] = [];
  const aborter = new AbortController();
  const timer = setTimer(() => aborter.abort(), WITHIN_MS);
  const since = group.since === undefined ? ({ kind: "all" } as const) : ({ kind: "id", id: group.since } as const);
  const request = { topics: [group.topic], since, credentials, scheduled: false, signal: aborter.signal };
  await poll(new Requests(worker, at, server), request, { events: (some) => events.push(...some) });
  clearTimer(timer);
  const after = await store.group();
  if (!after.ok || after.value?.topic !== group.topic || after.value.ended) return;
  const key = await keyOf(group);
  for (const event of events) {
    const packet = event.event === "message" && (await open(key, event.message));
    if (packet && packet.said.kind === "moved") break;
    if (!packet) continue;
    const toldAtMs = event.time * 1_000;
    const taken = await store.takeRegisters(toldBy(packet, group, toldAtMs), toldAtMs, now());
    for (const changes of taken.ok ? taken.value : []) {
      tellWritten(worker, changes);
      const tags = changes.changed.flatMap((row) => {
        const address = serverOfTopic(servers.value, row.subId)?.server.address;
        return address && !row.supersededBy && !isUnread(row) ? [pushedTag(address, row.event)] : [];
      });
      if (tags.length > 0) await worker.close(tags);
    }
  }
  await updateBadge(worker);
}
