// Converts a backup of ntfy's Android app into lines of ours. That format is one JSON object named by its `magic`, with
// subscriptions, notifications and users; times are Unix seconds.
import {
  checkTopicName,
  decodeEvent,
  type Credentials,
  fail,
  isJsonObject,
  isPriority,
  isTime,
  ok,
  parseServerAddress,
  type Result,
  type ServerAddress,
} from "../../protocol";
import type { JsonObject } from "./decode-line";
import { BACKUP_FORMAT, BACKUP_VERSION, type BackupCredentials, type BackupLine, writeBackupLine } from "./lines";

/** The first characters of such a file. */
const MAGIC = /^\s*\{\s*"magic"\s*:\s*"ntfy2586"/;

/** What another app's data becomes. */
export interface ForeignBackup {
  /** A backup of ours. */
  text: string;
  /** Sign-ins, which that app keeps in plain text. */
  credentials: BackupCredentials[];
  /** How many topics and messages could not be read and were left out. */
  leftOut: number;
}

/** Whether a file begins as a backup of the Android app does. */
export function isAndroidBackup(beginning: string): boolean {
  return MAGIC.test(beginning);
}

/** Messages deleted there are kept out for this long, seconds: the file doesn't say how long their server has them. */
const BURIED_FOR_S = 30 * 86_400;

const DAY_S = 86_400;

/** Reads a backup of the Android app. Its messages count as read, since it doesn't say which are. */
export function readAndroidBackup(text: string, nowMs: number): Result<ForeignBackup, "not-a-backup"> {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return fail("not-a-backup");
  }
  if (!isJsonObject(file)) return fail("not-a-backup");
  const topics = new ForeignTopics();
  for (const one of listOf(file["subscriptions"])) {
    const { id, baseUrl, topic, displayName, mutedUntil, minPriority, autoDelete, upAppId } = one;
    // A subscription made by UnifiedPush belongs to another app on that phone.
    if (typeof upAppId === "string" && upAppId !== "") continue;
    const keepDays = typeof autoDelete === "number" && autoDelete >= 0 ? Math.ceil(autoDelete / DAY_S) : undefined;
    topics.add(nameOf(id), baseUrl, topic, {
      ...(typeof displayName === "string" && displayName !== "" && { displayName }),
      ...mutedOf(mutedUntil),
      ...(isPriority(minPriority) && { minPriority }),
      ...(keepDays !== undefined && { keepDays }),
    });
  }
  const lines: BackupLine[] = [];
  for (const one of listOf(file["notifications"])) {
    const at = topics.at(nameOf(one["subscriptionId"]));
    const { id, timestamp } = one;
    if (!at || typeof id !== "string" || !isTime(timestamp)) {
      topics.leftOut++;
      continue;
    }
    if (one["deleted"] === true) {
      const until = timestamp + BURIED_FOR_S;
      lines.push({ kind: "deleted", topic: at.index, time: timestamp, id, until });
      continue;
    }
    const tags = typeof one["tags"] === "string" ? one["tags"].split(",").filter((tag) => tag !== "") : [];
    const icon = isJsonObject(one["icon"]) ? one["icon"]["url"] : undefined;
    // Endless nesting would overflow the stack when written.
    const event = decodeEvent({
      id,
      time: timestamp,
      event: "message",
      topic: at.topic,
      message: nameOf(one["message"]),
      ...filled(one, { title: "title", click: "click", contentType: "content_type", encoding: "encoding" }),
      ...(one["sequence_id"] !== id && filled(one, { sequence_id: "sequence_id" })),
      ...(isPriority(one["priority"]) && one["priority"] !== 3 && { priority: one["priority"] }),
      ...(tags.length > 0 && { tags }),
      ...(typeof icon === "string" && icon !== "" && { icon }),
      ...(Array.isArray(one["actions"]) && { actions: one["actions"].map(withoutNulls) }),
      ...(isJsonObject(one["attachment"]) && { attachment: withoutNulls(one["attachment"]) }),
    });
    if (!event.ok || event.value.event !== "message") {
      topics.leftOut++;
      continue;
    }
    lines.push({
      kind: "message",
      topic: at.index,
      event: event.value,
      via: "poll",
      receivedAtMs: timestamp * 1_000,
      readAtMs: timestamp * 1_000,
    });
  }
  const credentials = listOf(file["users"]).flatMap(({ baseUrl, username, password }) =>
    topics.signIn(baseUrl, { kind: "basic", user: nameOf(username), password: nameOf(password) }),
  );
  return ok({ text: topics.write(lines, nowMs), credentials, leftOut: topics.leftOut });
}

/** 0 = not muted, 1 = without end, else a time. */
export function mutedOf(until: unknown): { mutedUntilMs?: number } {
  if (until === 1) return { mutedUntilMs: Infinity };
  return isTime(until) && until > 1 ? { mutedUntilMs: until * 1_000 } : {};
}

/** The topics in another app's data that can be subscribed to, by that app's names. */
export class ForeignTopics {
  leftOut = 0;
  readonly #lines: Extract<BackupLine, { kind: "topic" }>[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #known = new Map<string, { index: number; topic: string }>();

  add(
    name: string,
    address: unknown,
    topic: unknown,
    more: Partial<Omit<Extract<BackupLine, { kind: "topic" }>, "kind" | "server" | "topic">>,
  ): void {
    const server = parseServerAddress(typeof address === "string" ? address : "");
    if (!server.ok || typeof topic !== "string" || !checkTopicName(topic).ok) {
      this.leftOut++;
      return;
    }
    // Addresses of one server written differently make one topic.
    const whole = `${server.value} ${topic}`;
    const index = this.#indexes.get(whole) ?? this.#lines.length;
    this.#indexes.set(whole, index);
    this.#known.set(name, { index, topic });
    if (index === this.#lines.length) this.#lines.push({ kind: "topic", server: server.value, topic, ...more });
  }

  at(name: string): { index: number; topic: string } | undefined {
    return this.#known.get(name);
  }

  /** Credentials for all topics of a server. */
  signIn(address: unknown, credentials: Credentials): BackupCredentials[] {
    const server = parseServerAddress(typeof address === "string" ? address : "");
    if (!server.ok) return [];
    const topics = this.#lines.filter((line) => line.server === server.value).map(({ topic }) => topic);
    return topics.length > 0 ? [{ server: server.value, topics, credentials }] : [];
  }

  /** The text of a backup with these topics. Lines of messages are put in order, oldest first. */
  write(lines: readonly BackupLine[], madeAtMs: number): string {
    const timeOf = (line: BackupLine): number => (line.kind === "message" ? line.event.time : 0);
    const servers = [...new Set<ServerAddress>(this.#lines.map(({ server }) => server))];
    const all: BackupLine[] = [
      { kind: "header", format: BACKUP_FORMAT, version: BACKUP_VERSION, scope: "everything", madeAtMs },
      ...servers.map((address): BackupLine => ({ kind: "server", address })),
      ...this.#lines,
      ...[...lines].sort((a, b) => timeOf(a) - timeOf(b)),
    ];
    const messages = lines.filter(({ kind }) => kind === "message").length;
    return [...all, { kind: "end", messages, lines: all.length + 1 } as const].map(writeBackupLine).join("");
  }
}

/** Text, or a number as text; anything else, which may nest endlessly, is empty. */
export function nameOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function listOf(value: unknown): JsonObject[] {
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
