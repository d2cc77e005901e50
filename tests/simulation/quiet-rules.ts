import { isUnread, type StoredMessage } from "../../src/contract";
import { type MessageEvent, sequenceOf } from "../../src/protocol";
import type { GapRecord, SubscriptionRecord } from "../../src/store";
import { completeness } from "../../src/ui/state/topics/completeness";
import { cutReplay } from "../newer-server";
import { Broken, nameOf, type Evidence } from "./books";
import { checkCounters } from "./counter-rules";
import { checkCursorsFollow, isLeftOut } from "./cursor-rules";
import type { Published } from "./sim-server";

/** A message published this close to a change, ms, may count as before or after it. */
const EDGE_MS = 60_000;

/** How much later than due a message may be delivered, seconds: the server's job runs now and then, and clocks count whole seconds. */
const DUE_EDGE_S = 20;

/** How far a message's time may lie before its acceptance if the upload took no time, seconds: times are whole seconds. */
const STAMP_ROUNDING_S = 1;

/** How far a message's time may lie before its acceptance, seconds: the scenarios' longest upload, plus rounding. */
const STAMP_EDGE_S = 900;

/** A message that expires within this time, seconds, is no proof of a loss. */
const KEPT_EDGE_S = 180;

/** An alert is shown within this time, ms, even if its worker dies: the next worker takes over. */
const SHOWN_WITHIN_MS = 120_000;

/** Time for two reconciling polls, ms. */
const TWO_POLLS_MS = 11 * 60_000;

/** Checks what must hold once two reconciling polls have passed undisturbed. */
export function checkQuiet(evidence: Evidence): void {
  const { read, books } = evidence;
  const rows = read<StoredMessage>("messages");
  const names = rows.map(nameOf);
  if (new Set(names).size !== names.length) throw new Broken("stored once", "a message is stored twice");
  const [problem] = books.problems;
  if (problem !== undefined) throw new Broken("no problems", String(problem));
  checkCounters(evidence);
  checkCursorsFollow(evidence);
  for (const subscription of read<SubscriptionRecord>("subscriptions")) {
    if (subscription.removedAtMs !== undefined) continue;
    const own = new Map(rows.flatMap((row) => (row.subId === subscription.subId ? [[row.id, row] as const] : [])));
    checkStored(evidence, subscription, own);
    checkStays(evidence, subscription, own);
    checkSequences(evidence, subscription, own);
    checkAlerts(evidence, subscription, own);
    checkGaps(evidence, subscription, own);
    checkFromNowOn(evidence, subscription);
  }
  checkRemoved(evidence, rows);
  for (const name of names) books.confirmed.add(name);
  books.listed = new Set(rows.filter(({ scheduled }) => scheduled).map(nameOf));
  books.hadFullDisk = false;
}

type Rows = ReadonlyMap<string, StoredMessage>;

/** Compares two events in the server's order: by time, then row. undefined = same second, and the server no longer has both. */
function orderOf(one: Published, other: Published): number | undefined {
  const byTime = one.event.time - other.event.time;
  if (byTime !== 0) return byTime;
  return one.row === undefined || other.row === undefined ? undefined : one.row - other.row;
}

/** Finds deletes or clears of a message's sequence that came after it, as far as the order can be known. */
function controlsAfter(
  { server }: Pick<Evidence, "server">,
  message: Published,
  kind: "message_delete" | "message_clear",
): Published[] {
  return [...server.published.values()].filter(
    (other) =>
      other.event.event === kind &&
      other.acceptedAtMs !== undefined &&
      other.event.topic === message.event.topic &&
      other.event.sequence_id === sequenceOf(message.event) &&
      (orderOf(other, message) ?? -1) > 0,
  );
}

/** Ids of the messages that the server still has and that both reconciling polls must have brought. */
function tellable({ server, nowMs }: Evidence): Set<string> {
  const delivered = server.cache.rows.filter((row) => row.delivered).map(({ event }) => event);
  const inOrder = delivered.sort((a, b) => a.time - b.time);
  const old = cutReplay(inOrder, server.manners.replayBytes).filter(({ id }) => {
    const { acceptedAtMs = Infinity } = server.published.get(id) ?? {};
    return acceptedAtMs <= nowMs - TWO_POLLS_MS;
  });
  return new Set(old.map(({ id }) => id));
}

