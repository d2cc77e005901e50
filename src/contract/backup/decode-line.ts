// Reads the lines of a backup. A backup may come from anyone, so each line is hostile until it is decoded here.
import {
  checkTopicName,
  decodeEvent,
  fail,
  isId,
  isJsonObject,
  isPriority,
  isTime,
  LATEST_TIME_S,
  type MessageEvent,
  ok,
  parseServerAddress,
  type Result,
  type ServerAddress,
} from "../../protocol";
import { decodeQuietHours } from "../alerts/quiet-hours";
import { SOUND_CHOICES } from "../alerts/sounds";
import type { NoAlertReason } from "../stored-message";
import { MAX_LETTERS_OF_VIEW } from "../topics";
import { BACKUP_FORMAT, BACKUP_VERSION, FOREVER, type BackupHeader, type BackupLine, type BackupMark } from "./lines";

/** Why a line can't be used. */
export type BackupLineError =
  /** It is no line of a backup. */
  | { kind: "foreign" }
  /** The backup was made by a newer version of the app. */
  | { kind: "newer"; version: number }
  /** An impossible value or unknown kind. `isTable`: it is a server or topic, which other lines refer to. */
  | { kind: "wrong"; isTable?: true };

/** A parsed JSON object; what its fields hold has yet to be checked. */
export type JsonObject = Record<string, unknown>;

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Device clock, ms, up to the year 9999. */
function isMoment(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= LATEST_TIME_S * 1_000;
}

/** A longer name, characters, is left out, as nobody gives one. */
const MAX_LETTERS = 200;

/** The longest link that the app reads, characters. */
const MAX_LINK = 16_000;

/** More iterations would keep a device busy for minutes. */
const MAX_ITERATIONS = 10_000_000;

/** The longest salt or vector, and the longest encrypted credentials, characters of base64. */
const MAX_SALT = 100;
const MAX_SEALED = 500_000;

/** How far past events may be ahead of the device's clock, seconds: clocks differ, but not by more. */
const MOST_AHEAD_S = 86_400;

/** How far ahead plans, such as a snooze or a delivery, may be, seconds: ten years. */
const MOST_PLANNED_S = 3_653 * 86_400;

/** Reads a field; undefined = its value is impossible. `nowMs`: device clock. */
type Read<Value> = (value: unknown, nowMs: number) => Value | undefined;

/** What a field that may be missing is read as where it is. */
const ABSENT = Symbol("absent");

/** How each field of a line is read; one that is missing here doesn't compile. */
type LineShape<Line> = {
  readonly [Name in Exclude<keyof Line, "kind">]-?: Read<
    undefined extends Line[Name] ? Line[Name] | typeof ABSENT : Line[Name]
  >;
};

const is =
  <Value>(test: (value: unknown) => value is Value): Read<Value> =>
  (value) =>
    test(value) ? value : undefined;
const maybe =
  <Value>(read: Read<Value>): Read<Value | typeof ABSENT> =>
  (value, nowMs) =>
    value === undefined ? ABSENT : read(value, nowMs);
/** An impossible value counts as missing. */
const orNone =
  <Value>(read: Read<Value>): Read<Value | typeof ABSENT> =>
  (value, nowMs) =>
    read(value, nowMs) ?? ABSENT;
const oneOf =
  <const Value>(...values: readonly Value[]): Read<Value> =>
  (value) =>
    values.find((one) => one === value);
/** No address can hold a lone surrogate. */
const LONE = /\p{Surrogate}/u;
const text =
  (most: number, form = /^/): Read<string> =>
  (value) =>
    typeof value === "string" && value.length <= most && form.test(value) && !LONE.test(value) ? value : undefined;
/** A time no further ahead than clocks differ. */
const past =
  (mostS = MOST_AHEAD_S): Read<number> =>
  (value, nowMs) =>
    isTime(value) && value <= nowMs / 1_000 + mostS ? value : undefined;
/** The same of the device's clock, ms. */
const pastMoment =
  (mostS = MOST_AHEAD_S): Read<number> =>
  (value, nowMs) =>
    isMoment(value) && value <= nowMs + mostS * 1_000 ? value : undefined;

const count = is(isCount);
/** A character that can be seen. */
const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u;
const name = orNone(text(MAX_LETTERS, SEEN));
const base64 = (most: number): Read<string> => text(most, /^[\w+/]+={0,2}$/);
const moment: Read<number> = (value) => (value === FOREVER ? Infinity : is(isMoment)(value, 0));
const address: Read<ServerAddress> = (value) => {
  const parsed = parseServerAddress(typeof value === "string" ? value : "");
  return parsed.ok ? parsed.value : undefined;
};
/** A later one would drop, or mark as read, messages still to come. */
const upToNow: Read<number> = (value, nowMs) =>
  isTime(value) ? Math.min(value, Math.floor(nowMs / 1_000)) : undefined;
const message: Read<MessageEvent> = (value) => {
  const event = decodeEvent(value);
  return event.ok && event.value.event === "message" ? event.value : undefined;
};
const mark: Read<BackupMark> = (value, nowMs) => {
  const { time, id, others } = isJsonObject(value) ? value : {};
  if (past()(time, nowMs) === undefined || !isId(id)) return undefined;
  return { time: time as number, id, ...(Array.isArray(others) && others.every(isId) && { others }) };
};

type PlainReason = Extract<NoAlertReason, string>;

