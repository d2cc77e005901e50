// What a record must be to leave the database. Another page of the origin, an extension, a bug or the disk may have
// damaged it, and readers rely on its type.
import type { Via } from "../contract";
import { decodeEvent, isId, isPriority, LATEST_TIME_S, parseServerAddress } from "../protocol";
import { NOTHING } from "./tally";
import type { EarshotSchema, SegmentRecord, SegmentTextRecord, Settings, SignatureRecord } from "./schema";

type CheckedStore = Exclude<keyof EarshotSchema & string, "settings">;
type Test = (value: unknown) => boolean;
type Fields = Record<string, unknown>;
/** Every field of a record; one that is missing here doesn't compile. */
type RecordShape<Row> = { readonly [Field in keyof Row]-?: Test };

/** A record of the search index is damaged: its messages must be read instead. */
export class DamagedIndex extends Error {
  override readonly name = "DamagedIndex";
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const text: Test = (value) => typeof value === "string";
const number: Test = (value) => Number.isFinite(value);
const numberOrEver: Test = (value) => number(value) || value === Infinity;
const count: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const flag: Test = (value) => typeof value === "boolean";
const time: Test = (value) => count(value) && (value as number) <= LATEST_TIME_S;
const maybe =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value);
const list =
  (test: Test): Test =>
  (value) =>
    // Unlike `every`, this visits holes.
    Array.isArray(value) && value.findIndex((item) => !test(item)) < 0;
const only =
  (...values: unknown[]): Test =>
  (value) =>
    values.includes(value);
const fields =
  (shape: Readonly<Record<string, Test>>): Test =>
  (value) =>
    isFields(value) && Object.entries(shape).every(([field, test]) => test(value[field]));
/** The object is read by a decoder, or only handed on. */
const object: Test = isFields;
const view =
  (name: string): Test =>
  (value) =>
    Object.prototype.toString.call(value) === `[object ${name}]`;
const one = maybe(only(1));
const stringMap: Test = (value) => isFields(value) && Object.values(value).every(text);

/** Every way; one that is missing here doesn't compile. */
const VIAS: Readonly<Record<Via, true>> = { stream: true, poll: true, push: true, import: true };
const via: Test = (value) => typeof value === "string" && Object.hasOwn(VIAS, value);
const transport = only("json", "sse", "ws", "poll");
const address: Test = (value) => typeof value === "string" && parseServerAddress(value).ok;
const message: Test = (value) => {
  const decoded = decodeEvent(value);
  return decoded.ok && decoded.value.event === "message";
};
const noAlert: Test = (value) => text(value) || fields({ kind: only("quiet"), untilMs: numberOrEver })(value);
const key: Test = (value) =>
  Array.isArray(value) && value.length === 3 && number(value[0]) && number(value[1]) && isId(value[2]);
const mark = { time, id: text };
const control = maybe(fields({ ...mark, others: maybe(list(text)) }));
const credentials: Test = (value) =>
  fields({ kind: only("token"), token: text })(value) ||
  fields({ kind: only("basic"), user: text, password: text })(value);
const fileState: Test = (value) =>
  fields({ kind: only("kept"), bytes: number, atMs: number })(value) ||
  fields({ kind: only("not-kept"), why: text, atMs: number, tries: number, bytes: maybe(number) })(value);

