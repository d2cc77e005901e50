import {
  ALERT_WITHIN_MS,
  beats,
  heldBackBy,
  keyOf,
  markKey,
  stampAt,
  type StoredMessage,
  type OutgoingMessage,
  type HeldBack,
  type AlertFacts,
  whyNoAlert,
  type MessageKey,
} from "../../contract";
import { type MessageEvent, type SequenceEvent, sequenceOf } from "../../protocol";
import { applySequences, type OnCleared, replacedBy } from "./apply-sequences";
import type { Arrival, CursorMoves, IngestBatch, IngestResult } from "../changes";
import { transact, type Database, type Transaction, startingWith, type Readable } from "../database";
import { MessageWriter, WRITER_STORES } from "./message-writer";
import type { SubscriptionRecord } from "../schema";
import {
  arrivalsOf,
  sequenceText,
  type EnteringVersion,
  type SequenceArrivals,
  secondOrders,
  type SecondOrder,
} from "./reduce-sequence";
import { dayOf } from "../tally";
import { groupIn, SHARING_STORES, sharing, type ToldMarks, toldOf, withMarks } from "./told-marks";

const STORES = [...WRITER_STORES, ...SHARING_STORES, "tombstones", "sequences", "cursors", "claims", "outbox"] as const;

/** Batches up to this size are live arrivals: nothing else is that small, and they affect few counters. */
const FEW = 4;

type IngestTransaction = Transaction<(typeof STORES)[number]>;

/** What the store knew before about one subscription's arrivals. */
interface Known {
  subscription: SubscriptionRecord;
  /** Of the batch's messages. */
  keys: readonly MessageKey[];
  /** Ids that are stored, among and around those of the batch. */
  stored: ReadonlySet<string>;
  /** Ids that were deleted or pruned. */
  buried: ReadonlySet<string>;
  /** Names of sequences, including each of the batch that has a record. */
  sequences: ReadonlySet<string>;
  /** Marks that other devices told of what comes now, by time and id. */
  told?: ReadonlyMap<string, ToldMarks>;
}

/** A batch, sorted by what becomes of each arrival. */
interface Sorted {
  /** Rows to write as they are: new ones, and those listed as scheduled whose time has come. */
  plain: EnteringVersion[];
  sequences: SequenceArrivals[];
}

/**
 * Stores a batch in one transaction: only what is new, with its counters, its claims to alert and the moves of the
 * cursors (docs/design.md §4). Everything that arrives comes through here, so nothing is lost or doubled however many
 * writers there are. The transaction waits only for its own reads.
 *
 * @param onNew called with what is new before it is written, if it gets that far, so that it can be shown even if there
 * is no room for it
 */
