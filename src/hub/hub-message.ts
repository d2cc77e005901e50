import type { CommandName, HubEvent } from "../protocol";
import type { StoredMessage } from "../store";

/** What hubs say to each other, and to all tabs, over the broadcast channel. */
export type HubMessage =
  | { version: number; kind: "event"; event: HubEvent<StoredMessage> }
  /** A hub has started, or waits for the lead; the leader answers with a heartbeat, or steps down for a newer build. */
  | { version: number; kind: "hello"; from: string; build: string }
  /** "I lead and live." */
  | { version: number; kind: "heartbeat"; from: string; build: string }
  /** A command that only the leader can carry out. */
  | { version: number; kind: "relay"; from: string; id: number; name: CommandName; input: unknown }
  | { version: number; kind: "relayed"; to: string; id: number; output: unknown };

/** Tells a message of ours from anything else on the channel. */
export function isHubMessage(data: unknown): data is HubMessage {
  return typeof data === "object" && data !== null && "version" in data && "kind" in data;
}
