import { isCurrent } from "../../contract";
import { startingWith, transact, type Database } from "../database";
import { DamagedIndex } from "../intact";
import type { TagCount } from "../read/reader";

/** How many segments are examined: some ten thousand messages, a few milliseconds. */
const MAX_SEGMENTS = 100;

/** How many messages that aren't indexed yet are examined. */
const MAX_ROWS = 300;

/** Tags of the newest messages, most frequent first, by one bounded read. */
export function readTags(database: Database): Promise<TagCount[]> {
  return transact(database, ["segments", "messages"], { mode: "readonly" }, async (transaction) => {
    const counts = new Map<string, number>();
    const add = (tag: string, count: number) => counts.set(tag, (counts.get(tag) ?? 0) + count);
    const [segments, rows] = await Promise.all([
      transaction.store("segments").getLast(IDBKeyRange.lowerBound(-Infinity), MAX_SEGMENTS).catch(ifDamaged),
      transaction.store("messages").index("order").getLast(startingWith(), MAX_ROWS),
    ]);
    for (const { tags, tagSlots } of segments) {
      let at = 0;
      for (const tag of tags) {
        const slots = tagSlots[at] ?? 0;
        add(tag, slots);
        at += 1 + slots;
      }
    }
    const indexedTo = segments[0]?.to ?? -Infinity;
    for (const { event } of rows.filter((row) => row.time > indexedTo && isCurrent(row))) {
      for (const tag of new Set(event.tags?.map((each) => each.toLowerCase()))) add(tag, 1);
    }
    return [...counts]
      .map(([tag, count]) => ({ tag, count }))
      .sort((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1));
  });
}

function ifDamaged(thrown: unknown): [] {
  if (!(thrown instanceof DamagedIndex)) throw thrown;
  return [];
}