export function ingest(
  database: Database,
  batch: IngestBatch,
  onNew: (rows: StoredMessage[]) => void = () => undefined,
): Promise<IngestResult> {
  return transact(database, STORES, "write", async (transaction) => {
    const bySubscription = groupedBy(batch.arrivals, ({ subId }) => subId);
    const { cursors } = batch;
    const [writer, due, outgoing, rules, group, ...lookups] = await Promise.all([
      MessageWriter.open(transaction, [...batch.arrivals, ...movedBy(cursors)], daysOfFew(batch.arrivals)),
      readDue(transaction, batch),
      readOutgoing(transaction, batch),
      transaction.store("settings").get("alertRules"),
      groupIn(transaction),
      ...[...bySubscription].map(([subId, arrivals]) => lookUp(transaction, subId, arrivals)),
    ]);
    const known = new Map<number, Known>();
    for (const { subId, ...lookup } of lookups) {
      const subscription = writer.subscription(subId);
      if (!subscription || subscription.removedAtMs !== undefined) continue;
      known.set(subId, { subscription, ...lookup });
    }
    const sharesMarks = sharing(group, "marks");
    if (sharesMarks) await Promise.all([...known.values()].map((facts) => lookUpTold(transaction, facts)));

    const setAsideFrom = batch.setAside ? writer.setAsideArrivals(batch.setAside) : undefined;
    let arrivalsFrom = batch.arrivalsFrom;
    const takeArrival = () => (arrivalsFrom === undefined ? writer.takeArrival() : arrivalsFrom++);
    const { plain, sequences } = sortOut(batch, known, { due, outgoing }, takeArrival);
    const onCleared: OnCleared = (subId, rows, { time }) =>
      shareClear(transaction, known.get(subId)?.subscription, rows, { clearedMs: time * 1_000, nowMs: batch.nowMs });
    // Even an empty wait would cost plain batches a turn of the transaction.
    const outcomes =
      sequences.length === 0
        ? []
        : await applySequences(transaction, writer, sequences, batch, sharesMarks ? onCleared : undefined);
    const entering = [...plain, ...outcomes.flatMap(({ stored }) => stored)];
    onNew(entering.filter((version) => !version.before && isShown(version)).map(({ row }) => row));
    const { added, settled, alerts } = write(transaction, writer, entering, batch, heldBackBy(rules, batch.nowMs));
    if (outcomes.some(({ cancelsScheduled }) => cancelsScheduled)) {
      // The server still has what this batch brings.
      const present = new Set(batch.arrivals.map(({ subId, event }) => `${subId}/${event.id}`));
      const replaced = replacedBy(outcomes, await readScheduled(transaction));
      for (const row of replaced) if (!present.has(`${row.subId}/${row.id}`)) writer.remove(row);
    }
    if (cursors) await moveCursors(transaction, writer, cursors);

    const changes = await writer.finish();
    added.sort((a, b) => a.arrival - b.arrival);
    return {
      ...changes,
      changed: [...changes.changed, ...settled],
      ...{ added, alerts },
      ...(setAsideFrom !== undefined && { setAsideFrom }),
      isUnsettled: outcomes.some((outcome) => outcome.isUnsettled),
    };
  });
}

export function groupedBy<Item>(items: readonly Item[], numberOf: (item: Item) => number): Map<number, Item[]> {
  const groups = new Map<number, Item[]>();
  for (const item of items) {
    const group = groups.get(numberOf(item));
    if (group) group.push(item);
    else groups.set(numberOf(item), [item]);
  }
  return groups;
}

/** The days of one or a few live messages: reading them early saves a round trip before they are on screen. */
function daysOfFew(arrivals: readonly Arrival[]): { subId: number; day: number }[] {
  if (arrivals.length > FEW) return [];
  return arrivals.map(({ subId, event }) => ({ subId, day: dayOf(event.time) }));
}

function movedBy({ timeCursors = [], joined = [] }: CursorMoves = {}): { subId: number }[] {
  return [...timeCursors, ...joined.map((subId) => ({ subId }))];
}

/** What is known about a topic's arrivals: ids, and those known as a sequence's first version before they came. */
async function lookUp(transaction: IngestTransaction, subId: number, arrivals: readonly Arrival[]) {
  const keys = arrivals.flatMap(({ event: { event, time, id } }) =>
    event === "message" ? [keyOf({ subId, time, id })] : [],
  );
  const [known, sequences] = await Promise.all([
    knownMessages(transaction, keys),
    knownSequences(
      transaction,
      subId,
      keys.map(([, , id]) => id),
    ),
  ]);
  return { subId, keys, ...known, sequences };
}

/** Marks that other devices told of messages that are new here. */
async function lookUpTold(transaction: IngestTransaction, facts: Known): Promise<void> {
  const { subscription, keys, stored } = facts;
  const fresh = keys.filter(([, , id]) => !stored.has(id));
  if (fresh.length > 0) facts.told = await toldOf(transaction, subscription, fresh);
}

/**
 * A clear that another app sent counts for the user's devices as a mark of its time, so that they agree in whatever
 * order they hear of it: what was marked unread since stays unread.
 */
