import {
  type CommandName,
  type HubEvent,
  CONTRACT_VERSION,
  type Commands,
  MAX_ANNOUNCED_ROWS,
  newestFirst,
  type StoredMessage,
} from "../../contract";
import { isJsonObject } from "../../protocol";
import type { Passed } from "../alerts/alerts";
import type { Channel, Environment, Timer, Written } from "../environment";

/** Commands that any hub carries out for anyone; the others concern only the tab that sent them. */
export type HubCommand = Exclude<CommandName, "setAlerting">;

/** What hubs say to each other, and to all tabs, over the broadcast channel. */
type Said =
  | { kind: "event"; event: HubEvent }
  /** No tab of the sending hub can show it. */
  | { kind: "alert"; passed: Passed }
  /** A tab is in sight, of a hub that doesn't lead. */
  | { kind: "in-sight" }
  /** The sending hub awaits the answer to an own message, which the leader may get first; and no longer does. */
  | { kind: "sending" | "sent" }
  /** A hub has started, or waits for the lead; the leader answers with a heartbeat, or steps down for a newer build. */
  | { kind: "hello"; from: string; build: string }
  /** The sender leads and is alive. */
  | { kind: "heartbeat"; from: string; build: string }
  /** A command that only the leader can carry out. */
  | { kind: "relay"; from: string; id: number; name: HubCommand; input: unknown }
  | { kind: "relayed"; to: string; id: number; output: unknown };

export type HubMessage = Said & { version: number };

export function tellHubs(channel: Pick<Channel, "post">, said: Said): void {
  channel.post({ version: CONTRACT_VERSION, ...said } satisfies HubMessage);
}

/** The announcement of a write; undefined if it changed nothing. */
export function rowsEvent({ added = [], moreAdded = 0, ...written }: Written): HubEvent | undefined {
  const { changed, removed, counts, total, lastArrival } = written;
  if (added.length + changed.length + removed.length + counts.length === 0) return undefined;
  const shown = { added: newest(added), changed: newest(changed) };
  const left = added.length - shown.added.length + changed.length - shown.changed.length;
  return { kind: "rows", ...shown, removed, more: moreAdded + left, counts, total, lastArrival };
}

function newest(rows: StoredMessage[]): StoredMessage[] {
  if (rows.length <= MAX_ANNOUNCED_ROWS) return rows;
  return [...rows].sort(newestFirst).slice(0, MAX_ANNOUNCED_ROWS);
}

/** Tells our own messages from anything else on the channel. */
export function isHubMessage(data: unknown): data is HubMessage {
  return isJsonObject(data) && "version" in data && "kind" in data;
}

/** How long to wait for the leader, ms: the longest command is a refresh over a slow network. */
const ANSWER_WITHIN_MS = 120_000;

/** Relays commands that only the leader can carry out, over the broadcast channel. */
export class Relay {
  readonly #waiting = new Map<number, { resolve: (output: unknown) => void; timer: Timer }>();
  #nextId = 1;

  constructor(
    private readonly environment: Environment,
    private readonly hubId: string,
  ) {}

  /** The leader's answer; undefined if none came in time. */
  ask<Name extends HubCommand>(
    name: Name,
    input: Commands[Name]["input"],
    withinMs = ANSWER_WITHIN_MS,
  ): Promise<Commands[Name]["output"] | undefined> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const timer = this.environment.setTimer(() => this.#settle(id, undefined), withinMs);
      this.#waiting.set(id, { resolve: resolve as (output: unknown) => void, timer });
      tellHubs(this.environment.channel, { kind: "relay", from: this.hubId, id, name, input });
    });
  }

  /** Sends the leader's answer back to the hub that asked. */
  answer(to: string, id: number, output: unknown): void {
    tellHubs(this.environment.channel, { kind: "relayed", to, id, output });
  }

  /** Takes the leader's answers. */
  hear(message: HubMessage): void {
    if (message.kind === "relayed" && message.to === this.hubId) this.#settle(message.id, message.output);
  }

  #settle(id: number, output: unknown): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    this.environment.clearTimer(waiting.timer);
    waiting.resolve(output);
  }
}
