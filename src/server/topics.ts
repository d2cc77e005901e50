import type { ProtocolEvent } from "../protocol";

/** Seconds after which a topic that nobody uses leaves the server's memory, unnoticed (protocol, section 1). */
const IDLE_TOPIC_S = 16 * 3600;

/** One live subscription; `deliver` must not throw or wait. */
export interface Subscriber {
  deliver(event: ProtocolEvent): void;
}

interface Topic {
  /** A list that names the topic twice subscribes twice. */
  subscribers: Subscriber[];
  usedAtS: number;
}

/** The topics in use and who listens to them. A topic comes into being when it is first named (protocol, section 1). */
export class Topics {
  readonly #topics = new Map<string, Topic>();

  constructor(private readonly limit: number) {}

  /** Marks topics as used, creating them; false when the server has no room for another one. */
  use(names: readonly string[], nowS: number): boolean {
    for (const name of names) {
      const topic = this.#topics.get(name);
      if (topic) topic.usedAtS = nowS;
      else if (this.#topics.size >= this.limit) return false;
      else this.#topics.set(name, { subscribers: [], usedAtS: nowS });
    }
    return true;
  }

  /** Subscribes to topics in use; the answer ends it. */
  subscribe(names: readonly string[], subscriber: Subscriber): () => void {
    for (const name of names) this.#topics.get(name)?.subscribers.push(subscriber);
    return () => {
      for (const name of names) {
        const topic = this.#topics.get(name);
        if (topic) topic.subscribers = topic.subscribers.filter((other) => other !== subscriber);
      }
    };
  }

  /** Hands an event to everyone who listens to its topic, in this very tick. */
  publish(event: ProtocolEvent): void {
    // Subscribers who leave meanwhile replace the list, so this one is safe to walk.
    for (const subscriber of this.#topics.get(event.topic)?.subscribers ?? []) subscriber.deliver(event);
  }

  /** Forgets topics that nobody listens to or has used for long. */
  forgetIdle(nowS: number): void {
    for (const [name, { subscribers, usedAtS }] of this.#topics) {
      if (subscribers.length === 0 && nowS - usedAtS > IDLE_TOPIC_S) this.#topics.delete(name);
    }
  }
}
