// A group of one user's devices: what they share, and what pages are told of it. Devices tell each other through a
// topic that only they know (docs/decisions/0047-devices-share-through-a-topic.md). Pure: the merge, and the link that
// invites a device.
import {
  checkTopicName,
  type Failure,
  guards,
  isId,
  isJsonObject,
  isTime,
  parseServerAddress,
  type ServerAddress,
} from "../protocol";
import { FOREVER } from "./backup/lines";
import { checkViews, TOPIC_CHOICES } from "./topics";

const { as, fields, maybe, number, text } = guards;

/**
 * When something was set: Unix ms in 9 digits of base 36, later than all that this device had seen of it (a hybrid
 * logical clock), then the id of the device, which decides between two devices. As text it sorts in that order.
 */
export type Stamp = string;

export const MARK_KINDS = ["read", "done", "starred", "snoozed", "deleted"] as const;
export type MarkKind = (typeof MARK_KINDS)[number];

/** One shared fact. The greater stamp wins; a kind that this version doesn't know is kept and passed on. */
export interface Register {
  /** Kind and what it is about, separated by spaces. */
  key: string;
  /** JSON; null = no longer set. */
  value: unknown;
  stamp: Stamp;
}

/** What a device may keep for itself. */
export const SHARE_KINDS = ["marks", "topics", "views", "settings"] as const;
export type ShareKind = (typeof SHARE_KINDS)[number];

export interface GroupDevice {
  deviceId: string;
  name: string;
  isThis: boolean;
  /** When anything of it was last heard, device clock, ms; absent = never. */
  seenAtMs?: number;
  /** Whether it has heard everything that this device sent. */
  isInStep: boolean;
  shares: ShareKind[];
}

/** What pages show of the group. */
export interface DeviceGroup {
  /** The server whose topic carries it. */
  address: ServerAddress;
  devices: GroupDevice[];
  /** A device that wants to join, while an invitation is open. */
  joining?: { deviceId: string; name: string; digits: string };
  /** Until when the open invitation can be used, device clock, ms. */
  invitedUntilMs?: number;
  /** How much waits to be told to the others. */
  waiting: number;
  /** Why nothing can be told now, and when it is tried again, device clock, ms. */
  trouble?: { why: Failure; nextTryAtMs: number };
}

/** What this device is to a group. */
export type GroupState =
  | { kind: "alone" }
  /** It asks to join. Both devices show the six digits; the invitation ends at `untilMs`, device clock, ms. */
  | { kind: "joining"; digits: string; untilMs: number }
  /** `refused`: joining came to nothing; `removed`: by the others. */
  | { kind: "ended"; why: "refused" | "removed" }
  | ({ kind: "member" } & DeviceGroup);

/** What an invitation link holds. The key lasts for one pairing; the group's own key is never in a link. */
export interface Invitation {
  address: ServerAddress;
  /** 128 bits from which the pairing's topic and key are derived; base64url. */
  secret: string;
  /** Of the device that invites, base64url: only it can let another in. */
  publicKey: string;
  /** Unix ms by the server's clock. */
  untilMs: number;
}

/** An invitation as text for a link; it is a secret until it has been used. */
export const formatInvitation = ({ address, secret, publicKey, untilMs }: Invitation): string =>
  `${secret}.${publicKey}.${untilMs.toString(36)}.${address}`;

/** Reads it, whether or not it has expired; undefined if it is damaged. */
export function parseInvitation(text: string): Invitation | undefined {
  const parts = /^([\w-]{22})\.([\w-]{87})\.([\da-z]{8,9})\.(.+)$/.exec(text);
  const [, secret = "", publicKey = "", until = "", rest = ""] = parts ?? [];
  const address = parseServerAddress(rest);
  return address.ok ? { address: address.value, secret, publicKey, untilMs: parseInt(until, 36) } : undefined;
}

/** A message, as all devices can name it. */
export interface MessageName {
  address: ServerAddress;
  topic: string;
  /** Server time, Unix seconds. */
  time: number;
  id: string;
}

/**
 * What can be shared, one register each; the rest of its key says of what:
 *
 * - `read`, `done`, `starred`, `snoozed`, `deleted`: of a message (`address topic time id`), when it was marked so
 *   (`starred`: 1) or, snoozed, until when; device clock, ms; null = it isn't.
 * - `topic`: of a topic (`address topic`), its shared properties (`SharedTopic`); null = removed.
 * - `moved`: of a server (its former address), to which address; null = it no longer is.
 * - `view`: of a saved view (its name), its link; null = removed.
 * - `setting`: by its name.
 * - `device`: by its id, what it says of itself; null = it left or was removed.
 */
export type RegisterName =
  | ({ kind: MarkKind } & MessageName)
  | { kind: "moved"; address: ServerAddress }
  | { kind: "topic"; address: ServerAddress; topic: string }
  | { kind: "view"; name: string }
  | { kind: "setting"; name: string }
  | { kind: "device"; deviceId: string }
  /** Of a newer version. */
  | { kind: "unknown" };

const MAX_KEY = 2_000;
/** The longest JSON of a value, characters. */
const MAX_VALUE = 20_000;
const MS_DIGITS = 9;
const STAMP = /^[\da-z]{9}[\w-]{1,40}$/;
const LATEST_MS = 8.64e15;

export const isStamp = as<Stamp>((value) => text(value) && STAMP.test(value));

