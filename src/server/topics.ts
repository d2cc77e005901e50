import type { ProtocolEvent } from "../protocol";
import type { Visitor } from "./visitors";

/**
 * Seconds after which an unused topic is removed from the server's memory, which has no effect (docs/protocol.md §1).
 */
const IDLE_TOPIC_S = 16 * 3600;

/** One live subscription; `deliver` must not throw or wait. */
export interface Subscriber {
  deliver(event: ProtocolEvent): void;
}

interface Topic {
  /** How often each has named the topic, and so how often it gets each message. */
  subscribers: Map<Subscriber, number>;
  usedAtS: number;
  /** Key of the visitor who named it first; absent = the server itself. */
  visitor: string | undefined;
}

/** The topics in use and their subscribers. A topic is created when it is first named (docs/protocol.md §1). */
export class Topics {
  readonly #topics = new Map<string, Topic>();
  /** How many of them each visitor was the first to name. */
  readonly #named = new Map<string, number>();

  /** @param limit topics in all */
  constructor(private readonly limit: number) {}

  /**
   * Marks topics as used, creating them, up to the first that can't be created.
   * @param visitor who names them; absent = the server itself
   * @returns why it can't, if so
   */
  use(names: readonly string[], nowS: number, visitor?: Visitor): "no room" | "too many new" | undefined {
    for (const name of names) {
      const topic = this.#topics.get(name);
      if (topic) topic.usedAtS = nowS;
      else if (visitor && !visitor.takeNewTopic()) return "too many new";
      else if (this.#topics.size >= this.limit && !this.#makeRoom(visitor?.key)) return "no room";
      else this.#add(name, nowS, visitor?.key);
    }
    return undefined;
  }

  #add(name: string, usedAtS: number, visitor: string | undefined): Topic {
    const topic: Topic = { subscribers: new Map(), usedAtS, visitor };
    this.#topics.set(ownText(name), topic);
    this.#countNamed(visitor, 1);
    return topic;
  }

  /**
   * Makes room for a visitor by removing topics of the visitor who has named the most, so that no visitor takes all the
   * room: half of the difference between the two, as long as those topics have no subscribers.
   */
  #makeRoom(visitor: string | undefined): boolean {
    const own = this.#named.get(visitor ?? "") ?? 0;
    const [holder, most] = [...this.#named].reduce((a, b) => (b[1] > a[1] ? b : a), ["", 0]);
    const surplus = Math.floor((most - own) / 2);
    // Checked first, because looking through all topics takes milliseconds.
    if (surplus < 1) return false;
    const idle = [...this.#topics].filter(([, topic]) => topic.visitor === holder && topic.subscribers.size === 0);
    const gone = idle.sort(([, a], [, b]) => a.usedAtS - b.usedAtS).slice(0, surplus);
    for (const [name, topic] of gone) this.#forget(name, topic);
    return gone.length > 0;
  }

  #forget(name: string, { visitor }: Topic): void {
    this.#topics.delete(name);
    this.#countNamed(visitor, -1);
  }

  #countNamed(visitor: string | undefined, change: 1 | -1): void {
    if (visitor === undefined) return;
    const named = (this.#named.get(visitor) ?? 0) + change;
    if (named > 0) this.#named.set(visitor, named);
    else this.#named.delete(visitor);
  }

  /** Subscribes to topics in use; the returned function ends it. */
  subscribe(names: readonly string[], subscriber: Subscriber): () => void {
    for (const name of names) {
      // A topic that was removed to make room for a later one of the same list comes back.
      const { subscribers } = this.#topics.get(name) ?? this.#add(name, 0, undefined);
      subscribers.set(subscriber, (subscribers.get(subscriber) ?? 0) + 1);
    }
    return () => {
      for (const name of names) this.#topics.get(name)?.subscribers.delete(subscriber);
    };
  }

  /** Sends an event to all subscribers of its topic, in the same tick. */
  publish(event: ProtocolEvent): void {
    for (const [subscriber, times] of this.#topics.get(event.topic)?.subscribers ?? []) {
      for (let time = 0; time < times; time++) subscriber.deliver(event);
    }
  }

  /** Forgets topics without subscribers that have not been used for long. */
  forgetIdle(nowS: number): void {
    for (const [name, topic] of this.#topics) {
      if (topic.subscribers.size === 0 && nowS - topic.usedAtS > IDLE_TOPIC_S) this.#forget(name, topic);
    }
  }
}

/** Copies a text into its own memory, as a substring would keep the whole text, such as a request, in memory. */
export function ownText(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}
