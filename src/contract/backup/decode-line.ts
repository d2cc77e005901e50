// Reads the lines of a backup. A backup may come from anyone, so each line is hostile until it is decoded here.
import {
  checkTopicName,
  decodeEvent,
  fail,
  isId,
  isPriority,
  ok,
  parseServerAddress,
  type Result,
} from "../../protocol";
import type { Transport } from "../server-status";
import { decodeQuietHours } from "../alerts/quiet-hours";
import type { NoAlertReason } from "../stored-message";
import { SOUND_CHOICES } from "../alerts/sounds";
import { MAX_LETTERS_OF_VIEW } from "../topics";
import { isCount, isJsonObject, isMoment, isTime, type JsonObject, MOST_AHEAD_S, MOST_PLANNED_S } from "./json-values";
import {
  BACKUP_FORMAT,
  BACKUP_VERSION,
  FOREVER,
  type BackupHeader,
  type BackupLine,
  type BackupMessage,
  type BackupSequence,
  type BackupTopic,
} from "./lines";

/** Why a line can't be used. */
export type BackupLineError =
  /** It is no line of a backup. */
  | { kind: "foreign" }
  /** The backup was made by a newer version of the app. */
  | { kind: "newer"; version: number }
  /**
   * A field's value is impossible, or the kind of line is unknown. `isTable`: a server or topic, to which other lines
   * refer.
   */
  | { kind: "wrong"; field: string; isTable?: true };

/** A longer name, characters, is refused, as nobody gives one. */
const MAX_LETTERS = 200;

/** More iterations would keep a device busy for minutes. */
const MAX_ITERATIONS = 10_000_000;

/** The longest encrypted credentials, characters of base64. */
const MAX_SEALED = 500_000;

/**
 * Reads one line. A past event dated in the future would hide what is to come, so such a line is wrong.
 * @param nowMs device clock
 */
export function decodeBackupLine(text: string, nowMs: number): Result<BackupLine, BackupLineError> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail({ kind: "foreign" });
  }
  if (!isJsonObject(value)) return fail({ kind: "foreign" });
  switch (value["kind"]) {
    case "header":
      return decodeHeader(value);
    case "server":
      return ofTable(decodeServer(value));
    case "topic":
      return ofTable(decodeTopic(value, nowMs));
    case "setting":
      return isText(value["name"], MAX_LETTERS) && "value" in value
        ? ok({ kind: "setting", name: value["name"], value: value["value"] })
        : wrong("name");
    case "view":
      return decodeView(value);
    case "credentials":
      return decodeSealed(value);
    case "message":
      return decodeMessage(value, nowMs);
    case "deleted":
      return decodeTrace(value, nowMs);
    case "sequence":
      return decodeSequence(value, nowMs);
    case "gap":
      return decodeGap(value, nowMs);
    case "end": {
      const { messages, lines } = value;
      if (!isCount(messages) || !isCount(lines)) return wrong("end");
      return ok({ kind: "end", messages, lines });
    }
    default:
      return wrong("kind");
  }
}

function wrong(field: string): Result<never, BackupLineError> {
  return fail({ kind: "wrong", field });
}

function ofTable<Value>(decoded: Result<Value, BackupLineError>): Result<Value, BackupLineError> {
  if (decoded.ok || decoded.error.kind !== "wrong") return decoded;
  return fail({ ...decoded.error, isTable: true });
}

function decodeHeader({ format, version, scope, madeAtMs }: JsonObject): Result<BackupHeader, BackupLineError> {
  if (format !== BACKUP_FORMAT || !isCount(version) || version === 0) return fail({ kind: "foreign" });
  if (version > BACKUP_VERSION) return fail({ kind: "newer", version });
  if (scope !== "everything" && scope !== "view" && scope !== "setup") return wrong("scope");
  if (!isMoment(madeAtMs)) return wrong("madeAtMs");
  return ok({ kind: "header", format: BACKUP_FORMAT, version, scope, madeAtMs });
}

function decodeServer({ address, name, transport }: JsonObject): Result<BackupLine, BackupLineError> {
  const parsed = parseServerAddress(typeof address === "string" ? address : "");
  if (!parsed.ok) return wrong("address");
  if (name !== undefined && !isText(name, MAX_LETTERS)) return wrong("name");
  if (transport !== undefined && !isTransport(transport)) return wrong("transport");
  return ok({
    kind: "server",
    address: parsed.value,
    ...(name !== undefined && { name }),
    ...(transport !== undefined && { transport }),
  });
}

