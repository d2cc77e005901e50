import { CONTRACT_VERSION, type CommandName } from "../protocol";
import type { HubMessage } from "./hub-message";
import type { Surroundings, Timer } from "./surroundings";

/** One that writes says so this often, ms; one that says neither that nor that it is done for this long has ended. */
const SAY_EVERY_MS = 4_000;
const ENDED_AFTER_MS = 10_000;

/** Commands that write what tabs show. */
const WRITING: readonly CommandName[] = [
  "arrange",
  "delete",
  "mark",
  "markAllRead",
  "patchServer",
  "patchSubscription",
  "prune",
  "restoreSubscription",
  "setCredentials",
  "setSetting",
  "setViews",
  "subscribe",
  "undo",
  "unsubscribe",
];

/**
 * What hubs that do not lead write. A hub that ends between storing and telling leaves tabs that know nothing of it: for one
 * that led, the next leader speaks; for a follower, whoever leads does, as each says before it writes and after it has told.
 */
export class ForeignWrites {
  readonly #surroundings: Surroundings;
  readonly #hubId: string;
  readonly #lost: () => void;
  /** Of other hubs, by hub and number. */
  readonly #open = new Map<string, Timer>();
  #nextId = 1;

  /** @param lost a hub has ended that had begun to write */
  constructor(surroundings: Surroundings, hubId: string, lost: () => void) {
    this.#surroundings = surroundings;
    this.#hubId = hubId;
    this.#lost = lost;
  }

  /** Carries out a command of a hub that follows, and tells the others that it writes, if it does. */
  async during<Value>(name: CommandName, work: () => Promise<Value>): Promise<Value> {
    if (!WRITING.includes(name)) return work();
    const { setTimer, clearTimer } = this.#surroundings;
    const id = this.#nextId++;
    let timer: Timer;
    const say = (): void => {
      this.#post("writing", id);
      timer = setTimer(say, SAY_EVERY_MS);
    };
    say();
    try {
      return await work();
    } finally {
      clearTimer(timer);
      this.#post("written", id);
    }
  }

  /** Hears what others write. */
  hear(message: HubMessage): void {
    if (message.kind !== "writing" && message.kind !== "written") return;
    const name = `${message.from} ${message.id}`;
    const { setTimer, clearTimer } = this.#surroundings;
    clearTimer(this.#open.get(name));
    this.#open.delete(name);
    if (message.kind === "written") return;
    const timer = setTimer(() => {
      this.#open.delete(name);
      this.#lost();
    }, ENDED_AFTER_MS);
    this.#open.set(name, timer);
  }

  #post(kind: "writing" | "written", id: number): void {
    const message: HubMessage = { version: CONTRACT_VERSION, kind, from: this.#hubId, id };
    this.#surroundings.channel.post(message);
  }
}
