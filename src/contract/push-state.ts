// What is known of pushes, and what a server is asked for.
import type { Failure, PushKeyProblem, PushTarget } from "../protocol";

/** Why a server sends no pushes here. */
export type PushFault =
  /** It tells no key: it has none (`off`), is too old to tell (`untold`), or says something else. */
  | { kind: "no-key"; problem: PushKeyProblem | "untold" }
  /** It doesn't send to this browser's push service. */
  | { kind: "service-refused" }
  /** It gave up, as it does when too many devices at one address are registered. */
  | { kind: "too-many-devices" }
  /** None of the topics may be read. */
  | { kind: "forbidden" }
  | { kind: "failed"; why: Failure };

/** Texts for the worker that receives pushes, which has no catalogue of strings. It fills in what is in `{…}`. */
export interface PushWorkerStrings {
  /** Has `{title}` and `{topic}`. */
  title: string;
  /** In place of bodies that are no text, or have nothing visible. */
  binary: string;
  unseen: string;
  /** Has `{count}`, which is 2 or more. */
  many: string;
  /** As `many`, for messages that the topics' rules held back. */
  heldBack: string;
  /** For a push that brings nothing to show, where the browser demands that each shows something. */
  changed: string;
}

/** One registration of the browser for pushes, as its server last heard of it. */
export interface PushPart {
  /** Relative to the app; see `pushScope`. */
  scope: string;
  /** A secret: whoever knows it and its keys can send pushes. */
  endpoint: string;
  /** 0 = none. */
  accountId: number;
  topics: string[];
  /** When the worker renewed it by itself, device clock, ms; absent = with all parts, see `PushState`. */
  postedAtMs?: number;
}

/** The state of a server's pushes. Times are device clock, ms. */
export interface PushState {
  serverId: number;
  /** The server's public key, URL-safe base64. */
  key: string;
  parts: PushPart[];
  /** Topics that the server refuses to push, as they may not be read. */
  refused: string[];
  /** The field keeps the name under which it was first stored. */
  words: PushWorkerStrings;
  /** The browser withdraws the permission if pushes show nothing. */
  mustShow?: true;
  sinceMs: number;
  /** When the server last heard of the registration; it forgets one after 60 days. */
  postedAtMs: number;
  /** Why the server refused the last registration; absent = it accepted it. */
  fault?: PushFault;
  pushedAtMs?: number;
  /** When a push last made the worker poll for what else there is. */
  checkedAtMs?: number;
  /** How many pushes in a row showed nothing. */
  heldBack?: number;
}

/** Sends a server this browser's push subscriptions, replacing earlier ones. */
export type RegisterPushInput = Pick<PushState, "serverId" | "key" | "words" | "mustShow"> & {
  parts: { scope: string; accountId: number; topics: string[]; target: PushTarget }[];
};
