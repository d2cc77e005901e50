// The lines of a backup (docs/backup-format.md): what each holds, and how it is read and written. A backup may come from
// anyone, so each line is hostile until it is decoded here.
import {
  checkTopicName,
  type Credentials,
  decodeEvent,
  type ExtraHeaders,
  fail,
  guards,
  isId,
  isJsonObject,
  isPriority,
  isTime,
  LATEST_TIME_S,
  type MessageEvent,
  ok,
  type Result,
  type ServerAddress,
} from "../../protocol";
import { decodeQuietHours } from "../alerts/quiet-hours";
import { SOUND_CHOICES } from "../alerts/sounds";
import { MAX_HIDE_LETTERS, MAX_HIDES } from "../filter/hides";
import { isPlainReason, isVia, type NoAlertReason } from "../stored-message";
import { MAX_LETTERS_OF_VIEW } from "../topics";
import { serverAddressOf } from "../web-link";

/** In the first line, to tell backups from files of other programs. */
export const BACKUP_FORMAT = "earshot-backup";

/** Version of the format. A reader refuses a newer one. */
export const BACKUP_VERSION = 1;

/** What a backup holds: everything, the messages of one view, or only the set-up (topics, views and settings). */
export type BackupScope = "everything" | "view" | "setup";

/** The kinds of line a backup may contain; with any other it is refused whole. */
export const KINDS_IN: Readonly<Record<BackupScope, readonly BackupLine["kind"][]>> = {
  everything: [
    ...(["server", "topic", "setting", "view", "credentials"] as const),
    ...(["message", "deleted", "sequence", "gap", "end"] as const),
  ],
  view: ["server", "topic", "message", "end"],
  setup: ["server", "topic", "setting", "view", "credentials", "end"],
};

export type BackupLineError =
  /** It isn't a line of a backup. */
  | { kind: "foreign" }
  | { kind: "newer"; version: number }
  /** An impossible value or unknown kind. `isTable`: it is a server or topic, which other lines refer to. */
  | { kind: "wrong"; isTable?: true };

/** A JSON object; its fields have yet to be checked. */
export type JsonObject = Record<string, unknown>;

const { count: isCount } = guards;

/** Device clock, ms, up to the year 9999. */
function isMoment(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= LATEST_TIME_S * 1_000;
}

/** A longer name, in characters, is left out. */
const MAX_LETTERS = 200;

/** The longest link that the app reads, characters. */
const MAX_LINK = 16_000;

/** More iterations would keep a device busy for minutes. */
const MAX_ITERATIONS = 10_000_000;

/** The longest salt or vector, and the longest encrypted credentials, characters of base64. */
const MAX_SALT = 100;
const MAX_SEALED = 500_000;

/** How far past events may be ahead of the device's clock, seconds; clocks differ by less. */
const MAX_AHEAD_S = 86_400;

/** How far ahead plans, such as a snooze or a delivery, may be, seconds: ten years. */
const MAX_PLANNED_S = 3_653 * 86_400;

/** Stands for “for ever”, for which JSON has no number. */
export const FOREVER = "forever";

/** Reads a field; undefined = its value is impossible. `nowMs`: device clock. */
type Read<Value> = (value: unknown, nowMs: number) => Value | undefined;

/** What a missing field is read as. */
const ABSENT = Symbol("absent");

/** A field that may be missing. */
type Maybe<Value> = Read<Value | typeof ABSENT>;

const is =
  <Value>(test: (value: unknown) => value is Value): Read<Value> =>
  (value) =>
    test(value) ? value : undefined;
const maybe =
  <Value>(read: Read<Value>): Maybe<Value> =>
  (value, nowMs) =>
    value === undefined ? ABSENT : read(value, nowMs);
/** An impossible value counts as missing. */
const orNone =
  <Value>(read: Read<Value>): Maybe<Value> =>
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
/** A time, ahead by no more than clocks differ. */
const past =
  (mostS = MAX_AHEAD_S): Read<number> =>
  (value, nowMs) =>
    isTime(value) && value <= nowMs / 1_000 + mostS ? value : undefined;
/** The same in the device's clock, ms. */
const pastMoment =
  (mostS = MAX_AHEAD_S): Read<number> =>
  (value, nowMs) =>
    isMoment(value) && value <= nowMs + mostS * 1_000 ? value : undefined;

