// A group of one user's devices: what they share, and what pages are told of it. Devices tell each other through a
// topic that only they know (docs/decisions/0047-devices-share-through-a-topic.md). Pure: the merge, and the link that
// invites a device.
import { parseServerAddress, type ServerAddress } from "../protocol";
import type { CommandError } from "./commands";

/**
 * When something was set: a hybrid logical clock. `ms`: the greater of the device's clock and every stamp seen, Unix
 * ms; `count` orders what one device sets within a millisecond; `device` decides between two devices. As text it sorts
 * in that order: 9 digits of base 36, 4 digits of base 36, the id of the device.
 */
export type Stamp = string;

/** What can be shared, one register each; the rest of a key names the message, topic or setting. */
export type RegisterKind =
  /** Of a message (`address topic id`): when it was read, done, starred (device clock, ms), until when snoozed, when deleted; null = not. */
  | "read"
  | "done"
  | "starred"
  | "snoozed"
  | "deleted"
  /** Of a topic (`address topic`): up to this server time, Unix seconds, everything is read that no later `read` says otherwise of. */
  | "read-until"
  /** Of a topic: its shared properties (`SharedTopic`); null = removed. */
  | "topic"
  /** All saved views, in order. */
  | "views"
  /** A setting, by its name. */
  | "setting"
  /** A device (`id`): what it says of itself; null = it left or was put out. */
  | "device";

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
  trouble?: { why: CommandError; nextTryAtMs?: number };
  /** Messages sent to the group since this (UTC) day began. */
  sentToday: number;
}

/** This device asks to join a group and waits to be let in. */
export interface JoiningGroup {
  /** Six digits that both devices show. */
  digits: string;
  /** The invitation ends then, device clock, ms. */
  untilMs: number;
}

/** What this device is to a group. */
export type GroupState =
  | { kind: "alone" }
  | ({ kind: "joining" } & JoiningGroup)
  /** `why`: why joining came to nothing, or that the others put this device out. */
  | { kind: "ended"; why: "refused" | "used" | "expired" | "put-out" }
  | ({ kind: "member" } & DeviceGroup);

/** What an invitation link holds. The key lasts for one pairing; the group's own key is never in a link. */
export interface Invitation {
  address: ServerAddress;
  /** 128 bits from which the pairing's topic and key are derived; base64url. */
  secret: string;
  /** Unix ms by the inviting device's clock. */
  untilMs: number;
}

/** An invitation as text for a link; it is a secret until it has been used. */
export function formatInvitation({ address, secret, untilMs }: Invitation): string {
  return `${secret}.${untilMs.toString(36)}.${address}`;
}

/** Reads it, whether or not it has expired; undefined if it is damaged. */
export function parseInvitation(text: string): Invitation | undefined {
  const [, secret = "", until = "", rest = ""] = /^([\w-]{22})\.([\da-z]{8,9})\.(.+)$/.exec(text) ?? [];
  const address = parseServerAddress(rest);
  return address.ok ? { address: address.value, secret, untilMs: parseInt(until, 36) } : undefined;
}

/** A topic's shared properties: those of `SubscriptionPatch` that aren't about the device. */
export interface SharedTopic {
  displayName?: string;
  colour?: number;
  icon?: string;
  group?: string;
  order: number;
  mutedUntilMs?: number;
  minPriority?: number;
  quietHours?: unknown;
  showsRepeats?: true;
  hides?: string[];
}
