import type { OutgoingMessage } from "../../contract";
import { transact, type Database } from "../database";

/** At most this many messages wait to be sent, with files of this many bytes together. */
const MOST = 100;
const MOST_BYTES = 100_000_000;

/**
 * Adds, changes or (with undefined) removes a message of the outbox. Resolves to it as it is then; one for which there
 * is no room isn't added.
 */
export function editOutgoing(
  database: Database,
  key: [subId: number, sequence: string],
  edit: (before: OutgoingMessage | undefined) => OutgoingMessage | undefined,
): Promise<OutgoingMessage | undefined> {
  return transact(database, ["outbox"], { mode: "readwrite" }, async (transaction) => {
    const store = transaction.store("outbox");
    const all = await store.getAll();
    const before = all.find(({ subId, sequence }) => subId === key[0] && sequence === key[1]);
    const after = edit(before);
    const bytes = [...all, after].reduce((sum, one) => sum + (one?.file?.content.size ?? 0), 0);
    if (!after) store.delete(key);
    else if (!before && (all.length >= MOST || bytes > MOST_BYTES)) return undefined;
    else if (after !== before) store.put(after);
    return after;
  });
}
