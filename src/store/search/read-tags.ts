import { isCurrent } from "../../contract";
import { transact, type Database } from "../database";
import { storedCounters } from "../counters";
import { DamagedIndex } from "../intact";
import type { TagCount } from "../read/reader";
import type { TimeSpan } from "../schema";
import { RowSource } from "../read/row-source";

/** How many segments are looked through: some ten thousand messages, a few milliseconds. */
const MAX_SEGMENTS = 100;

/** How many messages that aren't indexed yet are looked through. */
const MAX_ROWS = 300;

const EVERYTHING: readonly TimeSpan[] = [[-Infinity, Infinity]];

/** Tags of the newest messages, most frequent first, by one bounded read. */
export function readTags(database: Database): Promise<TagCount[]> {
  return transact(database, ["segments", "messages", "settings"], { mode: "readonly" }, async (transaction) => {
    const counts = new Map<string, number>();
    const add = (tag: string, count: number) => counts.set(tag, (counts.get(tag) ?? 0) + count);
    const segments = await transaction
      .store("segments")
      .getLast(IDBKeyRange.lowerBound(-Infinity), MAX_SEGMENTS)
      .catch((thrown: unknown) => {
        if (!(thrown instanceof DamagedIndex)) throw thrown;
        return undefined;
      });
    for (const { tags, tagSlots } of segments ?? []) {
      let at = 0;
      for (const tag of tags) {
        const slots = tagSlots[at] ?? 0;
        add(tag, slots);
        at += 1 + slots;
      }
    }
    const { unindexed = EVERYTHING } = (segments && (await storedCounters(transaction))) ?? {};
    let left = MAX_ROWS;
    for (const [from, to] of unindexed.toReversed()) {
      if (left <= 0) break;
      // A span may also cover messages that are indexed: their tags count twice, which only makes them likelier.
      const source = new RowSource(transaction, { all: true }, "older", { within: { from, before: to + 1 } });
      const rows = await source.next(left);
      left -= rows.length;
      for (const { event } of rows.filter(isCurrent)) {
        for (const tag of new Set(event.tags?.map((each) => each.toLowerCase()))) add(tag, 1);
      }
    }
    return [...counts]
      .map(([tag, count]) => ({ tag, count }))
      .sort((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1));
  });
}