/** Every message that the server could return now is stored. */
function checkStored(evidence: Evidence, { subId, topic, fromTime = -Infinity }: SubscriptionRecord, own: Rows): void {
  const { server, books, nowMs } = evidence;
  const told = tellable(evidence);
  const undelivered = new Set<string>();
  for (const { event, delivered } of server.cache.rows) {
    if (event.topic !== topic || event.event !== "message") continue;
    if (!delivered) undelivered.add(event.id);
    const row = own.get(event.id);
    const name = nameOf({ subId, id: event.id });
    const published = server.published.get(event.id);
    const ends = published && delivered ? controlsAfter(evidence, published, "message_delete") : [];
    if (ends.length > 0) {
      // After the server's clock was set back, the message looks scheduled until its time comes again; then it is deleted.
      if (row && !row.scheduled && ends.some((end) => told.has(end.event.id)) && told.has(event.id))
        throw new Broken("deleted stays deleted", `${event.id} was deleted by an event and is here`);
      continue;
    }
    if (event.time < fromTime) {
      if (row) throw new Broken("from now on", `${event.id} is older than the subscription wants`);
      continue;
    }
    if (row || books.deletionAsked.has(name) || books.pruned.has(name)) continue;
    // A slow upload may have ended a moment ago, and its live copy may have been lost with a connection.
    const { acceptedAtMs = Infinity } = published ?? {};
    if (acceptedAtMs > nowMs - TWO_POLLS_MS) continue;
    // A remembered delete hides messages with an earlier time, even if the server forgot the delete sooner.
    const outlivesDelete = server.setBackAtMs !== -Infinity || server.manners.longer > 0;
    if (outlivesDelete && published && wasDeleted(evidence, published)) continue;
    // Without a stream nobody learns that the clock was set back, so a new message seems older than the subscription.
    if (fromTime !== -Infinity && server.setBackAtMs !== -Infinity) continue;
    if (!delivered && replacedLocally(evidence, event)) continue;
    if (isLeftOut(evidence, subId, event)) continue;
    throw new Broken("nothing lost", `${event.id} of ${topic} is not stored${delivered ? "" : " as scheduled"}`);
  }
  for (const row of own.values()) {
    const published = server.published.get(row.id);
    if (published?.event.topic !== topic) throw new Broken("nothing made up", `${row.id} was never published`);
    const isNear = Math.abs(row.time - server.nowS) <= DUE_EDGE_S;
    // After the device's clock was set back, an older message seems to have come after the poll that lacks it.
    const isClockSteady = server.setBackAtMs === -Infinity && !books.hasDeviceClockJumped;
    if (row.scheduled && !undelivered.has(row.id) && !isNear && isClockSteady) {
      throw new Broken(
        "scheduled",
        `${row.id}, due in ${row.time - server.nowS} s, is listed as scheduled, but the server no longer has it so`,
      );
    }
    if (!row.scheduled && undelivered.has(row.id) && !isNear && isClockSteady) {
      throw new Broken("scheduled", `${row.id}, due in ${row.time - server.nowS} s, is in the feed already`);
    }
  }
}

/** Whether a newer event of its sequence may hide a scheduled version until it is due. */
function replacedLocally({ server }: Evidence, event: MessageEvent): boolean {
  return server.cache.rows.some(
    (row) =>
      row.event.topic === event.topic && row.event.id !== event.id && sequenceOf(row.event) === sequenceOf(event),
  );
}

/** A message stored at a quiet moment stays unless it was deleted or pruned; then it does not come back. */
function checkStays(evidence: Evidence, { subId, topic }: SubscriptionRecord, own: Rows): void {
  const { server, books } = evidence;
  for (const name of books.confirmed) {
    const [sub, id = ""] = name.split("/");
    if (Number(sub) !== subId || own.has(id) || books.deletionAsked.has(name) || books.pruned.has(name)) continue;
    const published = server.published.get(id);
    if (published?.deliveredAtMs === undefined) continue;
    if (wasDeleted(evidence, published)) continue;
    // A clock set forward may have delivered and expired it at once; then `checkGaps` demands a gap.
    if (books.listed.has(name) && published.expiredAtMs !== undefined) continue;
    // After the clock was set back it looks scheduled and, if the server lost it, cancelled.
    if (looksScheduled(server, published) && !server.cache.rows.some((row) => row.event.id === id)) continue;
    throw new Broken("nothing lost", `${id} of ${topic} was stored and is gone`);
  }
  for (const row of own.values()) {
    const name = nameOf(row);
    if (books.outlived(name)) continue;
    if (books.pruned.has(name)) throw new Broken("deleted stays deleted", `${row.id} was pruned and is back`);
    if (books.deleted.has(name) && row.deletedAtMs === undefined) {
      throw new Broken("deleted stays deleted", `${row.id} was deleted by the user and is back`);
    }
  }
}

