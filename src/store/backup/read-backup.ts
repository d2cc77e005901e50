// What a backup holds of the messages, read a page at a time.
import type { StoredMessage } from "../../contract";
import { transact, type Database, startingWith } from "../database";
import { readSubscriptions } from "../read-catalogue";
import type { BackupPage, BackupQuery } from "../reader";
import { RowSource } from "../row-source";
import type { TombstoneRecord } from "../schema";
import { handedOutUntil } from "../tombstones";

/**
 * Reads messages of all topics, oldest first in the order of the feed, whatever their marks: done, snoozed, scheduled and
 * earlier versions too. What was deleted comes as a trace; traces that are stored, and what is known of sequences, come with the last page.
 */
export function readBackup(database: Database, { from, count }: BackupQuery): Promise<BackupPage> {
  return transact(
    database,
    ["messages", "subscriptions", "tombstones", "sequences"],
    { mode: "readonly" },
    async (transaction) => {
      const alive = new Set((await readSubscriptions(transaction)).map(({ subId }) => subId));
      const source = new RowSource(transaction, { all: true }, "newer", from ? { behind: from } : {});
      const read = await source.next(count);
      const last = read.at(-1);
      const own = read.filter(({ subId }) => alive.has(subId));
      const page: BackupPage = {
        rows: own.filter(({ deletedAtMs }) => deletedAtMs === undefined),
        traces: own.filter(({ deletedAtMs }) => deletedAtMs !== undefined).map(traceOf),
        sequences: [],
      };
      if (last) return { ...page, next: { time: last.time, arrival: last.arrival } };
      const ranges = [...alive].map((subId) => startingWith(subId));
      const [traces, sequences] = await Promise.all([
        Promise.all(ranges.map((range) => transaction.store("tombstones").getAll(range))),
        Promise.all(ranges.map((range) => transaction.store("sequences").getAll(range))),
      ]);
      return { ...page, traces: traces.flat(), sequences: sequences.flat() };
    },
  );
}

function traceOf({ subId, time, id, event, receivedAtMs }: StoredMessage): TombstoneRecord {
  return { subId, time, id, until: handedOutUntil(event, receivedAtMs) };
}
