import type { ProtocolEvent } from "../protocol";
import type { Visitor } from "./visitors";

/** One live subscription; `deliver` must not throw or wait. */
export interface Subscriber {
  deliver(event: ProtocolEvent): void;
}

/** The topics in use and their subscribers. A topic is created when it is first named (docs/protocol.md §1). */
export class Topics {
  /** By topic, how often each subscriber has named it, and so how often it gets each message. */
  readonly #heard = new Map<string, Map<Subscriber, number>>();
  /** Topics without subscribers, those not used for longest first. Only newly named topics are rationed. */
  readonly #idle = new Set<string>();

  /** @param limit topics in all; the idle ones make room for others, which has no other effect */
  constructor(private readonly limit: number) {}

  /**
   * Marks topics as used, creating them, up to the first that can't be created.
   * @param visitor who names them; absent = the server itself
   * @returns why it can't, if so
   */
  use(names: Iterable<string>, visitor?: Visitor): "no room" | "too many new" | undefined {
    for (const name of names) {
      if (this.#heard.has(name)) continue;
      if (this.#heard.size >= this.limit) return "no room";
      if (!this.#idle.delete(name) && visitor && !visitor.takeNewTopic()) return "too many new";
      this.#idle.add(ownText(name));
      const [longestUnused = ""] = this.#idle;
      if (this.#heard.size + this.#idle.size > this.limit) this.#idle.delete(longestUnused);
    }
    return undefined;
  }

  /** Subscribes to topics; the returned function ends it. */
  subscribe(names: readonly string[], subscriber: Subscriber): () => void {
    for (const name of names) {
      this.#idle.delete(name);
      const subscribers = this.#heard.get(name) ?? new Map<Subscriber, number>();
      subscribers.set(subscriber, (subscribers.get(subscriber) ?? 0) + 1);
      this.#heard.set(ownText(name), subscribers);
    }
    return () => {
      for (const name of names) {
        const subscribers = this.#heard.get(name);
        if (!subscribers?.delete(subscriber) || subscribers.size > 0) continue;
        this.#heard.delete(name);
        this.#idle.add(ownText(name));
      }
    };
  }

  /** Sends an event to all subscribers of its topic, in the same tick. */
  publish(event: ProtocolEvent): void {
    for (const [subscriber, times] of this.#heard.get(event.topic) ?? []) {
      for (let time = 0; time < times; time++) subscriber.deliver(event);
    }
  }
}

/** Copies a text into its own memory, as a substring would keep the whole text, such as a request, in memory. */
export function ownText(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}