function decodeTopic(fields: JsonObject, nowMs: number): Result<BackupTopic, BackupLineError> {
  const address = parseServerAddress(typeof fields["server"] === "string" ? fields["server"] : "");
  if (!address.ok) return wrong("server");
  const { topic } = fields;
  if (typeof topic !== "string" || !checkTopicName(topic).ok) return wrong("topic");
  const line: BackupTopic = { kind: "topic", server: address.value, topic };
  for (const name of ["displayName", "icon", "group"] as const) {
    const text = fields[name];
    if (text === undefined) continue;
    if (!isText(text, MAX_LETTERS)) return wrong(name);
    line[name] = text;
  }
  for (const name of ["fromTime", "readBefore"] as const) {
    const time = fields[name];
    if (time === undefined) continue;
    if (!isTime(time)) return wrong(name);
    // A later one would drop, or mark as read, messages still to come.
    line[name] = Math.min(time, Math.floor(nowMs / 1_000));
  }
  for (const name of ["keepDays", "keepMessages", "keepFilesMb"] as const) {
    const number = fields[name];
    if (number === undefined) continue;
    if (!isCount(number)) return wrong(name);
    line[name] = number;
  }
  const { colour, mutedUntilMs, minPriority, quietHours, signIn } = fields;
  if (colour !== undefined) {
    if (!isCount(colour) || colour > 9) return wrong("colour");
    line.colour = colour;
  }
  if (mutedUntilMs !== undefined) {
    const until = mutedUntilMs === FOREVER ? Infinity : mutedUntilMs;
    if (until !== Infinity && !isMoment(until)) return wrong("mutedUntilMs");
    line.mutedUntilMs = until as number;
  }
  if (minPriority !== undefined) {
    if (!isPriority(minPriority)) return wrong("minPriority");
    line.minPriority = minPriority;
  }
  const hours = decodeQuietHours(quietHours);
  if (hours) line.quietHours = hours;
  if (signIn === true) line.signIn = true;
  if (fields["showsRepeats"] === true) line.showsRepeats = true;
  const sound = SOUND_CHOICES.find((choice) => choice === fields["sound"]);
  if (sound) line.sound = sound;
  return ok(line);
}

function decodeView({ name, link }: JsonObject): Result<BackupLine, BackupLineError> {
  if (!isText(name, MAX_LETTERS_OF_VIEW) || name.trim() === "") return wrong("name");
  if (!isText(link, MAX_LINK) || !link.startsWith("#/")) return wrong("link");
  return ok({ kind: "view", name, link });
}

/** The longest link that the app reads, characters. */
const MAX_LINK = 16_000;

function decodeSealed({ iterations, salt, iv, data }: JsonObject): Result<BackupLine, BackupLineError> {
  if (!isCount(iterations) || iterations === 0 || iterations > MAX_ITERATIONS) return wrong("iterations");
  if (!isBase64(salt, 100)) return wrong("salt");
  if (!isBase64(iv, 100)) return wrong("iv");
  if (!isBase64(data, MAX_SEALED)) return wrong("data");
  return ok({ kind: "credentials", iterations, salt, iv, data });
}

/** Whether a time, Unix seconds, is no further ahead than clocks differ. */
function isPast(time: unknown, nowMs: number, mostS = MOST_AHEAD_S): time is number {
  return isTime(time) && time <= nowMs / 1_000 + mostS;
}

/** The same of the device's clock, ms. */
function isPastMoment(moment: unknown, nowMs: number, mostS = MOST_AHEAD_S): moment is number {
  return isMoment(moment) && moment <= nowMs + mostS * 1_000;
}

