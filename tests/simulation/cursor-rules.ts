import type { StoredMessage } from "../../src/contract";
import { sequenceOf } from "../../src/protocol";
import type { CursorRecord, GapRecord, SequenceRecord, SubscriptionRecord, TombstoneRecord } from "../../src/store";
import { Broken, nameOf, type Evidence } from "./books";
import type { Row } from "./sim-cache";

/** The reconciling poll reaches this far back, seconds (docs/design.md §4). */
const OVERLAP_S = 900;

/** Rounding to whole seconds, plus the time between reading the server's clock and the poll that uses it, ms. */
const ROUNDING_MS = 2_000;

/** Ages of a keepalive, from and to, ms: heard after all faults ended and before two reconciling polls, so they know it. */
const HEARD_WITHIN_MS = [15 * 60_000, 12 * 60_000] as const;

/** Checks after every commit that no cursor has passed a message that is not stored, so that later polls bring it. */
export class CursorRules {
  readonly #timeCursors = new Map<number, number>();
  readonly #idCursors = new Map<string, string>();

  check(evidence: Evidence, stores: DOMStringList): void {
    if (!stores.contains("subscriptions") && !stores.contains("cursors")) return;
    const subscriptions = evidence.read<SubscriptionRecord>("subscriptions");
    evidence.books.noteJoined(subscriptions, evidence.nowMs);
    for (const subscription of subscriptions) this.#checkTime(evidence, subscription);
    for (const cursor of evidence.read<CursorRecord>("cursors")) this.#checkId(evidence, cursor, subscriptions);
  }

  #checkTime(evidence: Evidence, subscription: SubscriptionRecord): void {
    const { subId, topic, timeCursor, removedAtMs } = subscription;
    if (timeCursor === undefined || removedAtMs !== undefined) return;
    const { server } = evidence;
    const before = this.#timeCursors.get(subId);
    if (before === timeCursor) return;
    this.#timeCursors.set(subId, timeCursor);
    // A time cursor goes back only after the server's clock did, or seems to have: a worker that was frozen takes the
    // time that its stream told meanwhile for the present one. Before it moves the cursor, it asks for everything.
    const isToldInTime = evidence.isAttentive && server.setBackAtMs === -Infinity;
    if (before !== undefined && timeCursor < before && isToldInTime) {
      throw new Broken("cursor", `time cursor of ${topic} went back`);
    }
    // The server's clock cannot have shown such a time yet.
    if (server.setBackAtMs === -Infinity && timeCursor > server.nowS + 1) {
      throw new Broken("cursor", `time cursor of ${topic} lies in the future`);
    }
    const isHere = present(evidence, subscription);
    for (const row of server.cache.rows) {
      if (row.event.topic !== topic || row.storedAtMs < server.setBackAtMs) continue;
      const storedMs = row.storedAtMs + server.skewMs;
      if (
        server.setBackAtMs === -Infinity &&
        storedMs + ROUNDING_MS + server.manners.lagMs < timeCursor * 1_000 &&
        !isHere(row)
      ) {
        throw new Broken("cursor", `time cursor of ${topic} passed ${row.event.id}, which is not stored`);
      }
    }
  }

  #checkId(evidence: Evidence, cursor: CursorRecord, subscriptions: readonly SubscriptionRecord[]): void {
    const group = `${cursor.serverId}/${cursor.accountId}`;
    if (this.#idCursors.get(group) === cursor.id) return;
    this.#idCursors.set(group, cursor.id);
    const { server, books } = evidence;
    // Until then it would not move, and each poll would bring the same messages again.
    const isClockSteady = server.setBackAtMs === -Infinity && !books.hasDeviceClockJumped;
    if (isClockSteady && cursor.time > server.nowS + 1) {
      throw new Broken("cursor", `the id cursor is ${cursor.id}, which is not due yet`);
    }
    const marker = server.cache.rows.find((row) => row.event.id === cursor.id);
    if (!marker) {
      if (server.published.get(cursor.id)?.storedAtMs !== undefined) return;
      throw new Broken("cursor", `the id cursor is ${cursor.id}, which the server never kept`);
    }
    for (const subscription of subscriptions) {
      const { topic, accountId, joined, timeCursor, removedAtMs, refusedCode } = subscription;
      // Each account's topics are polled separately and have their own cursor.
      if (accountId !== cursor.accountId || !joined || removedAtMs !== undefined || refusedCode !== undefined) continue;
      const isHere = present(evidence, subscription);
      for (const row of server.cache.rows) {
        if (row.event.topic !== topic || !row.delivered || row.row > marker.row || isHere(row)) continue;
        if (timeCursor === undefined || row.event.time >= timeCursor - OVERLAP_S) continue;
        // After the clock was set back, the next keepalive makes the device ask for everything.
        if (timeCursor > server.nowS + 1) continue;
        // After the clock was set forward everything is asked for until no upload from before can be under way.
        const sinceSetOnMs = row.storedAtMs - server.setOnAtMs;
        if (sinceSetOnMs > 0 && sinceSetOnMs < OVERLAP_S * 1_000) continue;
        throw new Broken("cursor", `the id cursor ${cursor.id} passed ${row.event.id}, which no poll will find`);
      }
    }
  }
}