function wasDeleted(evidence: Pick<Evidence, "server">, published: Published): boolean {
  return controlsAfter(evidence, published, "message_delete").length > 0;
}

/** Whether the server's clock was set back after it gave the message its time, which it does when the upload begins. */
function looksScheduled(
  { setBackAtMs }: Evidence["server"],
  { deliveredAtMs = Infinity, uploadMs }: Pick<Published, "deliveredAtMs" | "uploadMs">,
): boolean {
  return deliveredAtMs - uploadMs <= setBackAtMs;
}

/**
 * Whether a scheduled message seemed delivered when its topic joined, because the device did not know yet that the server's
 * clock had been set back. One late keepalive alone is not believed.
 */
function lookedDelivered(
  { setBackAtMs, skewBeforeMs, signalsHeardMs }: Evidence["server"],
  { event, acceptedAtMs = Infinity }: Published,
  joinedAtMs: number,
): boolean {
  if (setBackAtMs > joinedAtMs || acceptedAtMs > joinedAtMs) return false;
  const heard = signalsHeardMs.filter((ms) => ms > setBackAtMs && ms <= joinedAtMs);
  return heard.length < 2 && event.time * 1_000 <= joinedAtMs + skewBeforeMs;
}

/** The newest version alone of each sequence is shown, also within one second if the server knows the order. */
function checkSequences(evidence: Evidence, { subId, topic }: SubscriptionRecord, own: Rows): void {
  const { server, books } = evidence;
  const told = tellable(evidence);
  const shown = new Map<string, StoredMessage[]>();
  const isWithoutNewest = (sequence: string): boolean =>
    [...own.values()].some(({ event, supersededBy = "" }) => {
      const name = nameOf({ subId, id: supersededBy });
      return sequenceOf(event) === sequence && (books.deletionAsked.has(name) || books.pruned.has(name));
    });
  const newest = new Map<string, number>();
  for (const row of own.values()) {
    if (row.scheduled) continue;
    const name = sequenceOf(row.event);
    newest.set(name, Math.max(newest.get(name) ?? 0, row.time));
    if (row.supersededBy === undefined) shown.set(name, [...(shown.get(name) ?? []), row]);
  }
  for (const [name, time] of newest) {
    const rows = shown.get(name) ?? [];
    // The user deleted the newest version, or retention pruned it first: the older versions stay hidden.
    if (rows.length === 0 && isWithoutNewest(name)) continue;
    if (rows.length !== 1) throw new Broken("sequences", `${rows.length} versions of ${name} of ${topic} are shown`);
    // After a server's clock was set back, a newer version has an earlier time: the server's order counts, below.
    if (rows[0]?.time !== time && server.setBackAtMs === -Infinity)
      throw new Broken("sequences", `not the newest version of ${name} is shown`);
  }
  for (const [name, [row]] of shown) {
    const published = row && told.has(row.id) && server.published.get(row.id);
    if (!published) continue;
    const later = [...own.values()].find((other) => {
      if (other.scheduled || !told.has(other.id) || sequenceOf(other.event) !== name) return false;
      const its = server.published.get(other.id);
      return its !== undefined && (orderOf(its, published) ?? 0) > 0;
    });
    if (later) throw new Broken("sequences", `${row.id} of ${topic} is shown, and ${later.id} came after it`);
    const clear = controlsAfter(evidence, published, "message_clear").find(({ event }) => told.has(event.id));
    if (clear && row.readAtMs === undefined) throw new Broken("sequences", `${row.id} was cleared and is unread`);
  }
}

