import type { UnsettledSecond } from "./changes";
import { startingWith, transact, type Database } from "./database";

/** Seconds given at a time: the youngest first, as what is older soon can't be asked for any more. */
const MOST = 100;

/** Seconds of sequences whose order makes a difference and is not known, the youngest first. */
export function readUnsettled(database: Database): Promise<UnsettledSecond[]> {
  return transact(database, ["messages"], { mode: "readonly" }, async (transaction) => {
    const rows = await transaction.store("messages").index("listed").getLast(startingWith("unsettled"), MOST);
    return rows.flatMap(({ subId, sequence, time, event }) =>
      sequence === undefined ? [] : [{ subId, sequence, time, expires: event.expires ?? time }],
    );
  });
}
