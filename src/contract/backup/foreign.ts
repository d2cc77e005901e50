// Converts what ntfy's apps keep into lines of our backup: the file that the Android app saves, one JSON object named
// by its `magic`, and the tables of the web app's database. Their records may hold anything; times are Unix seconds.
import {
  DAY_S,
  checkTopicName,
  decodeEvent,
  type Credentials,
  fail,
  isJsonObject,
  isPriority,
  isTime,
  ok,
  type Result,
} from "../../protocol";
import {
  BACKUP_FORMAT,
  BACKUP_VERSION,
  type BackupCredentials,
  type BackupLine,
  type BackupTopic,
  type JsonObject,
  writeBackupLine,
} from "./lines";
import { serverAddressOf } from "../web-link";

/** What another app's data turns into. */
export interface ForeignBackup {
  /** A backup of ours. */
  text: string;
  /** Sign-ins, which that app keeps in plain text. */
  credentials: BackupCredentials[];
  /** How many topics and messages could not be read and were left out. */
  leftOut: number;
}

export interface ForeignTables {
  subscriptions: unknown;
  notifications: unknown;
  users: unknown;
}

/** Whether a file begins like a backup of the Android app. */
export function isAndroidBackup(beginning: string): boolean {
  return /^\s*\{\s*"magic"\s*:\s*"ntfy2586"/.test(beginning);
}

/** Messages deleted there are kept out for this long, seconds: the file doesn't say how long their server has them. */
const BURIED_FOR_S = 30 * DAY_S;

/** Reads a backup of the Android app. Its messages count as read, since it doesn't say which are. */
export function readAndroidBackup(text: string, nowMs: number): Result<ForeignBackup, "not-a-backup"> {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return fail("not-a-backup");
  }
  if (!isJsonObject(file)) return fail("not-a-backup");
  const { subscriptions, notifications, users } = file;
  return ok(foreignBackup({ subscriptions, notifications, users }, androidEvent, nowMs));
}

/** Turns the web app's tables into a backup. Messages that it shows as new are unread. */
export function webAppBackup(tables: ForeignTables, nowMs: number): ForeignBackup {
  return foreignBackup(tables, ({ subscriptionId: _, new: _new, ...event }) => event, nowMs);
}

/** @param eventOf the event of a notification, if that app names its fields differently */
function foreignBackup(
  { subscriptions, notifications, users }: ForeignTables,
  eventOf: (notification: JsonObject) => JsonObject,
  nowMs: number,
): ForeignBackup {
  let leftOut = 0;
  const topics: BackupTopic[] = [];
  /** Indexes of topics, by that app's names and by address and name. */
  const known = new Map<string, number>();
  for (const one of objectsIn(subscriptions)) {
    const { id, topic, upAppId, internal } = one;
    // A subscription made by UnifiedPush belongs to another app on that phone, and the web app's own topic to the web
    // app.
    if (nameOf(upAppId) !== "" || internal === true || internal === 1) continue;
    const server = serverAddressOf(one["baseUrl"]);
    if (server === undefined || typeof topic !== "string" || !checkTopicName(topic).ok) {
      leftOut++;
      continue;
    }
    // The same server may be written in several ways; that still makes one topic.
    const whole = `${server} ${topic}`;
    const at = known.get(whole) ?? topics.push({ kind: "topic", server, topic, ...choicesOf(one) }) - 1;
    known.set(whole, at).set(nameOf(id), at);
  }

  const lines: BackupLine[] = [];
  for (const one of objectsIn(notifications)) {
    const topic = known.get(nameOf(one["subscriptionId"]));
    const fields = { event: "message", topic: topics[topic ?? -1]?.topic, ...eventOf(one) };
    const event = decodeEvent(fields);
    if (topic === undefined || event?.event !== "message") {
      leftOut++;
      continue;
    }
    const { time, id } = event;
    const atMs = time * 1_000;
    lines.push(
      one["deleted"] === true
        ? { kind: "deleted", topic, time, id, until: time + BURIED_FOR_S }
        : {
            ...{ kind: "message", topic, event, via: "poll", receivedAtMs: atMs },
            ...(one["new"] !== 1 && { readAtMs: atMs }),
          },
    );
  }

  const credentials = objectsIn(users).flatMap(({ baseUrl, username, password, token }): BackupCredentials[] => {
    const own: Credentials =
      nameOf(token) === ""
        ? { kind: "basic", user: nameOf(username), password: nameOf(password) }
        : { kind: "token", token: nameOf(token) };
    const server = serverAddressOf(baseUrl);
    const names = topics.filter((line) => line.server === server).map(({ topic }) => topic);
    return server !== undefined && names.length > 0 ? [{ server, topics: names, credentials: own }] : [];
  });
  return { text: textOf(topics, lines, nowMs), credentials, leftOut };
}

