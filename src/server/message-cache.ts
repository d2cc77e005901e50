import type { Since, StorableEvent } from "../protocol";
import { sequenceOf } from "../protocol";
import { firstFrom, replayPieces } from "./replay";

/** A message in the cache. */
export interface CachedMessage {
  /** Row number: given at submission, never sent, and what `since=<id>` goes by (docs/protocol.md §4). */
  row: number;
  event: StorableEvent;
  /** False while it is scheduled and waits for its time. */
  delivered: boolean;
  /** Who pays for the traffic of its attachment: a visitor's key. */
  sender: string;
}

/** What changes in the cache, for whoever keeps it in a file. */
export interface CacheObserver {
  added(message: CachedMessage): void;
  delivered(id: string): void;
  removed(ids: readonly string[]): void;
}

/** Bytes that a message takes in memory beside its text, as measured; and each of its tags. */
const OVERHEAD_BYTES = 600;
const TAG_BYTES = 32;
/** Objects of many short fields take so many times the memory of their JSON. */
const ACTIONS_FACTOR = 6;
/** How far a cache that is too full is emptied, so that this is not to be done with every message. */
const EMPTIED_TO = 0.98;

/** Messages of one topic are kept in the order of an answer: by time, then row number (docs/protocol.md §4). */
function isBefore(a: CachedMessage, b: CachedMessage): boolean {
  return a.event.time < b.event.time || (a.event.time === b.event.time && a.row < b.row);
}

/**
 * A share such that nobody who keeps to it loses anything, and all others together leave the rest.
 * @param amounts what each has
 */
function fairShare(amounts: readonly number[], total: number): number {
  let left = total;
  const sorted = amounts.toSorted((a, b) => a - b);
  for (const [at, amount] of sorted.entries()) {
    const share = left / (sorted.length - at);
    if (amount > share) return share;
    left -= amount;
  }
  return Infinity;
}

/** Memory that a message takes, more or less, in bytes. */
function sizeOf(event: StorableEvent): number {
  const { tags = [], actions = [] } = event.event === "message" ? event : {};
  const bytesOf = (value: object) => Buffer.byteLength(JSON.stringify(value));
  return bytesOf(event) + OVERHEAD_BYTES + TAG_BYTES * tags.length + (ACTIONS_FACTOR - 1) * bytesOf(actions);
}

/** The messages that a server still holds, in memory (docs/protocol.md §4). */
export class MessageCache {
  readonly #byTopic = new Map<string, CachedMessage[]>();
  readonly #byId = new Map<string, CachedMessage>();
  readonly #scheduled = new Set<CachedMessage>();
  /** Bytes of each message, and of all of each sender. */
  readonly #bytes = new Map<CachedMessage, number>();
  readonly #bytesBySender = new Map<string, number>();
  #totalBytes = 0;
  #lastRow = 0;

  constructor(private readonly observer?: CacheObserver) {}