async function shareClear(
  transaction: IngestTransaction,
  subscription: SubscriptionRecord | undefined,
  rows: readonly StoredMessage[],
  { clearedMs, nowMs }: { clearedMs: number; nowMs: number },
): Promise<void> {
  const server = subscription && (await transaction.store("servers").get(subscription.serverId));
  if (!server) return;
  const store = transaction.store("shared");
  for (const row of rows) {
    const key = markKey("read", { ...row, address: server.address, topic: subscription.topic });
    const clear = { key, value: clearedMs, stamp: stampAt(clearedMs, "clear"), changedAtMs: nowMs };
    const known = await store.get(key);
    if (!known || beats(clear, known)) {
      store.put({ ...known, ...clear });
      row.readAtMs ??= nowMs;
    } else if (known.value === null) delete row.readAtMs;
  }
}

/** Whether it was delivered: a stream or push brings nothing else; for a poll with `scheduled=1` its time decides. */
function isDeliveredArrival({ event, via }: Arrival, serverNowS: number): boolean {
  return via !== "poll" || event.time <= serverNowS;
}

/** What the user sends and this batch brings. Only that is read, as its files may be large. */
async function readOutgoing(transaction: IngestTransaction, { arrivals }: IngestBatch): Promise<OutgoingMessage[]> {
  const own = arrivals.filter(({ event }) => sequenceOf(event) !== event.id);
  const found = await Promise.all(
    own.map(({ subId, event }) => transaction.store("outbox").get([subId, sequenceOf(event)])),
  );
  return found.filter((outgoing) => outgoing !== undefined);
}

/** Scheduled rows within the arrivals' time span: if they arrive again, they are due. */
async function readDue(transaction: IngestTransaction, batch: IngestBatch): Promise<StoredMessage[]> {
  let from = Infinity;
  let to = -Infinity;
  for (const arrival of batch.arrivals) {
    if (!isDeliveredArrival(arrival, batch.serverNowS)) continue;
    from = Math.min(from, arrival.event.time);
    to = Math.max(to, arrival.event.time);
  }
  if (from > to) return [];
  return transaction
    .store("messages")
    .index("listed")
    .getAll(IDBKeyRange.bound(["scheduled", from], ["scheduled", to]));
}

function readScheduled(transaction: IngestTransaction): Promise<StoredMessage[]> {
  return transaction.store("messages").index("listed").getAll(startingWith("scheduled"));
}

/**
 * @param due rows listed as scheduled, within the time span of the batch
 * @param outgoing what the user sends; if it comes before its answer, it is read all the same (decision 0031)
 */
function sortOut(
  batch: IngestBatch,
  known: ReadonlyMap<number, Known>,
  { due, outgoing }: { due: readonly StoredMessage[]; outgoing: readonly OutgoingMessage[] },
  takeArrival: () => number,
): Sorted {
  const entering = new Map<number, Map<string, EnteringVersion>>();
  const controls: { subId: number; event: SequenceEvent }[] = [];
  const ordered: Arrival[] = [];
  for (const arrival of batch.arrivals) {
    const { subId, event } = arrival;
    const facts = known.get(subId);
    if (!facts || event.time < (facts.subscription.fromTime ?? -Infinity)) continue;
    const isDelivered = isDeliveredArrival(arrival, batch.serverNowS);
    if (batch.isOrdered && isDelivered) ordered.push(arrival);
    if (event.event !== "message") {
      controls.push({ subId, event });
      continue;
    }
    const own = entering.get(subId) ?? new Map<string, EnteringVersion>();
    entering.set(subId, own);
    const twin = own.get(event.id);
    if (twin) {
      if (isDelivered) delete twin.row.scheduled;
    } else if (facts.stored.has(event.id)) {
      const before = isDelivered ? due.find((row) => row.subId === subId && row.id === event.id) : undefined;
      if (before) own.set(event.id, { before, row: delivered(before) });
    } else if (!facts.buried.has(event.id)) {
      const row = rowOf(arrival, event, batch.nowMs, takeArrival(), !isDelivered);
      const sent = outgoing.find((one) => one.subId === subId && one.sequence === sequenceOf(event));
      const isOwn = isDelivered && sent && sent.delay === undefined;
      if (isOwn || event.time < (batch.readBefore ?? facts.subscription.readBefore ?? 0)) row.readAtMs = batch.nowMs;
      const told = facts.told?.get(`${event.time} ${event.id}`);
      own.set(event.id, { row: told ? withMarks(row, told, batch.nowMs) : row });
    }
  }
  return splitSequences(entering, controls, secondOrders(ordered), known);
}

