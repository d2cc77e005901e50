import type { Since, StorableEvent } from "../protocol";
import { sequenceOf } from "../protocol";

/** A message in the cache. */
export interface CachedMessage {
  /** Row number: given at submission, never sent, and what `since=<id>` goes by (protocol, section 4). */
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

/** Messages of one topic are kept in the order of an answer: by time, then row number (protocol, section 4). */
function isBefore(a: CachedMessage, b: CachedMessage): boolean {
  return a.event.time < b.event.time || (a.event.time === b.event.time && a.row < b.row);
}

/** The messages that a server still holds, in memory (protocol, section 4). */
export class MessageCache {
  readonly #byTopic = new Map<string, CachedMessage[]>();
  readonly #byId = new Map<string, CachedMessage>();
  readonly #scheduled = new Set<CachedMessage>();
  #lastRow = 0;

  constructor(private readonly observer?: CacheObserver) {}

  get size(): number {
    return this.#byId.size;
  }

  /** Takes a message in; its row number is the next one. An id that is there already changes nothing. */
  add(message: Omit<CachedMessage, "row">): void {
    this.restore({ ...message, row: this.#lastRow + 1 }, true);
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

  /** What a replay gives, topic by topic as listed, a repeated topic repeatedly; several topics are merged by time (protocol, section 4). */
  select(topics: readonly string[], since: Since, withScheduled: boolean): CachedMessage[] {
    if (since.kind === "none") return [];
    const selected = topics.map((topic) => this.#selectOne(this.#byTopic.get(topic) ?? [], since, withScheduled));
    if (selected.length === 1) return selected.flat();
    return selected.flat().sort((a, b) => a.event.time - b.event.time);
  }

  #selectOne(messages: CachedMessage[], since: Since, withScheduled: boolean): CachedMessage[] {
    if (since.kind === "latest") {
      const latest = messages.findLast((message) => message.delivered);
      return latest ? [latest] : [];
    }
    // The marker may be of any topic; an unknown one gives everything.
    const marker = since.kind === "id" ? this.#byId.get(since.id) : undefined;
    if (marker) return messages.filter(({ row, delivered }) => (delivered ? row > marker.row : withScheduled));
    const from = since.kind === "time" ? since.time : -Infinity;
    return messages.filter(({ event, delivered }) => event.time >= from && (delivered || withScheduled));
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

  /** Cancels what is still scheduled of a sequence (protocol, section 17); the ids that went. */
  cancelScheduled(topic: string, sequence: string): string[] {
    const isMeant = ({ event }: CachedMessage) => event.topic === topic && sequenceOf(event) === sequence;
    return this.#remove([...this.#scheduled].filter(isMeant));
  }

  /** Removes what has expired; scheduled messages stay until they were delivered. The ids that went. */
  removeExpired(nowS: number): string[] {
    const isExpired = ({ event, delivered }: CachedMessage) => delivered && (event.expires ?? 0) <= nowS;
    return this.#remove([...this.#byId.values()].filter(isExpired));
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
    }
    const ids = gone.map(({ event }) => event.id);
    this.observer?.removed(ids);
    return ids;
  }
}