/** Each new message alerts once, and history does not. */
function checkAlerts(
  { server, books, isAttentive, nowMs }: Evidence,
  subscription: SubscriptionRecord,
  own: Rows,
): void {
  const { subId, topic } = subscription;
  const joinedAtMs = books.joinedAtMs.get(subId) ?? Infinity;
  const askedAtMs = books.askedAtMs.get(topic) ?? Infinity;
  for (const [name, claims] of books.claims) {
    const isOwn = name.startsWith(`${subId}/`);
    if (isOwn && claims > 1 && !books.outlived(name)) throw new Broken("alerts", `${name} alerted twice`);
  }
  for (const row of own.values()) {
    const name = nameOf(row);
    const claimedAtMs = books.claimedAtMs.get(name) ?? Infinity;
    if (isAttentive && isUnread(row) && (books.shownAtMs.get(name) ?? nowMs) > claimedAtMs + SHOWN_WITHIN_MS) {
      throw new Broken("alerts", `${row.id} was claimed, and no tab showed it in time`);
    }
    if (!row.scheduled && row.alertedAtMs === undefined && row.noAlert === undefined) {
      throw new Broken("alerts", `${row.id} did not alert, and nothing says why`);
    }
    if (row.noAlert !== undefined && row.noAlert !== "unshown" && row.alertedAtMs !== undefined) {
      throw new Broken("alerts", `${row.id} alerted, and is said not to as ${row.noAlert}`);
    }
    const published = server.published.get(row.id);
    const deliveredAtMs = published?.deliveredAtMs;
    if (row.scheduled || row.supersededBy !== undefined || !published || deliveredAtMs === undefined) continue;
    const isCleared = controlsAfter({ server }, published, "message_clear").length > 0;
    const isQuiet = isCleared || row.readAtMs !== undefined || lookedDelivered(server, published, joinedAtMs);
    if (row.alertedAtMs === undefined && deliveredAtMs > joinedAtMs + EDGE_MS && !isQuiet) {
      throw new Broken("alerts", `${row.id} is new and did not alert`);
    }
    // What looks scheduled, because the server's clock was set back or, unheard, forward, or the device's was set, alerts
    // when it is due.
    const isUnheard = cameUnheard(server, deliveredAtMs, joinedAtMs) || books.hasDeviceClockJumped;
    const isYetToCome = looksScheduled(server, published) || isUnheard;
    if (row.alertedAtMs !== undefined && deliveredAtMs < askedAtMs - EDGE_MS && !isYetToCome) {
      throw new Broken("alerts", `${row.id} is history and alerted`);
    }
    if (row.readAtMs !== undefined && !books.isReadingAsked && !isCleared) {
      throw new Broken("unread", `${row.id} is read, and nobody read it`);
    }
  }
}

/** A message that was lost for good while the device was away lies within a gap. */
function checkGaps(evidence: Evidence, subscription: SubscriptionRecord, own: Rows): void {
  const { server, books, read } = evidence;
  const { subId, topic, fromTime = -Infinity } = subscription;
  // Clocks that jump give no spans of time to compare.
  if (server.setBackAtMs !== -Infinity || books.hasDeviceClockJumped) return;
  const gaps = read<GapRecord>("gaps").filter((gap) => gap.subId === subId);
  const joinedAtMs = books.joinedAtMs.get(subId) ?? Infinity;
  checkForgotten(evidence, subId);
  const knownAtMs = Math.max(joinedAtMs, books.retentionKnownAtMs.get(subId) ?? Infinity);
  for (const published of server.published.values()) {
    const { event, deliveredAtMs, expiredAtMs, acceptedAtMs = Infinity, isForgotten } = published;
    if (event.event !== "message" || event.topic !== topic || event.time < fromTime) continue;
    if (deliveredAtMs === undefined || own.has(event.id)) continue;
    const name = nameOf({ subId, id: event.id });
    if (isForgotten) {
      if (acceptedAtMs < joinedAtMs + EDGE_MS || !isProvable(evidence, published, own)) continue;
    } else {
      if (expiredAtMs === undefined || acceptedAtMs < knownAtMs + EDGE_MS) continue;
      // The server kept it for less than its retention, as that counts from the message's time or the clock was set forward:
      // the absence may be too short for a gap.
      if (expiredAtMs - acceptedAtMs < (server.manners.retentionS - STAMP_ROUNDING_S) * 1_000) continue;
      // The gap ends where the device guesses that clock to be, by what lay in buffers while it slept.
      if (cameUnheard(server, acceptedAtMs, expiredAtMs)) continue;
    }
    if (books.deletionAsked.has(name) || books.pruned.has(name) || wasDeleted({ server }, published)) continue;
    // What the page tells the user: "complete", or since when.
    const said = completeness(subscription, gaps);
    const isClaimed = said.kind === "all" || (said.kind === "since" && event.time > said.time + DUE_EDGE_S);
    if (isClaimed)
      throw new Broken("completeness", `${event.id} of ${topic} was lost, and the topic is said to be complete`);
    if (gaps.some(({ from, to }) => event.time >= from - STAMP_EDGE_S && event.time <= to + DUE_EDGE_S)) continue;
    throw new Broken("gaps", `${event.id} of ${topic} was lost while away, and no gap says so`);
  }
}

/**
 * A gap that says the server forgot messages covers a time at which it did, here or in another topic: a topic that joined
 * between the loss and its discovery can't tell that it came later.
 */
