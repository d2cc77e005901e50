// A browser's registration for pushes (docs/protocol.md §15): scope, key and topics.
import type { ServerAddress } from "./address";
import { decodeBase64 } from "./base64";

/** The most topics of one registration; a server refuses a longer list (docs/protocol.md §15). */
export const MAX_PUSH_TOPICS = 50;

/** Where pushes go, and how they are encrypted, as the browser gives it. */
export interface PushTarget {
  /** A secret: whoever knows it and the two keys can send pushes. */
  endpoint: string;
  /** Both in URL-safe base64. */
  auth: string;
  p256dh: string;
}

/** Reads what `PushSubscription.toJSON()` returns; undefined if it lacks something. */
export function readPushTarget(json: unknown): PushTarget | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  const { endpoint, keys } = json as Record<string, unknown>;
  if (typeof keys !== "object" || keys === null) return undefined;
  const { auth, p256dh } = keys as Record<string, unknown>;
  const isComplete = isFilled(endpoint) && isFilled(auth) && isFilled(p256dh);
  return isComplete ? { endpoint, auth, p256dh } : undefined;
}

function isFilled(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Splits topics, each named once, into lists that fit a registration each. */
export function splitPushTopics(topics: readonly string[]): string[][] {
  const all = [...new Set(topics)];
  const lists: string[][] = [];
  for (let at = 0; at < all.length; at += MAX_PUSH_TOPICS) lists.push(all.slice(at, at + MAX_PUSH_TOPICS));
  return lists;
}

/** Length of a public key in bytes: an uncompressed point of the P-256 curve, which begins with 4. */
const KEY_BYTES = 65;
const UNCOMPRESSED = 4;

/** The bytes of a key from `readPushKey`, in the form that browsers take; undefined if it is invalid. */
export function pushKeyBytes(key: string): Uint8Array<ArrayBuffer> | undefined {
  // 65 bytes need one padding sign, which browsers omit and this decoder requires.
  const bytes = decodeBase64(`${key.replaceAll("-", "+").replaceAll("_", "/")}=`);
  return bytes?.length === KEY_BYTES && bytes[0] === UNCOMPRESSED ? Uint8Array.from(bytes) : undefined;
}

/** Scopes of registrations for pushes, relative to the app. */
const SCOPE = /^\.\/push\/[0-9a-z]+-\d+\/$/;

/**
 * Scope of a registration for pushes of a server, relative to the app, such as `./push/1x9k3u7h2q-1/`: each registration
 * has one key, and so belongs to one server.
 *
 * @param part 1 and on, where a server takes several registrations
 */
export function pushScope(address: ServerAddress, part: number): string {
  return `./push/${hashOf(address)}-${part}/`;
}

/** Whether a scope, relative to the app, is one of those. */
export function isPushScope(scope: string): boolean {
  return SCOPE.test(scope);
}

/** 64-bit FNV-1a over code units: short, the same everywhere, and synchronous. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let at = 0; at < text.length; at++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n);
  }
  return hash.toString(36);
}