function rowOf(
  { subId, via }: Arrival,
  event: MessageEvent,
  receivedAtMs: number,
  arrival: number,
  isScheduled: boolean,
): StoredMessage {
  const row: StoredMessage = { subId, time: event.time, id: event.id, event, via, arrival, receivedAtMs };
  if (isScheduled) row.scheduled = 1;
  return row;
}

/** Separates lone messages from versions. Scheduled ones enter their sequence when due. */
function splitSequences(
  entering: ReadonlyMap<number, ReadonlyMap<string, EnteringVersion>>,
  controls: readonly { subId: number; event: SequenceEvent }[],
  orders: readonly SecondOrder[],
  known: ReadonlyMap<number, Known>,
): Sorted {
  const plain: EnteringVersion[] = [];
  const sequences = new Map<string, SequenceArrivals>();
  const sequence = (subId: number, name: string) => arrivalsOf(sequences, subId, name);
  for (const { subId, event } of controls) sequence(subId, event.sequence_id).controls.push(event);
  for (const { subId, sequence: name, time, events } of orders) sequence(subId, name).orders.set(time, events);
  for (const [subId, versions] of entering) {
    for (const { row } of versions.values()) {
      if (!row.scheduled && sequenceOf(row.event) !== row.id) sequence(subId, sequenceOf(row.event));
    }
    const names = known.get(subId)?.sequences;
    const hasSequences = sequences.size > 0 || (names && names.size > 0);
    for (const version of versions.values()) {
      const name = sequenceOf(version.row.event);
      const isPart = hasSequences && (sequences.has(sequenceText(subId, name)) || names?.has(name));
      if (isPart && !version.row.scheduled) sequence(subId, name).versions.push(version);
      else plain.push(version);
    }
  }
  return { plain, sequences: [...sequences.values()] };
}

/** Moves the safe cursors: only forward, unless the server's clock was set back. */
async function moveCursors(transaction: IngestTransaction, writer: MessageWriter, moves: CursorMoves): Promise<void> {
  /** The subscription, unless it was removed meanwhile: then what came for it was dropped, so its cursors stay. */
  const received = (subId: number): SubscriptionRecord | undefined => {
    const subscription = writer.subscription(subId);
    return subscription?.removedAtMs === undefined ? subscription : undefined;
  };
  for (const { subId, time } of moves.timeCursors ?? []) {
    const subscription = received(subId);
    const isForward = time > (subscription?.timeCursor ?? -Infinity);
    if (!subscription || !(isForward || moves.isClockSetBack)) continue;
    subscription.timeCursor = time;
    // "From now on" was set by the old clock; what comes from now on has earlier times.
    if (moves.isClockSetBack && subscription.fromTime !== undefined) {
      subscription.fromTime = Math.min(subscription.fromTime, time);
    }
    writer.amend(subscription);
  }
  for (const subId of moves.joined ?? []) {
    const subscription = received(subId);
    if (!subscription) continue;
    subscription.joined = 1;
    writer.amend(subscription);
  }
  const { group } = moves;
  if (!group) return;
  const cursors = transaction.store("cursors");
  const held = await cursors.get([group.serverId, group.accountId]);
  if (!held || group.time >= held.time) cursors.put(group);
}

/** Claims a row's alert by marking it, or records why there is none. What isn't due is judged later. */
function claimAlert(row: StoredMessage, facts: AlertFacts): boolean {
  if (row.alertedAtMs !== undefined || row.scheduled) return false;
  const why = whyNoAlert(row, facts);
  if (why) row.noAlert = why;
  else row.alertedAtMs = facts.nowMs;
  return !why;
}

