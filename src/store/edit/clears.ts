// What was read here of topics that only the user reads: their servers are told (docs/design.md §6, "Read by one").
import { isDealtWith, MAX_UNDO_MS, type StoredMessage } from "../../contract";
import { isCached, isTopicName, priorityOf, sequenceOf } from "../../protocol";
import { type Database, type Transaction, transact } from "../database";
import type { ClearRecord, SubscriptionRecord } from "../schema";

/** What a hub has taken is due again after this, ms, unless it was told. */
const TAKEN_MS = 60_000;

/**
 * Notes, with the change itself, that the user has read a message or is done with it. A change that came from another
 * device isn't noted: that device tells the server.
 */
export function noteClear(
  transaction: Transaction<"clears">,
  topic: SubscriptionRecord | undefined,
  before: StoredMessage,
  after: StoredMessage,
  nowMs: number,
): void {
  const { subId, time, id, event } = after;
  const sequence = sequenceOf(event);
  if (topic?.tellsRead !== "on" || isDealtWith(before) || !isDealtWith(after)) return;
  if (after.supersededBy !== undefined || after.scheduled || !isCached(event) || !isTopicName(sequence)) return;
  const made = { subId, sequence, time, id, priority: priorityOf(event), expires: event.expires ?? time };
  transaction.store("clears").put({ ...made, dueAtMs: nowMs + MAX_UNDO_MS });
}

/**
 * Takes a clear to send it. False = another hub has it, or it is over and removed: the user undid it or wants nothing
 * told any more, or the server (`serverNowS` by its clock, Unix seconds) has forgotten, replaced or cleared the message.
 */
export function takeClear(database: Database, clear: ClearRecord, nowMs: number, serverNowS: number): Promise<boolean> {
  const { subId, sequence, time, id } = clear;
  const names = ["clears", "messages", "sequences", "subscriptions"] as const;
  return transact(database, names, "write", async (transaction) => {
    const clears = transaction.store("clears");
    const [stored, row, state, topic] = await Promise.all([
      clears.get([subId, sequence]),
      transaction.store("messages").get([subId, time, id]),
      transaction.store("sequences").get([subId, sequence]),
      transaction.store("subscriptions").get(subId),
    ]);
    if (stored?.dueAtMs !== clear.dueAtMs) return false;
    const isKnown = [state?.cleared, state?.deleted].some((mark) => mark && mark.time >= time);
    const isNewest = (state?.newest?.id ?? id) === id && row?.supersededBy === undefined;
    const isWanted = topic?.tellsRead === "on" && (!row || isDealtWith(row));
    const isTold = isWanted && isNewest && !isKnown && clear.expires > serverNowS;
    if (isTold) clears.put({ ...stored, dueAtMs: nowMs + TAKEN_MS });
    else clears.delete([subId, sequence]);
    return isTold;
  });
}

/** Removes a clear that its server has, unless a later version was read meanwhile. */
export function forgetClear(database: Database, { subId, sequence, id }: ClearRecord): Promise<void> {
  return transact(database, ["clears"], "write", async (transaction) => {
    const clears = transaction.store("clears");
    const stored = await clears.get([subId, sequence]);
    if (stored?.id === id) clears.delete([subId, sequence]);
  });
}
