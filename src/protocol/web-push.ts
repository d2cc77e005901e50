// Web Push (docs/protocol.md §15): a browser's registration, what a server is told to push, and what a push may hold.
import type { ServerAddress } from "./address";
import { decodeBase64Url } from "./base64";
import { decodeEvent } from "./framing";
import { as, fields, isJsonObject, text } from "./guards";
import { isStorable } from "./event";
import type { StorableEvent } from "./message";
import { type Result, fail, ok, partsOf } from "./result";

/** Longest payload, in UTF-16 code units: push services refuse more than 4,096 bytes. */
const MAX_PAYLOAD_LENGTH = 4_096;

/** What a push holds. Only the registration it came to tells which server sent it. */
export type PushPayload =
  | { kind: "event"; event: StorableEvent }
  /** Something is waiting that only a poll can fetch. */
  | { kind: "poll" }
  /** The server will forget the registration unless it is renewed. */
  | { kind: "expiring" }
  /** Nothing that this version understands, or a sign of life. */
  | { kind: "unknown" };

/** Reads what a push holds. Anybody who knows the endpoint's keys may have written it, so nothing in it is trusted. */
export function decodePush(payload: string): PushPayload {
  let value: unknown;
  try {
    value = payload.length > MAX_PAYLOAD_LENGTH ? undefined : JSON.parse(payload);
  } catch {
    return { kind: "unknown" };
  }
  const { event: kind, message } = isJsonObject(value) ? value : {};
  if (kind === "subscription_expiring") return { kind: "expiring" };
  const event = decodeEvent(message);
  if (event?.event === "poll_request") return { kind: "poll" };
  return event && isStorable(event) ? { kind: "event", event } : { kind: "unknown" };
}

/** Body of the POST that registers a target for these topics, replacing its earlier ones. */
export function registerPushBody(target: PushTarget, topics: readonly string[]): string {
  const { endpoint, auth, p256dh } = target;
  // Servers fail on a topic that is named twice.
  return JSON.stringify({ endpoint, auth, p256dh, topics: [...new Set(topics)] });
}

/** Body of the DELETE that ends the pushes to an endpoint. */
export function unregisterPushBody(endpoint: string): string {
  return JSON.stringify({ endpoint });
}

/** `off`: it sends no pushes; `no-key`: the key is invalid; `strange`: the answer isn't the protocol's. */
export type PushKeyProblem = "off" | "no-key" | "strange";

/** A key: 65 bytes. The first marks an uncompressed point of the P-256 curve; the last has no spare bits. */
const KEY = /^B[A-P][\w-]{84}[AEIMQUYcgkosw048]$/;

/** Reads the push key, in unpadded URL-safe base64, from a server's parsed `/v1/config` or what `/config.js` sets. */
export function readPushKey(config: unknown): Result<string, PushKeyProblem> {
  const { enable_web_push: isOn, web_push_public_key: key } = isJsonObject(config) ? config : {};
  if (isOn === undefined && key === undefined) return fail("strange");
  if (isOn === false || key === undefined || key === "") return fail("off");
  if (typeof key !== "string") return fail("no-key");
  const bare = key.replace(/={1,2}$/, "");
  return KEY.test(bare) ? ok(bare) : fail("no-key");
}

/** The bytes of a key from `readPushKey`, in the form that browsers take; undefined if it is invalid. */
export function pushKeyBytes(key: string): Uint8Array<ArrayBuffer> | undefined {
  return KEY.test(key) ? decodeBase64Url(key) : undefined;
}

/** The most topics in one registration; a server refuses a longer list (docs/protocol.md §15). */
export const MAX_PUSH_TOPICS = 50;

/** Where pushes go and how they are encrypted, as given by the browser. */
export interface PushTarget {
  /** A secret: whoever knows it and the two keys can send pushes. */
  endpoint: string;
  /** Both in URL-safe base64. */
  auth: string;
  p256dh: string;
}

const filled = as<string>((value) => text(value) && value !== "");
const isSubscription = fields({ endpoint: filled, keys: fields({ auth: filled, p256dh: filled }) });

/** Reads what `PushSubscription.toJSON()` returns; undefined if it lacks something. */
export function readPushTarget(json: unknown): PushTarget | undefined {
  if (!isSubscription(json)) return undefined;
  const { auth, p256dh } = json.keys;
  return { endpoint: json.endpoint, auth, p256dh };
}

/** Splits topics into lists that fit one registration each; each topic is named once. */
export function splitPushTopics(topics: readonly string[]): string[][] {
  return partsOf([...new Set(topics)], MAX_PUSH_TOPICS);
}

/** Scopes of registrations for pushes, relative to the app. */
const SCOPE = /^\.\/push\/[0-9a-z]+-\d+\/$/;

/**
 * Scope of a registration for pushes of a server, relative to the app, such as `./push/1x9k3u7h2q-1/`: each registration
 * has one key, and so belongs to one server.
 *
 * @param part counts from 1, where a server needs several registrations
 */
export function pushScope(address: ServerAddress, part: number): string {
  return `./push/${hashOf(address)}-${part}/`;
}

/** Whether a scope, relative to the app, is one of these. */
export function isPushScope(scope: string): boolean {
  return SCOPE.test(scope);
}

/** 64-bit FNV-1a over code units: short, the same everywhere, and synchronous. */
function hashOf(address: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let at = 0; at < address.length; at++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(address.charCodeAt(at))) * 0x100000001b3n);
  }
  return hash.toString(36);
}