  /** Memory that the messages take, more or less. */
  get totalBytes(): number {
    return this.#totalBytes;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Takes a message in; its row number is the next one. An id that is there already changes nothing. */
  add(message: Omit<CachedMessage, "row">): void {
    // A copy, as parts of the text of a request would keep all of it in memory.
    const event = JSON.parse(JSON.stringify(message.event)) as StorableEvent;
    this.restore({ ...message, event, row: this.#lastRow + 1 }, true);
  }

  /** Takes a message in with its row number, as read from a file. */
  restore(message: CachedMessage, isNew = false): void {
    const { id, topic } = message.event;
    if (this.#byId.has(id)) return;
    this.#lastRow = Math.max(this.#lastRow, message.row);
    this.#byId.set(id, message);
    if (!message.delivered) this.#scheduled.add(message);
    const messages = this.#byTopic.get(topic) ?? [];
    this.#byTopic.set(topic, messages);
    // Nearly always the last place: only messages before a scheduled one go further up.
    let at = messages.length;
    for (let above = messages[at - 1]; above && isBefore(message, above); above = messages[at - 1]) at--;
    messages.splice(at, 0, message);
    this.#count(message, sizeOf(message.event));
    if (isNew) this.observer?.added(message);
  }

  get(id: string): CachedMessage | undefined {
    return this.#byId.get(id);
  }

  /** Whether there are messages of a topic. */
  holds(topic: string): boolean {
    return this.#byTopic.has(topic);
  }

  all(): Iterable<CachedMessage> {
    return this.#byId.values();
  }

  /**
   * What a replay gives, as it is now, in pieces to be taken when there is time: topic by topic as listed, a repeated
   * topic repeatedly; several topics are merged by time (docs/protocol.md §4).
   */
  select(topics: readonly string[], since: Since, withScheduled: boolean): Iterable<CachedMessage[]> {
    const lists = topics.map((topic) => this.#byTopic.get(topic) ?? []);
    if (since.kind === "none") return [];
    if (since.kind === "latest") {
      const latest = lists.map((messages) => [messages.findLast(({ delivered }) => delivered) ?? []].flat());
      return replayPieces(latest, () => true);
    }
    // What is scheduled now is delivered live later, perhaps before its piece is taken.
    const scheduled = new Set(this.#scheduled);
    // The marker may be of any topic; an unknown one gives everything.
    const marker = since.kind === "id" ? this.#byId.get(since.id) : undefined;
    const from = since.kind === "time" ? since.time : -Infinity;
    return replayPieces(
      lists.map((messages) => messages.slice(firstFrom(messages, from))),
      (message) => (scheduled.has(message) ? withScheduled : !marker || message.row > marker.row),
    );
  }

  /** Marks what has fallen due as delivered and gives it, oldest first. @param nowS Unix seconds */
  takeDue(nowS: number): StorableEvent[] {
    const due = [...this.#scheduled].filter(({ event }) => event.time <= nowS);
    due.sort((a, b) => (isBefore(a, b) ? -1 : 1));
    for (const message of due) {
      message.delivered = true;
      this.#scheduled.delete(message);
      this.observer?.delivered(message.event.id);
    }
    return due.map(({ event }) => event);
  }

  /** Marks one message as delivered, as read from a file. */
  restoreDelivered(id: string): void {
    const message = this.#byId.get(id);
    if (!message) return;
    message.delivered = true;
    this.#scheduled.delete(message);
  }

  /** Cancels what is still scheduled of a sequence (docs/protocol.md §17); the ids that went. */
  cancelScheduled(topic: string, sequence: string): string[] {
    const isMeant = ({ event }: CachedMessage) => event.topic === topic && sequenceOf(event) === sequence;
    return this.#remove([...this.#scheduled].filter(isMeant));
  }

  /** Removes what has expired; scheduled messages stay until they were delivered. The ids that went. */
  removeExpired(nowS: number): string[] {
    const gone: CachedMessage[] = [];
    for (const message of this.#byId.values()) {
      if (message.delivered && (message.event.expires ?? 0) <= nowS) gone.push(message);
    }
    return this.#remove(gone);
  }

  /**
   * Makes room in a cache that takes more memory than it may: the oldest messages go of those senders who take more
   * than their share, so that one who fills it loses only what is their own. The ids that went.
   */
  keepWithin(bytes: number): string[] {
    if (this.#totalBytes <= bytes) return [];
    const share = fairShare([...this.#bytesBySender.values()], bytes * EMPTIED_TO);
    const tooMuch = new Map([...this.#bytesBySender].filter(([, amount]) => amount > share));
    const gone: CachedMessage[] = [];
    for (const message of this.#byId.values()) {
      const amount = tooMuch.get(message.sender);
      if (amount === undefined) continue;
      gone.push(message);
      const left = amount - (this.#bytes.get(message) ?? 0);
      if (left > share) tooMuch.set(message.sender, left);
      else tooMuch.delete(message.sender);
      if (tooMuch.size === 0) break;
    }
    return this.#remove(gone);
  }

  #count(message: CachedMessage, bytes: number): void {
    if (bytes > 0) this.#bytes.set(message, bytes);
    else this.#bytes.delete(message);
    this.#totalBytes += bytes;
    const ofSender = (this.#bytesBySender.get(message.sender) ?? 0) + bytes;
    if (ofSender > 0) this.#bytesBySender.set(message.sender, ofSender);
    else this.#bytesBySender.delete(message.sender);
  }

  /** Removes messages by their ids, as read from a file. */
  forget(ids: readonly string[]): void {
    this.#remove(ids.flatMap((id) => this.#byId.get(id) ?? []));
  }

  #remove(gone: CachedMessage[]): string[] {
    if (gone.length === 0) return [];
    const rows = new Set(gone);
    for (const topic of new Set(gone.map(({ event }) => event.topic))) {
      const left = (this.#byTopic.get(topic) ?? []).filter((message) => !rows.has(message));
      if (left.length > 0) this.#byTopic.set(topic, left);
      else this.#byTopic.delete(topic);
    }
    for (const message of gone) {
      this.#byId.delete(message.event.id);
      this.#scheduled.delete(message);
      this.#count(message, -(this.#bytes.get(message) ?? 0));
    }
    const ids = gone.map(({ event }) => event.id);
    this.observer?.removed(ids);
    return ids;
  }
}