const count = is(isCount);
/** A visible character. */
const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u;
const name = orNone(text(MAX_LETTERS, SEEN));
/** Bytes as standard base64. */
const base64 = (most: number): Read<string> => text(most, /^[\w+/]+={0,2}$/);
const moment: Read<number> = (value) => (value === FOREVER ? Infinity : is(isMoment)(value, 0));
/** A later one would drop messages still to come, or mark them read. */
const upToNow: Read<number> = (value, nowMs) =>
  isTime(value) ? Math.min(value, Math.floor(nowMs / 1_000)) : undefined;
const hides: Read<string[]> = (value) => {
  const rules = Array.isArray(value) ? value.slice(0, MAX_HIDES).map((one) => text(MAX_HIDE_LETTERS)(one, 0)) : [];
  const known = rules.filter((one) => one !== undefined);
  return known.length > 0 ? known : undefined;
};
const message: Read<MessageEvent> = (value) => {
  const event = decodeEvent(value);
  return event?.event === "message" ? event : undefined;
};

/** Names one event of a sequence, with the time that orders it. */
interface BackupMark {
  time: number;
  id: string;
  /** Of a delete or clear: ids of the others in the same second. */
  others?: string[];
}

const mark: Read<BackupMark> = (value, nowMs) => {
  const { time, id, others } = isJsonObject(value) ? value : {};
  if (past()(time, nowMs) === undefined || !isId(id)) return undefined;
  return { time: time as number, id, ...(Array.isArray(others) && others.every(isId) && { others }) };
};

const noAlert: Read<NoAlertReason> = (value, nowMs) => {
  if (isPlainReason(value)) return value;
  if (!isJsonObject(value) || value["kind"] !== "quiet") return undefined;
  const untilMs = moment(value["untilMs"], nowMs);
  return untilMs === undefined ? undefined : { kind: "quiet", untilMs };
};

/** What happened to a message. Marks that aren't set are absent; they mean the same as in `StoredMessage`. */
const MARKS = {
  readAtMs: maybe(pastMoment()),
  doneAtMs: maybe(pastMoment()),
  starred: maybe(oneOf(1)),
  snoozedUntilMs: maybe(pastMoment(MAX_PLANNED_S)),
  wokenAtMs: maybe(pastMoment()),
  alertedAtMs: maybe(pastMoment()),
  noAlert: maybe(noAlert),
  scheduled: maybe(oneOf(1)),
  updated: maybe(oneOf(1)),
};

