// Marks that the user's other devices told: registers of a message may come before it does, or after.
import {
  isInFeed,
  MARK_KINDS,
  type MarkKind,
  MAX_MUTE_MS,
  type MessageKey,
  type ShareKind,
  stampMs,
  type StoredMessage,
} from "../../contract";
import { patched, type Transaction } from "../database";
import type { GroupRecord, SharedRecord, SubscriptionRecord } from "../schema";

export const SHARING_STORES = ["group", "shared", "servers"] as const;

export type ToldMarks = ReadonlyMap<MarkKind, SharedRecord>;

/** The field of a stored message that says whether it has a mark. */
export const MARK_FIELDS = {
  read: "readAtMs",
  done: "doneAtMs",
  starred: "starred",
  snoozed: "snoozedUntilMs",
  deleted: "deletedAtMs",
} as const satisfies Record<MarkKind, keyof StoredMessage>;

export const groupIn = async (transaction: Transaction<"group">): Promise<GroupRecord | undefined> =>
  (await transaction.store("group").getAll())[0];

/** Whether this device tells the others what it has of a kind, and takes theirs. */
export const sharing = (group: GroupRecord | undefined, kind: ShareKind): group is GroupRecord =>
  group !== undefined && group.ended === undefined && group.shares.includes(kind);

/** What was told of these messages of a topic, by time and id with a space between. */
export async function toldOf(
  transaction: Transaction<(typeof SHARING_STORES)[number]>,
  { serverId, topic }: SubscriptionRecord,
  messages: readonly MessageKey[],
): Promise<ReadonlyMap<string, ToldMarks>> {
  const told = new Map<string, Map<MarkKind, SharedRecord>>();
  const names = messages.map(([, time, id]) => `${time} ${id}`).sort();
  const server = await transaction.store("servers").get(serverId);
  if (!server) return told;
  const looking = MARK_KINDS.map(async (kind) => {
    const prefix = `${kind} ${server.address} ${topic} `;
    const range = IDBKeyRange.bound(prefix + (names[0] ?? ""), prefix + (names.at(-1) ?? ""));
    for (const register of await transaction.store("shared").getAll(range)) {
      const name = register.key.slice(prefix.length);
      told.set(name, (told.get(name) ?? new Map<MarkKind, SharedRecord>()).set(kind, register));
    }
  });
  await Promise.all(looking);
  return told;
}

/** The row with the marks that were told; the same if it has them. */
export function withMarks(row: StoredMessage, told: ToldMarks, nowMs: number): StoredMessage {
  let after = row;
  for (const [kind, { value }] of told) {
    if (kind === "snoozed") continue;
    const field = MARK_FIELDS[kind];
    // Deleted as of now, so that there is time to undo it here; and nothing later, whatever the other's clock says.
    const toldMs = kind === "deleted" ? (row.deletedAtMs ?? nowMs) : (value as number);
    const atMs = value === null ? null : Math.min(toldMs, nowMs);
    if (atMs !== (row[field] ?? null)) after = patched(after, { [field]: atMs });
  }
  const untilMs = told.get("snoozed")?.value as number | null | undefined;
  if (untilMs === undefined || (untilMs !== null && untilMs > nowMs + MAX_MUTE_MS)) return after;
  const read = told.get("read");
  // By the server's clock, if it is known.
  const readAtMs = after.readAtMs && read ? stampMs(read.stamp) : after.readAtMs;
  const isOver = untilMs !== null && untilMs <= nowMs;
  // It has brought the message back as unread, unless it was read since.
  const wakes = readAtMs === undefined ? after.snoozedUntilMs !== undefined : readAtMs < (untilMs ?? 0);
  if (isOver && wakes) return woken(after, untilMs);
  const snoozedUntilMs = isOver ? null : untilMs;
  return snoozedUntilMs === (row.snoozedUntilMs ?? null) ? after : patched(after, { snoozedUntilMs });
}

/** The row once its snooze is over. A message that was dealt with meanwhile stays as it is. */
export function woken({ snoozedUntilMs: _, ...row }: StoredMessage, atMs: number): StoredMessage {
  if (!isInFeed(row)) return row;
  const { readAtMs: _read, ...unread } = row;
  return { ...unread, wokenAtMs: atMs };
}
