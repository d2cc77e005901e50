import type { UnsettledSecond } from "./changes";
import { startingWith, transact, type Database } from "./database";

/**
 * At most this many seconds are returned at a time: the newest first, as the order of older ones soon can't be asked
 * for any more.
 */
const MOST = 100;

/** Seconds of sequences whose order makes a difference and isn't known, newest first. */
export function readUnsettled(database: Database): Promise<UnsettledSecond[]> {
  return transact(database, ["messages"], { mode: "readonly" }, async (transaction) => {
    const rows = await transaction.store("messages").index("listed").getLast(startingWith("unsettled"), MOST);
    return rows.flatMap(({ subId, sequence, time, event }) =>
      sequence === undefined ? [] : [{ subId, sequence, time, expires: event.expires ?? time }],
    );
  });
}