function checkForgotten({ server, read }: Evidence, subId: number): void {
  // Before the device knows that the clock was set forward, dropped messages do not look expired.
  if (server.setOnAtMs !== -Infinity) return;
  const all = read<GapRecord>("gaps").filter(({ forgot }) => forgot);
  const isTrue = ({ from, to }: GapRecord): boolean =>
    server.lossesS.some((timeS) => timeS >= from - DUE_EDGE_S && timeS <= to + DUE_EDGE_S);
  for (const gap of all.filter((one) => one.subId === subId)) {
    if (all.some((other) => other.to >= gap.from && other.from <= gap.to && isTrue(other))) continue;
    const text = `the server is said to have forgotten something between ${gap.from} and ${gap.to}, which it has not`;
    throw new Broken("gaps", text);
  }
}

/**
 * Whether the device can know that a message was lost with the cache: another one that was lost with it is stored, and the
 * server should still have that one.
 */
function isProvable(
  { server, nowMs, deviceNowMs }: Evidence,
  { event: lost, lostAtMs = Infinity }: Published,
  own: Rows,
): boolean {
  const published = [...server.published.values()];
  // The gap ends at the time of the first message after it, which may be when a slow upload began.
  const isStampLate = published.some(
    ({ event, uploadMs, acceptedAtMs = 0 }) => uploadMs > 0 && acceptedAtMs > lostAtMs && event.time <= lost.time,
  );
  if (isStampLate) return false;
  // A message from close to an earlier loss may lie within that loss's gap.
  const lossesMs = published.flatMap((one) => (one.isForgotten && one.lostAtMs ? [one.lostAtMs] : []));
  const previousMs = Math.max(-Infinity, ...lossesMs.filter((ms) => ms < lostAtMs));
  return [...own.values()].some(({ id, event, scheduled, supersededBy, receivedAtMs }) => {
    const witness = server.published.get(id);
    if (!witness?.isForgotten || witness.lostAtMs !== lostAtMs || scheduled || supersededBy !== undefined) return false;
    if (witness.uploadMs > 0 || (witness.deliveredAtMs ?? 0) < previousMs + TWO_POLLS_MS) return false;
    const receivedMs = receivedAtMs - (deviceNowMs - nowMs);
    // What came before it was due, and was not seen when it was, may have been cancelled (docs/decisions/0017).
    if (receivedMs < (witness.deliveredAtMs ?? Infinity) - EDGE_MS) return false;
    return receivedMs < lostAtMs - EDGE_MS && (event.expires ?? 0) > server.nowS + KEPT_EDGE_S;
  });
}

/** Whether the message came after the server's clock was set forward, and the device hadn't heard that until then. */
function cameUnheard(
  { setOnAtMs, signalsHeardMs }: Evidence["server"],
  acceptedAtMs: number,
  untilMs: number,
): boolean {
  if (setOnAtMs === -Infinity || acceptedAtMs < setOnAtMs) return false;
  return !signalsHeardMs.some((ms) => ms > setOnAtMs && ms < untilMs);
}

/** "From now on" hides earlier messages, and nothing else. */
function checkFromNowOn({ server, books }: Evidence, { topic, fromTime }: SubscriptionRecord): void {
  if (fromTime === undefined || server.setBackAtMs !== -Infinity || books.askedOfFrozen.has(topic)) return;
  const askedAtMs = books.askedAtMs.get(topic) ?? Infinity;
  for (const { event, deliveredAtMs = -Infinity, uploadMs } of server.published.values()) {
    if (event.topic !== topic || uploadMs > EDGE_MS || deliveredAtMs < askedAtMs + EDGE_MS) continue;
    if (event.time < fromTime)
      throw new Broken("from now on", `${event.id} came after it was asked for, and is hidden`);
  }
}

/** Nothing is left of a removed topic whose undo time is over. */
function checkRemoved({ read, books }: Evidence, rows: readonly StoredMessage[]): void {
  const subscriptions = read<SubscriptionRecord>("subscriptions");
  const removed = subscriptions.find(({ removedAtMs }) => removedAtMs !== undefined);
  if (removed && !books.hasDeviceClockJumped) throw new Broken("removed", `${removed.topic} was removed and is here`);
  const kept = new Set(subscriptions.map(({ subId }) => subId));
  const orphan = rows.find(({ subId }) => !kept.has(subId));
  if (orphan) throw new Broken("removed", `${orphan.id} belongs to no topic`);
}