/** Every reason that has no data of its own; one that is missing here doesn't compile. */
const PLAIN_REASONS: Readonly<Record<PlainReason, true>> = {
  unshown: true,
  history: true,
  imported: true,
  superseded: true,
  read: true,
  muted: true,
  priority: true,
  "all-muted": true,
};

const noAlert: Read<NoAlertReason> = (value, nowMs) => {
  if (typeof value === "string") return Object.hasOwn(PLAIN_REASONS, value) ? (value as PlainReason) : undefined;
  if (!isJsonObject(value) || value["kind"] !== "quiet") return undefined;
  const untilMs = moment(value["untilMs"], nowMs);
  return untilMs === undefined ? undefined : { kind: "quiet", untilMs };
};

type LineKind = Exclude<BackupLine["kind"], "header">;

const SHAPES: { readonly [Kind in LineKind]: LineShape<Extract<BackupLine, { kind: Kind }>> } = {
  server: { address, name, transport: maybe(oneOf("json", "sse", "ws", "poll")) },
  topic: {
    server: address,
    topic: (value) => (typeof value === "string" && checkTopicName(value).ok ? value : undefined),
    displayName: name,
    icon: name,
    group: name,
    fromTime: maybe(upToNow),
    readBefore: maybe(upToNow),
    keepDays: maybe(count),
    keepMessages: maybe(count),
    keepFilesMb: maybe(count),
    colour: maybe((value) => (isCount(value) && value <= 9 ? value : undefined)),
    mutedUntilMs: maybe(moment),
    minPriority: maybe(is(isPriority)),
    quietHours: orNone(decodeQuietHours),
    signIn: orNone(oneOf(true)),
    showsRepeats: orNone(oneOf(true)),
    sound: orNone(oneOf(...SOUND_CHOICES)),
  },
  setting: { name: text(MAX_LETTERS), value: (value) => value },
  view: { name: text(MAX_LETTERS_OF_VIEW, SEEN), link: text(MAX_LINK, /^#\//) },
  credentials: {
    iterations: (value) => (isCount(value) && value > 0 && value <= MAX_ITERATIONS ? value : undefined),
    salt: base64(MAX_SALT),
    iv: base64(MAX_SALT),
    data: base64(MAX_SEALED),
  },
  message: {
    topic: count,
    event: message,
    via: oneOf("stream", "poll", "push", "import"),
    receivedAtMs: pastMoment(),
    readAtMs: maybe(pastMoment()),
    doneAtMs: maybe(pastMoment()),
    snoozedUntilMs: maybe(pastMoment(MOST_PLANNED_S)),
    wokenAtMs: maybe(pastMoment()),
    alertedAtMs: maybe(pastMoment()),
    starred: maybe(oneOf(1)),
    scheduled: maybe(oneOf(1)),
    updated: maybe(oneOf(1)),
    version: maybe(oneOf(1)),
    noAlert: maybe(noAlert),
  },
  // A deleted message may have been scheduled; its trace hides nothing else.
  deleted: { topic: count, time: past(MOST_PLANNED_S), id: is(isId), until: is(isTime) },
  sequence: {
    topic: count,
    sequence: is(isId),
    until: is(isTime),
    newest: maybe(mark),
    deleted: maybe(mark),
    cleared: maybe(mark),
  },
  gap: { topic: count, from: is(isTime), to: past(), forgot: orNone(oneOf(1)), cut: orNone(oneOf(1)) },
  end: { messages: count, lines: count },
};

/** Reads one line. An event dated in the future would hide later ones, so it is wrong. @param nowMs device clock */
export function decodeBackupLine(line: string, nowMs: number): Result<BackupLine, BackupLineError> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return fail({ kind: "foreign" });
  }
  if (!isJsonObject(value)) return fail({ kind: "foreign" });
  const { kind } = value;
  if (kind === "header") return decodeHeader(value);
  if (typeof kind !== "string" || !Object.hasOwn(SHAPES, kind)) return fail({ kind: "wrong" });
  const fields: JsonObject = { kind };
  for (const [field, read] of Object.entries<Read<unknown>>(SHAPES[kind as LineKind])) {
    const found = read(value[field], nowMs);
    if (found === undefined) {
      return fail({ kind: "wrong", ...((kind === "server" || kind === "topic") && { isTable: true }) });
    }
    if (found !== ABSENT) fields[field] = found;
  }
  const decoded = fields as unknown as BackupLine;
  return isPlausible(decoded, nowMs) ? ok(decoded) : fail({ kind: "wrong" });
}

/** Whether the fields of a line fit each other. */
function isPlausible(line: BackupLine, nowMs: number): boolean {
  if (line.kind === "gap") return line.from <= line.to;
  if (line.kind !== "message") return true;
  return past(line.scheduled ? MOST_PLANNED_S : MOST_AHEAD_S)(line.event.time, nowMs) !== undefined;
}

function decodeHeader({ format, version, scope, madeAtMs }: JsonObject): Result<BackupHeader, BackupLineError> {
  if (format !== BACKUP_FORMAT || !isCount(version) || version === 0) return fail({ kind: "foreign" });
  if (version > BACKUP_VERSION) return fail({ kind: "newer", version });
  if (scope !== "everything" && scope !== "view" && scope !== "setup") return fail({ kind: "wrong" });
  if (!isMoment(madeAtMs)) return fail({ kind: "wrong" });
  return ok({ kind: "header", format: BACKUP_FORMAT, version, scope, madeAtMs });
}
