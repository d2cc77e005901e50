import type { CommandName, CommandsThat, HubEvent } from "../contract";
import type { ServerAddress } from "../protocol";
import type { Passed } from "./alerts";

/** Commands that concern only the tab that gives them: they never leave that tab's hub. */
export type TabCommand = CommandsThat<{ by: "tab" }>;

/** Commands that any hub takes, whoever asks. */
export type HubCommand = Exclude<CommandName, TabCommand>;

/** What hubs say to each other, and to all tabs, over the broadcast channel. */
export type HubMessage =
  | { version: number; kind: "event"; event: HubEvent }
  /** No tab of the sending hub can show it. */
  | { version: number; kind: "alert"; passed: Passed }
  /** A hub that doesn't lead made a request to a server. The server counts the requests of all hubs together. */
  | { version: number; kind: "request"; address: ServerAddress }
  /** Somebody looks at a tab of a hub that does not lead. */
  | { version: number; kind: "in-sight" }
  /** A hub that doesn't lead begins to write what tabs show; or it has written, and told about it. */
  | { version: number; kind: "writing" | "written"; from: string; id: number }
  /** A hub has started, or waits for the lead; the leader answers with a heartbeat, or steps down for a newer build. */
  | { version: number; kind: "hello"; from: string; build: string }
  /** The sender leads and is alive. */
  | { version: number; kind: "heartbeat"; from: string; build: string }
  /** A command that only the leader can carry out. */
  | { version: number; kind: "relay"; from: string; id: number; name: HubCommand; input: unknown }
  | { version: number; kind: "relayed"; to: string; id: number; output: unknown };

/** Tells our own messages from anything else on the channel. */
export function isHubMessage(data: unknown): data is HubMessage {
  return typeof data === "object" && data !== null && "version" in data && "kind" in data;
}