/** A scheduled row as it is once delivered. */
export function delivered(row: StoredMessage): StoredMessage {
  const after = { ...row };
  delete after.scheduled;
  return after;
}

/** Whether the version wasn't superseded or deleted before it entered. */
function isShown({ row }: EnteringVersion): boolean {
  return row.supersededBy === undefined && row.deletedAtMs === undefined;
}

/**
 * Writes the rows that enter, new or previously scheduled, each with its alert or why there is none, and the claim to
 * those alerts. Its id is its first message's arrival: none is claimed twice.
 */
export function write(
  transaction: Transaction<"claims">,
  writer: MessageWriter,
  entering: readonly EnteringVersion[],
  { alerts: mayAlert, nowMs }: Pick<IngestBatch, "alerts" | "nowMs">,
  heldBack?: HeldBack,
): { added: StoredMessage[]; settled: StoredMessage[]; alerts: StoredMessage[] } {
  const added: StoredMessage[] = [];
  const settled: StoredMessage[] = [];
  const alerts: StoredMessage[] = [];
  for (const version of entering) {
    const { row, before, isUnsure } = version;
    const topic = writer.subscription(row.subId);
    if (topic && claimAlert(row, { isHistory: !mayAlert, isUnsure, topic, nowMs, heldBack })) alerts.push(row);
    if (before) writer.replace(before, row);
    else writer.insert(row);
    if (isShown(version)) (before ? settled : added).push(row);
  }
  const [first] = alerts;
  if (first) {
    const until = (nowMs + ALERT_WITHIN_MS) / 1_000;
    transaction.store("claims").put({ claimId: first.arrival, keys: alerts.map(keyOf), until });
  }
  return { added, settled, alerts };
}

/** Up to this many keys are looked up one by one (0.04 ms each), so a live message never reads a range. */
const ONE_BY_ONE = 16;

/** A range is read as long as it has at most this many keys for each one wanted; otherwise they are too far apart. */
const MAX_KEYS_FOR_EACH = 4;

/**
 * Which of these keys a store has, and perhaps others between them: 10,000 lookups take seven times as long as one
 * range of 10,000.
 * @param wanted sorted as the store sorts them
 */
async function knownKeys<Key extends IDBValidKey, Value>(
  store: Readable<Key, Value>,
  wanted: readonly Key[],
): Promise<Key[]> {
  if (wanted.length > ONE_BY_ONE) {
    const limit = MAX_KEYS_FOR_EACH * wanted.length;
    const keys = await store.getAllKeys(IDBKeyRange.bound(wanted[0], wanted.at(-1)), limit);
    if (keys.length < limit) return keys;
  }
  const keys = await Promise.all(wanted.map((key) => store.getKey(key)));
  return keys.filter((key) => key !== undefined);
}

/** Compares strings as IndexedDB does: by UTF-16 code unit. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Ids of a topic's messages that are stored, or were deleted here. They are looked up by time and id. */
export async function knownMessages(
  transaction: Transaction<"messages" | "tombstones">,
  keys: readonly MessageKey[],
): Promise<{ stored: ReadonlySet<string>; buried: ReadonlySet<string> }> {
  const wanted = [...keys].sort((a, b) => a[1] - b[1] || compareText(a[2], b[2]));
  const idsAmong = async (store: "messages" | "tombstones"): Promise<ReadonlySet<string>> => {
    const known = await knownKeys(transaction.store(store), wanted);
    return new Set(known.map(([, , id]) => id));
  };
  const [stored, buried] = await Promise.all([idsAmong("messages"), idsAmong("tombstones")]);
  return { stored, buried };
}

/** Which of these names are known sequences. Most topics have none. */
export async function knownSequences(
  transaction: Transaction<"sequences">,
  subId: number,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const store = transaction.store("sequences");
  if ((await store.getKey(startingWith(subId))) === undefined) return new Set();
  const wanted = [...new Set(names)].sort(compareText).map((name): [number, string] => [subId, name]);
  const known = await knownKeys(store, wanted);
  return new Set(known.map(([, name]) => name));
}
