import { isTopicName, type ProtocolEvent, type StreamFormat } from "../protocol";
import { Refusal } from "./protocol-error";
import type { Visitor } from "./visitors";

/** A stream, or a poll under way. */
export interface Subscriber {
  readonly request: { topics: string[]; format: StreamFormat; isPoll: boolean };
  /** Sends a message. */
  deliver(event: ProtocolEvent): void;
  /** Ends it at once, as a stopping server does. */
  cut(): void;
}

/** The topics in use and their subscribers. A topic is created when it is first named (docs/protocol.md §1). */
export class Topics {
  /** By topic, how often each subscriber has named it, and so how often it gets each message. */
  readonly #heard = new Map<string, Map<Subscriber, number>>();
  /** Topics without subscribers, the longest unused first. Only newly named topics are rationed. */
  readonly #idle = new Set<string>();

  /** @param limit topics in all; idle ones are dropped to make room, which has no other effect */
  constructor(private readonly limit: number) {}

  /**
   * Marks topics as used, creating them, up to the first that can't be created.
   * @param visitor who names them; absent = the server itself
   * @throws Refusal 42904 no room, 42911 too many new ones
   */
  use(names: Iterable<string>, visitor?: Visitor): void {
    for (const name of names) {
      if (this.#heard.has(name)) continue;
      if (visitor && this.#heard.size >= this.limit) throw new Refusal(42904);
      if (!this.#idle.delete(name) && visitor && !visitor.newTopics.take()) throw new Refusal(42911);
      this.#idle.add(ownText(name));
      const [longestUnused = ""] = this.#idle;
      if (this.#heard.size + this.#idle.size > this.limit) this.#idle.delete(longestUnused);
    }
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

/** Maximum number of topics in a list: more than fit in the longest URL a browser should request, 4,000 characters. */
const MAX_TOPICS = 1_400;
/** Maximum number of times that a list may name a topic: each message is sent that often (docs/protocol.md §1). */
const MAX_TIMES = 2;

/** Names of a comma list (docs/protocol.md §1). @throws Refusal 40401 if it is invalid, 40009 if it is too long */
export function topicList(text: string): string[] {
  // Count the commas first, so that a long list costs nothing more.
  if (text.length > MAX_TOPICS && text.split(",", MAX_TOPICS + 1).length > MAX_TOPICS)
    throw new Refusal(40009, `a request may name ${MAX_TOPICS} topics`);
  const topics = text.split(",");
  if (!topics.every(isTopicName)) throw new Refusal(40401);
  const times = new Map<string, number>();
  for (const name of topics) {
    const named = (times.get(name) ?? 0) + 1;
    if (named > MAX_TIMES) throw new Refusal(40009, `"${name}" stands in the list more than twice`);
    times.set(name, named);
  }
  return topics;
}

/** One name, for publishing. @throws Refusal 40401 if it is invalid */
export function checkTopicName(text: string): string {
  if (!isTopicName(text)) throw new Refusal(40401);
  return text;
}
