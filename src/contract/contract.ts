// What page and hub say to each other, and its version. These files have only types and constants, so that the page imports
// nothing from the worker.
import type { HubEvent } from "./announcements";
import type { CommandName, Commands } from "./commands";

/**
 * Version of this contract. Tabs and hubs of different versions ignore each other's messages, except those that decide
 * who leads.
 */
export const CONTRACT_VERSION = 24;

/**
 * The broadcast channel of hubs and tabs. All versions use one name, as hubs of different versions must agree who
 * leads.
 */
export const CHANNEL_NAME = "earshot";

/** Sent over the port, from page to worker. */
export type PageMessage = {
  [Name in CommandName]: { version: number; id: number; name: Name; input: Commands[Name]["input"] };
}[CommandName];

/** Sent over the port, from worker to page. */
export type WorkerMessage =
  | { version: number; kind: "answer"; id: number; output: unknown }
  | { version: number; kind: "event"; event: HubEvent };
