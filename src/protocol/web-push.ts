// Web Push (docs/protocol.md §15): what a server is told to push, and what a push may hold.
import type { ServerAddress } from "./address";
import type { Credentials } from "./credentials";
import { decodeEvent, type DecodeError } from "./decode";
import { isStorable } from "./event";
import type { MessageEvent, ProtocolEvent, SequenceEvent } from "./message";
import type { PushTarget } from "./push-registration";
import { withQuery } from "./request";
import { type Result, fail, ok } from "./result";

/** A longer payload comes from no push service, in UTF-16 code units: services refuse more than 4,096 bytes. */
const MAX_PAYLOAD_LENGTH = 4_096;

/** Why a push says nothing that this version understands. */
export type PushProblem =
  | DecodeError
  | { kind: "empty" }
  | { kind: "too-long"; length: number }
  /** The push names a message, but holds an event that no server pushes. */
  | { kind: "not-pushed"; event: string };

/** What a push holds. Which server sent it is never in it: only the registration that it came to can tell that. */
export type PushPayload =
  | { kind: "message"; event: MessageEvent }
  | { kind: "clear" | "delete"; event: SequenceEvent }
  /** There is something that only a poll brings. */
  | { kind: "poll" }
  /** The server will forget the registration unless it is made again. */
  | { kind: "expiring" }
  | { kind: "keepalive" }
  | { kind: "unknown"; problem: PushProblem };

/** Kinds of push that hold an event. */
const HOLDS_EVENT: ReadonlySet<unknown> = new Set(["message", "message_clear", "message_delete", "poll_request"]);

/** Reads what a push holds. Anybody who knows the endpoint's keys may have written it, so nothing in it is believed. */
export function decodePush(text: string): PushPayload {
  if (text === "") return unknown({ kind: "empty" });
  if (text.length > MAX_PAYLOAD_LENGTH) return unknown({ kind: "too-long", length: text.length });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unknown({ kind: "not-json" });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return unknown({ kind: "not-an-object" });
  const { event: kind, message } = value as Record<string, unknown>;
  if (kind === "subscription_expiring") return { kind: "expiring" };
  if (kind === "keepalive") return { kind: "keepalive" };
  if (typeof kind !== "string") return unknown({ kind: "wrong-type", field: "event" });
  if (!HOLDS_EVENT.has(kind)) return unknown({ kind: "unknown-event", event: kind });
  const decoded = decodeEvent(message);
  return decoded.ok ? payloadOf(decoded.value) : unknown(decoded.error);
}

function payloadOf(event: ProtocolEvent): PushPayload {
  if (event.event === "poll_request") return { kind: "poll" };
  if (!isStorable(event)) return unknown({ kind: "not-pushed", event: event.event });
  if (event.event === "message") return { kind: "message", event };
  return { kind: event.event === "message_clear" ? "clear" : "delete", event };
}

function unknown(problem: PushProblem): PushPayload {
  return { kind: "unknown", problem };
}

/** URL of the registrations of a server. With `auth` it is a secret. */
export function webPushUrl(address: ServerAddress, auth?: Credentials): string {
  return withQuery(`${address}/v1/webpush`, auth);
}

/** Body of the POST that registers a target for these topics, in place of those that it had. */
export function registerPushBody(target: PushTarget, topics: readonly string[]): string {
  const { endpoint, auth, p256dh } = target;
  // A server fails on a topic that is named twice.
  return JSON.stringify({ endpoint, auth, p256dh, topics: [...new Set(topics)] });
}

/** Body of the DELETE that ends the pushes to an endpoint. */
export function unregisterPushBody(endpoint: string): string {
  return JSON.stringify({ endpoint });
}

/** URL that tells clients on any origin about a server; older servers have none (docs/protocol.md §15). */
export function clientConfigUrl(address: ServerAddress): string {
  return `${address}/v1/config`;
}

/** URL of the script that tells the same on all servers, as a global `config`, but isn't readable from other origins. */
export function clientScriptUrl(address: ServerAddress): string {
  return `${address}/config.js`;
}

/**
 * Why a server gave no key. `off`: it says that it sends no pushes; `no-key`: what it names is invalid; `strange`: the answer
 * isn't the protocol's.
 */
export type PushKeyProblem = "off" | "no-key" | "strange";

/** A key: 65 bytes, of which the first says that it is an uncompressed point of the P-256 curve; the last has no spare bits. */
const KEY = /^B[A-P][\w-]{84}[AEIMQUYcgkosw048]$/;

/** Reads the key for pushes, in URL-safe base64 without padding, from the parsed `/v1/config` of a server, or what its `/config.js` sets. */
export function readPushKey(config: unknown): Result<string, PushKeyProblem> {
  if (typeof config !== "object" || config === null || Array.isArray(config)) return fail("strange");
  const { enable_web_push: isOn, web_push_public_key: key } = config as Record<string, unknown>;
  if (isOn === undefined && key === undefined) return fail("strange");
  if (isOn === false || key === undefined || key === "") return fail("off");
  if (typeof key !== "string") return fail("no-key");
  const bare = key.replace(/={1,2}$/, "");
  return KEY.test(bare) ? ok(bare) : fail("no-key");
}