/** Once the device heard that the server's clock was set back and two reconciling polls passed, no time cursor is ahead of it. */
export function checkCursorsFollow({ server, read, nowMs }: Evidence): void {
  const isHeard = server.signalsHeardMs.some(
    (ms) => ms > Math.max(server.setBackAtMs, nowMs - HEARD_WITHIN_MS[0]) && ms < nowMs - HEARD_WITHIN_MS[1],
  );
  if (!isHeard) return;
  for (const subscription of read<SubscriptionRecord>("subscriptions")) {
    const { topic, timeCursor = 0, joined, refusedCode, removedAtMs } = subscription;
    if (!joined || refusedCode !== undefined || removedAtMs !== undefined) continue;
    if (timeCursor <= server.nowS + 1) continue;
    throw new Broken("cursor", `time cursor of ${topic} stays in the future`);
  }
}

/** Whether a message may be missing because replays are cut: it has expired, or a gap says that it was left out. */
export function isLeftOut(
  { server, read }: Pick<Evidence, "server" | "read">,
  subId: number,
  { time, expires = Infinity }: Row["event"],
): boolean {
  if (server.manners.replayBytes === Infinity) return false;
  if (expires <= server.nowS) return true;
  return read<GapRecord>("gaps").some((gap) => gap.subId === subId && time >= gap.from && time <= gap.to);
}

/** Makes a test of whether a row of the server is stored, or was and is gone for good. */
export function present(
  evidence: Evidence,
  { subId, fromTime = -Infinity }: SubscriptionRecord,
): (row: Row) => boolean {
  const { read, books } = evidence;
  const stored = new Set(read<StoredMessage>("messages").flatMap((row) => (row.subId === subId ? [row.id] : [])));
  const buried = new Set(read<TombstoneRecord>("tombstones").flatMap((row) => (row.subId === subId ? [row.id] : [])));
  const sequences = new Map(
    read<SequenceRecord>("sequences").flatMap((one) => (one.subId === subId ? [[one.sequence, one] as const] : [])),
  );
  return ({ event, delivered }) => {
    if (stored.has(event.id) || buried.has(event.id) || event.time < fromTime) return true;
    if (isLeftOut(evidence, subId, event)) return true;
    const name = nameOf({ subId, id: event.id });
    if (books.deletionAsked.has(name) || books.pruned.has(name)) return true;
    const sequence = sequences.get(sequenceOf(event));
    if (event.event !== "message") {
      if (!sequence && books.sequenceOutlived(subId, sequenceOf(event))) return true;
      const mark = event.event === "message_delete" ? sequence?.deleted : sequence?.cleared;
      return mark !== undefined && mark.time >= event.time;
    }
    // A scheduled message that a newer event of its sequence removed comes back with the next poll, if at all.
    if (!delivered) return true;
    if (sequence?.deleted !== undefined && event.time < sequence.deleted.time) return true;
    // A message of the delete's own second is remembered separately, and a clock set forward drops that memory early.
    return sequenceOf(event) !== event.id && books.outlived(name);
  };
}
