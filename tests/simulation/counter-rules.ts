import { isInFeed, isUnread, type StoredMessage } from "../../src/contract";
import { priorityOf } from "../../src/protocol";
import type { CountRecord, SubscriptionRecord } from "../../src/store";
import { Broken, type Evidence } from "./books";

const SECONDS_PER_DAY = 86_400;

/** Every counter agrees with the rows. */
export function checkCounters({ read }: Evidence): void {
  const kept = read<StoredMessage>("messages").filter((row) => row.deletedAtMs === undefined);
  const arrivals = new Set(kept.map((row) => row.arrival));
  if (arrivals.size !== kept.length) throw new Broken("counters", "an arrival number was given twice");
  for (const { subId, topic, total, inFeed, unread, unreadUrgent, unreadHigh } of read<SubscriptionRecord>(
    "subscriptions",
  )) {
    const rows = kept.filter((row) => row.subId === subId);
    const isNew = rows.filter(isUnread);
    const [urgent, high] = [5, 4].map((level) => isNew.filter((row) => priorityOf(row.event) === level).length);
    const said = `${total}, ${inFeed}, ${unread}, ${unreadUrgent}, ${unreadHigh}`;
    const are = `${rows.length}, ${rows.filter(isInFeed).length}, ${isNew.length}, ${urgent}, ${high}`;
    if (said !== are)
      throw new Broken(
        "counters",
        `${topic} says ${said} (stored, in the feed, unread, urgent, high), the rows say ${are}`,
      );
  }
  const days = new Map<string, number>();
  for (const row of kept.filter(isInFeed)) {
    const day = `${row.subId}/${Math.floor(row.time / SECONDS_PER_DAY)}`;
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  for (const { subId, day, count } of read<CountRecord>("counts")) {
    const name = `${subId}/${day}`;
    if (days.get(name) !== count) throw new Broken("counters", `day ${name} says ${count}, not ${days.get(name) ?? 0}`);
    days.delete(name);
  }
  if (days.size > 0) throw new Broken("counters", `no count of day ${[...days.keys()].join()}`);
}