const SHAPES: { readonly [Name in CheckedStore]: RecordShape<EarshotSchema[Name]["value"]> } = {
  servers: {
    serverId: count,
    address,
    formerAddresses: maybe(list(address)),
    name: maybe(text),
    headers: maybe(stringMap),
    chosenTransport: maybe(transport),
    learntTransport: maybe(transport),
    credentialsBy: maybe(only("query")),
    credentialsByAtMs: maybe(number),
    keepaliveMs: maybe(number),
    retentionS: maybe(number),
    lastCompleteAtMs: maybe(number),
    clockAheadS: maybe(number),
    clockSetOnAtMs: maybe(number),
    outageToldSinceMs: maybe(number),
  },
  accounts: {
    accountId: count,
    serverId: count,
    credentials,
    user: maybe(text),
    issued: one,
    expires: maybe(number),
    inStep: maybe(list(text)),
    refusedAtMs: maybe(number),
  },
  subscriptions: {
    subId: count,
    serverId: count,
    accountId: count,
    topic: isId,
    displayName: maybe(text),
    colour: maybe(count),
    icon: maybe(text),
    group: maybe(text),
    order: number,
    mutedUntilMs: maybe(numberOrEver),
    minPriority: maybe(isPriority),
    quietHours: maybe(object),
    fromTime: maybe(number),
    readBefore: maybe(number),
    timeCursor: maybe(number),
    keptFor: maybe(fields({ leastS: number, day: number, nextS: maybe(number) })),
    joined: maybe(only(0, 1)),
    refusedCode: maybe(number),
    keepDays: maybe(count),
    keepMessages: maybe(count),
    keepFilesMb: maybe(count),
    showsRepeats: maybe(only(true)),
    unread: number,
    unreadUrgent: number,
    unreadHigh: number,
    starred: number,
    scheduled: number,
    snoozed: number,
    inFeed: number,
    total: number,
    newest: maybe(fields({ ...mark, arrival: number, text, priority: maybe(isPriority) })),
    removedAtMs: maybe(numberOrEver),
    purging: one,
  },
  cursors: { serverId: count, accountId: count, id: text, time: number, expires: number },
  messages: {
    subId: count,
    time,
    id: isId,
    event: message,
    via,
    arrival: number,
    receivedAtMs: number,
    readAtMs: maybe(number),
    doneAtMs: maybe(number),
    starred: one,
    snoozedUntilMs: maybe(number),
    wokenAtMs: maybe(number),
    deletedAtMs: maybe(number),
    alertedAtMs: maybe(number),
    noAlert: maybe(noAlert),
    sequence: maybe(text),
    updated: one,
    supersededBy: maybe(text),
    unsettled: one,
    rank: maybe(number),
    scheduled: one,
    listed: maybe(list(Array.isArray)),
  },
  sequences: {
    subId: count,
    sequence: text,
    newest: maybe(fields({ ...mark, arrival: number })),
    deleted: control,
    cleared: control,
    until: number,
  },
  tombstones: { subId: count, time: number, id: text, until: number },
  counts: { subId: count, day: number, count: number },
  gaps: { subId: count, from: number, to: number, forgot: one, cut: one },
  segments: {
    from: number,
    to: number,
    times: view("Float64Array"),
    arrivals: view("Float64Array"),
    subIds: view("Uint32Array"),
    facts: view("Uint16Array"),
    ids: view("Uint16Array"),
    tags: list(text),
    tagSlots: view("Uint16Array"),
  },
  segmentTexts: {
    from: number,
    text,
    ends: view("Uint32Array"),
    ids: text,
    idEnds: view("Uint32Array"),
  },
  signatures: {
    kind: only("trigrams", "sequences"),
    from: number,
    froms: view("Float64Array"),
    tos: view("Float64Array"),
    ends: view("Uint32Array"),
    bits: view("Uint8Array"),
  },
  views: { viewId: count, name: text, link: text, order: number },
  attachments: { subId: count, id: isId, time: number, state: fileState, type: maybe(text) },
  push: {
    serverId: count,
    key: text,
    parts: list(
      fields({ scope: text, endpoint: text, accountId: count, topics: list(text), postedAtMs: maybe(number) }),
    ),
    refused: list(text),
    words: object,
    mustShow: maybe(only(true)),
    sinceMs: number,
    postedAtMs: number,
    fault: maybe(object),
    pushedAtMs: maybe(number),
    checkedAtMs: maybe(number),
    heldBack: maybe(number),
    polled: maybe(object),
  },
  leases: { name: text, holder: text, untilMs: number },
  claims: { claimId: number, keys: list(key), until: number, heldUntilMs: maybe(numberOrEver) },
  imports: {
    importId: text,
    untilMs: number,
    whole: maybe(
      fields({
        header: object,
        servers: list(object),
        topics: list(object),
        settings: list(object),
        views: list(object),
        sealed: maybe(object),
        parts: number,
        messages: number,
      }),
    ),
  },
  staged: {
    importId: text,
    part: number,
    messages: list(fields({ at: number, topic: count, event: message, receivedAtMs: number })),
    traces: list(object),
    sequences: list(object),
    gaps: list(object),
  },
  snapshots: { view: text, conditions: text, height: number, root: stringMap, tree: text },
};