/** @param ms Unix ms */
export const stampAt = (ms: number, device: string): Stamp =>
  Math.max(0, Math.floor(ms)).toString(36).padStart(MS_DIGITS, "0") + device;

/** Unix ms. */
export const stampMs = (stamp: Stamp): number => parseInt(stamp.slice(0, MS_DIGITS), 36);

export const deviceOf = (stamp: Stamp): string => stamp.slice(MS_DIGITS);

/** Stamps may be ahead of the server's clock by this, ms; what is later is set back by those who hear it. */
export const CLOCK_SLACK_MS = 60_000;

/** A stamp set back to `toMs` if it is later than that by more than a minute: its device's clock is wrong. */
export function cutStamp(stamp: Stamp, toMs: number): Stamp {
  return stampMs(stamp) <= toMs + CLOCK_SLACK_MS ? stamp : stampAt(toMs, deviceOf(stamp));
}

/** Whether a register wins over another of the same key. */
export function beats(one: Omit<Register, "key">, other: Omit<Register, "key">): boolean {
  if (one.stamp !== other.stamp) return one.stamp > other.stamp;
  return JSON.stringify(one.value) > JSON.stringify(other.value);
}

export const markKey = (kind: MarkKind, { address, topic, time, id }: MessageName): string =>
  [kind, address, topic, time, id].join(" ");

export const topicKey = (address: ServerAddress, topic: string): string => `topic ${address} ${topic}`;

/** An address as devices write it: each in one way. */
function addressIn(given: string): ServerAddress | undefined {
  const address = parseServerAddress(given);
  return address.ok && address.value === given ? address.value : undefined;
}

/** Reads a key; undefined = it is damaged. */
export function nameOf(key: string): RegisterName | undefined {
  const [kind = "", ...parts] = key.split(" ");
  const [first = "", topic = "", seconds = "", ...rest] = parts;
  const address = addressIn(first);
  const isTopic = address !== undefined && checkTopicName(topic).ok;
  switch (kind) {
    case "moved":
      return address !== undefined && parts.length === 1 ? { kind, address } : undefined;
    case "topic":
      return isTopic && parts.length === 2 ? { kind, address, topic } : undefined;
    case "view":
      return { kind, name: parts.join(" ") };
    case "setting":
      return parts.length === 1 && first ? { kind, name: first } : undefined;
    case "device":
      return parts.length === 1 && /^[\w-]{1,40}$/.test(first) ? { kind, deviceId: first } : undefined;
  }
  const mark = MARK_KINDS.find((one) => one === kind);
  if (!mark) return { kind: "unknown" };
  const [time, id] = [Number(seconds), rest.join(" ")];
  const isWhole = /^(0|[1-9]\d{0,11})$/.test(seconds) && isTime(time) && isId(id);
  return isTopic && isWhole ? { kind: mark, address, topic, time, id } : undefined;
}

/** A mark of one message, by its key; undefined = it is something else. */
export function markOf(key: string): ({ kind: MarkKind } & MessageName) | undefined {
  const name = nameOf(key);
  return name && "id" in name ? name : undefined;
}

const moment = as<number>((value) => number(value) && value >= 0 && value <= LATEST_MS);
const { displayName, colour, icon, group, minPriority, quietHours, showsRepeats, hides } = TOPIC_CHOICES;
/** JSON has no Infinity. */
const mutedUntilMs = maybe(as<number | typeof FOREVER>((value) => number(value) || value === FOREVER));
const look = { displayName, colour, icon, group, order: number };
const SHARED_TOPIC = { ...look, mutedUntilMs, minPriority, quietHours, showsRepeats, hides };
/** A topic's shared properties: those of `SubscriptionPatch` that aren't about the device. */
export type SharedTopic = guards.RecordOf<typeof SHARED_TOPIC>;
const isSharedTopic = fields(SHARED_TOPIC);

/** The shared ones of a topic's properties, each of them, in one order. A newer version may share more. */
export function sharedOf(topic: { [Name in keyof SharedTopic]?: unknown }): Record<keyof SharedTopic, unknown> {
  const names = Object.keys(SHARED_TOPIC) as (keyof SharedTopic)[];
  return Object.fromEntries(names.map((name) => [name, topic[name]])) as Record<keyof SharedTopic, unknown>;
}

function isValueOf(name: RegisterName, value: unknown): boolean {
  switch (name.kind) {
    case "moved":
      return value === null || (text(value) && addressIn(value) !== undefined);
    case "starred":
      return value === null || value === 1;
    case "topic":
      return value === null || isSharedTopic(value);
    case "view":
      return value === null || (text(value) && checkViews([{ name: name.name, link: value }]).ok);
    case "device":
      return value === null || isJsonObject(value);
    case "setting":
    case "unknown":
      return value !== undefined;
    default:
      return value === null || moment(value);
  }
}

/** A register from another device; undefined = it isn't one. Settings and devices are yet to be decoded. */
export function decodeRegister(value: unknown): Register | undefined {
  if (!isJsonObject(value)) return undefined;
  const { key, stamp, value: content } = value;
  if (!text(key) || key.length > MAX_KEY || !isStamp(stamp)) return undefined;
  const name = nameOf(key);
  if (!name || !isValueOf(name, content) || JSON.stringify(content).length > MAX_VALUE) return undefined;
  return { key, value: content, stamp };
}