function choicesOf({ displayName, mutedUntil, minPriority, autoDelete }: JsonObject): Partial<BackupTopic> {
  return {
    ...(typeof displayName === "string" && displayName !== "" && { displayName }),
    // 0 = not muted, 1 = without end, else a time.
    ...(isTime(mutedUntil) && mutedUntil > 0 && { mutedUntilMs: mutedUntil === 1 ? Infinity : mutedUntil * 1_000 }),
    ...(isPriority(minPriority) && { minPriority }),
    ...(isTime(autoDelete) && { keepDays: Math.ceil(autoDelete / DAY_S) }),
  };
}

/**
 * The event of one of the Android app's notifications. Endlessly nested values would overflow the stack when written.
 */
function androidEvent(one: JsonObject): JsonObject {
  const { id, timestamp, message, tags, icon, actions, attachment, priority } = one;
  const iconUrl = isJsonObject(icon) ? icon["url"] : undefined;
  return {
    ...{ id, time: timestamp, message: nameOf(message) },
    ...filled(one, { title: "title", click: "click", contentType: "content_type", encoding: "encoding" }),
    ...(one["sequence_id"] !== id && filled(one, { sequence_id: "sequence_id" })),
    ...(isPriority(priority) && priority !== 3 && { priority }),
    ...(nameOf(tags) !== "" && { tags: nameOf(tags).split(",").filter(Boolean) }),
    ...(nameOf(iconUrl) !== "" && { icon: iconUrl }),
    ...(Array.isArray(actions) && { actions: actions.map(withoutNulls) }),
    ...(isJsonObject(attachment) && { attachment: withoutNulls(attachment) }),
  };
}

/** The text of a backup with these topics. Lines of messages are sorted, oldest first. */
function textOf(topics: readonly BackupTopic[], lines: readonly BackupLine[], madeAtMs: number): string {
  const timeOf = (line: BackupLine): number => (line.kind === "message" ? line.event.time : 0);
  const servers = [...new Set(topics.map(({ server }) => server))];
  const all: BackupLine[] = [
    { kind: "header", format: BACKUP_FORMAT, version: BACKUP_VERSION, scope: "everything", madeAtMs },
    ...servers.map((address): BackupLine => ({ kind: "server", address })),
    ...topics,
    ...lines.toSorted((a, b) => timeOf(a) - timeOf(b)),
  ];
  const messages = lines.filter(({ kind }) => kind === "message").length;
  return [...all, { kind: "end", messages, lines: all.length + 1 } as const].map(writeBackupLine).join("");
}

/** Text, or a number as text; anything else, which may nest endlessly, becomes empty. */
function nameOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The fields that hold text, under the names that events use. */
function filled(from: JsonObject, names: Record<string, string>): JsonObject {
  const entries = Object.entries(names).map(([own, name]): [string, unknown] => [name, from[own]]);
  return Object.fromEntries(entries.filter(([, value]) => typeof value === "string" && value !== ""));
}

/** Absent fields are null there. */
function withoutNulls(value: unknown): unknown {
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null)) : value;
}
