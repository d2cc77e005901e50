// What the hub reports: each server's connection, the result of a server test, the state of a raw stream.
import type { Failure } from "../protocol";

/** How messages are received. `raw` carries no ids, so it is only a live tail. */
export type Transport = "json" | "sse" | "ws" | "poll";

/** State of the connection to one server. Each state carries only its own data. Times are device clock, ms. */
export type ConnectionState =
  | { kind: "idle" }
  /** `why`: what ended the previous try. */
  | { kind: "connecting"; attempt: number; sinceMs: number; why?: Failure }
  /**
   * `inTurn`: this many topics don't fit into a stream and are polled in turn, each about this often. `everyMs`: there
   * is no stream, and everything is polled this often.
   */
  | {
      kind: "live";
      sinceMs: number;
      transport: Transport;
      inTurn?: { topics: number; everyMs: number };
      everyMs?: number;
    }
  | { kind: "waiting"; attempt: number; nextTryAtMs: number; why: Failure }
  | { kind: "offline"; sinceMs: number }
  | { kind: "refused"; why: Failure }
  | { kind: "stopped"; why: Failure };

/** What the hub knows about one server, besides its state. */
export interface ServerStatus {
  serverId: number;
  state: ConnectionState;
  /** Whether a catch-up is under way ("checking…"). */
  checking: boolean;
  /** When the last complete catch-up was, device clock, ms. */
  lastCompleteAtMs?: number;
  /** When the last byte was received, device clock, ms. */
  lastContactAtMs?: number;
  /** How far the server's clock is ahead of the device's, seconds; absent = not heard yet. */
  clockAheadS?: number;
  /** Lines skipped as malformed on this connection. */
  malformed: number;
  /** Requests of the leading hub to the server in the last five minutes. */
  recentRequests: number;
  /** Whether the server keeps no messages, so that those published while the app is away are lost. */
  cacheless: boolean;
  /** Topics left out because the server refuses them. */
  refusedTopics: string[];
  /** Topics that wait for the server to admit more new ones. */
  waitingTopics: string[];
}

/** What a test of a server showed, besides what is at its address. */
export interface ServerTest {
  /** Whether each account's topics can be read; `accountId` 0 = without one. `why`: why not. */
  access: { accountId: number; why?: Failure }[];
  /** Whether a stream opened; absent = no topic could be read. */
  hasStream?: boolean;
  /** How long the server keeps messages, seconds; 0 = not at all; absent = it doesn't say. */
  keepsS?: number;
  /** How far the server's clock is ahead of the device's, seconds; absent = the server hasn't told its time. */
  clockAheadS?: number;
}

/** One line of a raw stream, as it came. */
export interface TailLine {
  /** Device clock, ms. */
  atMs: number;
  text: string;
}

/** State of a raw stream. Times are device clock, ms. */
export type TailState =
  | { kind: "connecting" }
  | { kind: "open"; heardAtMs: number }
  | { kind: "waiting"; nextTryAtMs: number; why: Failure }
  | { kind: "stopped"; why: Failure };