function decodeMessage(fields: JsonObject, nowMs: number): Result<BackupMessage, BackupLineError> {
  const { topic, via, receivedAtMs } = fields;
  if (!isCount(topic)) return wrong("topic");
  const event = decodeEvent(fields["event"]);
  if (!event.ok || event.value.event !== "message") return wrong("event");
  const mostS = fields["scheduled"] === 1 ? MOST_PLANNED_S : MOST_AHEAD_S;
  if (!isPast(event.value.time, nowMs, mostS)) return wrong("time");
  if (!isOneOf(via, ["stream", "poll", "push", "import"])) return wrong("via");
  if (!isPastMoment(receivedAtMs, nowMs)) return wrong("receivedAtMs");
  const line: BackupMessage = { kind: "message", topic, event: event.value, via, receivedAtMs };
  for (const name of ["readAtMs", "doneAtMs", "snoozedUntilMs", "wokenAtMs", "alertedAtMs"] as const) {
    const moment = fields[name];
    if (moment === undefined) continue;
    if (!isPastMoment(moment, nowMs, name === "snoozedUntilMs" ? MOST_PLANNED_S : MOST_AHEAD_S)) return wrong(name);
    line[name] = moment;
  }
  for (const name of ["starred", "scheduled", "updated", "version"] as const) {
    if (fields[name] === undefined) continue;
    if (fields[name] !== 1) return wrong(name);
    line[name] = 1;
  }
  if (fields["noAlert"] !== undefined) {
    const noAlert = decodeNoAlert(fields["noAlert"]);
    if (!noAlert) return wrong("noAlert");
    line.noAlert = noAlert;
  }
  return ok(line);
}

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

function decodeNoAlert(value: unknown): NoAlertReason | undefined {
  if (typeof value === "string") return Object.hasOwn(PLAIN_REASONS, value) ? (value as PlainReason) : undefined;
  if (!isJsonObject(value) || value["kind"] !== "quiet") return undefined;
  const until = value["untilMs"] === FOREVER ? Infinity : value["untilMs"];
  return until === Infinity || isMoment(until) ? { kind: "quiet", untilMs: until as number } : undefined;
}

function decodeTrace({ topic, time, id, until }: JsonObject, nowMs: number): Result<BackupLine, BackupLineError> {
  if (!isCount(topic)) return wrong("topic");
  // A deleted message may have been scheduled; its trace hides nothing else.
  if (!isPast(time, nowMs, MOST_PLANNED_S)) return wrong("time");
  if (!isId(id)) return wrong("id");
  if (!isTime(until)) return wrong("until");
  return ok({ kind: "deleted", topic, time, id, until });
}

function decodeSequence(
  { topic, sequence, until, ...marks }: JsonObject,
  nowMs: number,
): Result<BackupSequence, BackupLineError> {
  if (!isCount(topic)) return wrong("topic");
  if (!isId(sequence)) return wrong("sequence");
  if (!isTime(until)) return wrong("until");
  const line: BackupSequence = { kind: "sequence", topic, sequence, until };
  for (const name of ["newest", "deleted", "cleared"] as const) {
    const mark = marks[name];
    if (mark === undefined) continue;
    if (!isJsonObject(mark)) return wrong(name);
    const { time, id, others } = mark;
    if (!isPast(time, nowMs) || !isId(id)) return wrong(name);
    const hasOthers = Array.isArray(others) && others.every(isId);
    line[name] = { time, id, ...(hasOthers && { others }) };
  }
  return ok(line);
}

function decodeGap({ topic, from, to, forgot, cut }: JsonObject, nowMs: number): Result<BackupLine, BackupLineError> {
  if (!isCount(topic)) return wrong("topic");
  if (!isTime(from) || !isPast(to, nowMs) || from > to) return wrong("from");
  return ok({ kind: "gap", topic, from, to, ...(forgot === 1 && { forgot }), ...(cut === 1 && { cut }) });
}

function isText(value: unknown, most: number): value is string {
  return typeof value === "string" && value.length <= most;
}

function isBase64(value: unknown, most: number): value is string {
  return isText(value, most) && value !== "" && /^[\w+/]*={0,2}$/.test(value);
}

/** Every transport; one that is missing here doesn't compile. */
const TRANSPORTS: Readonly<Record<Transport, true>> = { json: true, sse: true, ws: true, poll: true };

function isTransport(value: unknown): value is Transport {
  return typeof value === "string" && Object.hasOwn(TRANSPORTS, value);
}

function isOneOf<const Values extends readonly string[]>(value: unknown, values: Values): value is Values[number] {
  return typeof value === "string" && values.includes(value);
}