/** What a setting must be; the default replaces an invalid one. */
const SETTINGS: { readonly [Name in keyof Settings]-?: Test } = {
  keepDays: count,
  keepMessages: count,
  theme: only("system", "light", "dark"),
  density: only("comfortable", "compact"),
  display: maybe(fields({ textSize: maybe(number), hours: maybe(only(12, 24)), times: maybe(only("relative")) })),
  language: text,
  keepFiles: maybe(object),
  markRead: only("open", "seen", "never"),
  historyRead: flag,
  alerts: flag,
  alertRules: object,
  sounds: object,
  swipeLeft: only("none", "done", "read", "star", "snooze", "delete"),
  swipeRight: only("none", "done", "read", "star", "snooze", "delete"),
  singleKeys: flag,
  allowedRemote: list(number),
  allowedRequests: list(fields({ subId: number, method: text, address: text })),
  groups: list(fields({ name: text, collapsed: maybe(only(true)) })),
  columns: list(fields({ link: text, width: maybe(number) })),
  host: maybe(
    fields({
      config: fields({ topics: list(object), settings: object, locked: list(text) }),
      problems: list(object),
      home: address,
      allowed: maybe(list(address)),
      found: maybe(address),
      applied: object,
      own: maybe(object),
    }),
  ),
};

const COUNTERS = fields({
  nextArrival: count,
  total: number,
  nextNumber: count,
  overfull: maybe(list(number)),
  unindexed: maybe(list((span) => list(number)(span) && (span as unknown[]).length === 2)),
});

/** Whether a value of the `settings` store is what its key promises. */
export function isIntactSetting(name: string, value: unknown): boolean {
  if (name === "counters") return COUNTERS(value);
  return !Object.hasOwn(SETTINGS, name) || SETTINGS[name as keyof Settings](value);
}

/** Replacements for damaged values that are recounted or relearnt. */
const IN_PLACE: Partial<Record<CheckedStore, Fields>> = {
  subscriptions: {
    accountId: 0,
    order: 0,
    ...NOTHING,
  },
};

/** A record without one of these would say the opposite: deleted messages would come back. */
const TELLING: Partial<Record<CheckedStore, readonly string[]>> = {
  messages: ["deletedAtMs", "supersededBy", "scheduled"],
  subscriptions: ["removedAtMs", "purging"],
};

/** The index is read by place, so its parts must fit each other. */
const FITS: Partial<Record<CheckedStore, Test>> = {
  segments: (record) => {
    const { times, arrivals, subIds, facts, ids } = record as SegmentRecord;
    return [arrivals, subIds, facts, ids].every(({ length }) => length === times.length);
  },
  segmentTexts: (record) => {
    const { text, ends, ids, idEnds } = record as SegmentTextRecord;
    return (ends.at(-1) ?? 0) === text.length && (idEnds.at(-1) ?? 0) === ids.length;
  },
  signatures: (record) => {
    const { froms, tos, ends, bits } = record as SignatureRecord;
    return tos.length === froms.length && ends.length === froms.length && (ends.at(-1) ?? 0) === bits.length;
  },
};

/** A usable record: itself, or a copy without damaged optional fields; undefined if it is useless. */
export function intact<Name extends CheckedStore>(
  name: Name,
  record: unknown,
): EarshotSchema[Name]["value"] | undefined {
  const shape = SHAPES[name] as Readonly<Record<string, Test>>;
  if (!isFields(record)) return undefined;
  let mended: Fields | undefined;
  for (const field in shape) {
    if (shape[field]?.(record[field])) continue;
    if (FITS[name]) throw new DamagedIndex();
    if (TELLING[name]?.includes(field)) return undefined;
    const { [field]: _, ...others } = mended ?? record;
    mended = { ...others, ...(IN_PLACE[name] && field in IN_PLACE[name] && { [field]: IN_PLACE[name][field] }) };
    if (!shape[field]?.(mended[field])) return undefined;
  }
  if (FITS[name]?.(record) === false) throw new DamagedIndex();
  return (mended ?? record) as EarshotSchema[Name]["value"];
}

/** Whether anything of a record is damaged. */
export function isDamaged(name: keyof EarshotSchema & string, at: unknown, record: unknown): boolean {
  if (name === "settings") return !isIntactSetting(String(at), record);
  try {
    return intact(name, record) !== record;
  } catch (thrown) {
    if (thrown instanceof DamagedIndex) return true;
    throw thrown;
  }
}