/** The fields of each kind of line; the line's type follows from them. */
const SHAPES = {
  server: {
    address: serverAddressOf,
    name,
    /** Set by hand; absent = the app chooses. */
    transport: maybe(oneOf("json", "sse", "ws", "poll")),
  },
  /** Later lines refer to a topic by its index among the topic lines, from 0. */
  topic: {
    server: serverAddressOf,
    topic: (value: unknown) => (typeof value === "string" && checkTopicName(value).ok ? value : undefined),
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
    /** Whether it is read with credentials, which aren't in this line. */
    signIn: orNone(oneOf(true)),
    showsRepeats: orNone(oneOf(true)),
    // What a server refused one device it may allow another.
    tellsRead: orNone((value): "on" | "refused" | undefined =>
      value === "on" || value === "refused" ? "on" : undefined,
    ),
    /** Filters of messages that Everything leaves out. */
    hides: orNone(hides),
    /** Replaces the sounds by priority. */
    sound: orNone(oneOf(...SOUND_CHOICES)),
  },
  /** `value`: as stored, not yet decoded. */
  setting: { name: text(MAX_LETTERS), value: (value: unknown) => value },
  view: { name: text(MAX_LETTERS_OF_VIEW, SEEN), link: text(MAX_LINK, /^#\//) },
  /** Encrypted with a passphrase. */
  credentials: {
    /** How many iterations of PBKDF2 with SHA-256 the passphrase gets. */
    iterations: (value: unknown) => (isCount(value) && value > 0 && value <= MAX_ITERATIONS ? value : undefined),
    salt: base64(MAX_SALT),
    /** Initialisation vector of AES-GCM with 256 bits. */
    iv: base64(MAX_SALT),
    data: base64(MAX_SEALED),
  },
  message: {
    topic: count,
    event: message,
    via: is(isVia),
    receivedAtMs: pastMoment(),
    ...MARKS,
    /** Whether it is the first of several versions, though its event doesn't say so. */
    version: maybe(oneOf(1)),
  },
  /**
   * A message that was deleted, or removed by retention: it stays away as long as its server could still return it,
   * `until` (Unix seconds). It may have been scheduled; its trace hides nothing else.
   */
  deleted: { topic: count, time: past(MAX_PLANNED_S), id: is(isId), until: is(isTime) },
  /** What is known about a sequence beyond its versions, which may be gone. */
  sequence: {
    topic: count,
    sequence: is(isId),
    until: is(isTime),
    newest: maybe(mark),
    deleted: maybe(mark),
    cleared: maybe(mark),
  },
  /** A span in which messages may be missing. Server time, Unix seconds. */
  gap: { topic: count, from: is(isTime), to: past(), forgot: orNone(oneOf(1)), cut: orNone(oneOf(1)) },
  /** The last line; a file without it was cut off. `lines`: how many there are, this one included. */
  end: { messages: count, lines: count },
};

type ValueOf<Field> = Field extends (value: unknown, nowMs: number) => infer Value ? Exclude<Value, undefined> : never;

type FieldsOf<Shape> = {
  [Name in keyof Shape as typeof ABSENT extends ValueOf<Shape[Name]> ? never : Name]: ValueOf<Shape[Name]>;
} & {
  [Name in keyof Shape as typeof ABSENT extends ValueOf<Shape[Name]> ? Name : never]?: Exclude<
    ValueOf<Shape[Name]>,
    typeof ABSENT
  >;
};

type LineKind = keyof typeof SHAPES;
export type BackupEntry<Kind extends LineKind = LineKind> = {
  [One in Kind]: { kind: One } & FieldsOf<(typeof SHAPES)[One]>;
}[Kind];

/** The first line. */
export interface BackupHeader {
  kind: "header";
  format: typeof BACKUP_FORMAT;
  version: number;
  scope: BackupScope;
  /** Device clock, ms. */
  madeAtMs: number;
}

export type BackupTopic = BackupEntry<"topic">;
export type SealedCredentials = BackupEntry<"credentials">;
export type BackupMessage = BackupEntry<"message">;
export type BackupLine = BackupHeader | BackupEntry;

/** What is encrypted for a server: credentials for these topics, or the extra headers of its requests. */
export interface BackupCredentials {
  server: ServerAddress;
  /** Empty for headers. */
  topics: string[];
  credentials?: Credentials;
  /** Of a token that the server issued to the app: whose it is, and when it ends, Unix seconds. */
  user?: string;
  issued?: 1;
  expires?: number;
  headers?: ExtraHeaders;
}

/** Reads one line. An event dated in the future would hide later ones, so it is invalid. @param nowMs device clock */
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

/** Whether the fields of a line are consistent. */
function isPlausible(line: BackupLine, nowMs: number): boolean {
  if (line.kind === "gap") return line.from <= line.to;
  if (line.kind !== "message") return true;
  return past(line.scheduled ? MAX_PLANNED_S : MAX_AHEAD_S)(line.event.time, nowMs) !== undefined;
}

function decodeHeader({ format, version, scope, madeAtMs }: JsonObject): Result<BackupHeader, BackupLineError> {
  if (format !== BACKUP_FORMAT || !isCount(version) || version === 0) return fail({ kind: "foreign" });
  if (version > BACKUP_VERSION) return fail({ kind: "newer", version });
  if (scope !== "everything" && scope !== "view" && scope !== "setup") return fail({ kind: "wrong" });
  if (!isMoment(madeAtMs)) return fail({ kind: "wrong" });
  return ok({ kind: "header", format: BACKUP_FORMAT, version, scope, madeAtMs });
}

/** Writes a line, including its end. */
export function writeBackupLine(line: BackupLine): string {
  return `${JSON.stringify(line, (_, value: unknown) => (value === Infinity ? FOREVER : value))}\n`;
}

type Marks = FieldsOf<typeof MARKS>;

function fieldsOf(shape: object, record: object): object {
  const entries = Object.keys(shape).map((name) => [name, (record as JsonObject)[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** A line with those fields of a record that such lines have. */
export function backupLine<Kind extends LineKind>(
  kind: Kind,
  record: { [Name in keyof FieldsOf<(typeof SHAPES)[Kind]>]: FieldsOf<(typeof SHAPES)[Kind]>[Name] | undefined },
): BackupEntry<Kind> {
  return { kind, ...fieldsOf(SHAPES[kind], record) } as BackupEntry<Kind>;
}

/** The marks of a message, as its line and its row have them. */
export function marksOf(message: Marks): Marks {
  return fieldsOf(MARKS, message);
}
