import { type Since, type StorableEvent, sequenceOf } from "../protocol";

export interface CachedMessage {
  /** Row number: given at submission, never sent, and what `since=<id>` goes by (docs/protocol.md §4). */
  row: number;
  event: StorableEvent;
  /** False while it is scheduled. */
  delivered: boolean;
  /** Key of the visitor to whom the traffic of its attachment is charged. */
  sender: string;
}

/** Bytes of memory that a message takes besides its text, and that each of its tags takes, as measured. */
const OVERHEAD_BYTES = 600;
const TAG_BYTES = 32;
/** Objects with many short fields take this many times the memory of their JSON. */
const ACTIONS_FACTOR = 6;
/** A cache that is too full is emptied to this share of its limit, so that not every message has to make room. */
const EMPTIED_TO = 0.98;

/** Messages of one topic are kept in the order of an answer: by time, then row number (docs/protocol.md §4). */
function isBefore(a: CachedMessage, b: CachedMessage): boolean {
  return a.event.time < b.event.time || (a.event.time === b.event.time && a.row < b.row);
}

/** The largest share such that the total fits if every larger amount is cut down to it. */
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

/** Estimated memory of a message, in bytes. */
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
  /** Bytes of each message, oldest first. */
  readonly #bytes = new Map<CachedMessage, number>();
  /** Estimated memory of all messages, in bytes. */
  totalBytes = 0;
  #lastRow = 0;

  /** Gives a message its row number, without adding it yet. */
  number(message: Omit<CachedMessage, "row">): CachedMessage {
    // Copy it, as substrings of a request's text would keep the whole text in memory.
    const event = JSON.parse(JSON.stringify(message.event)) as StorableEvent;
    return { row: ++this.#lastRow, ...message, event };
  }

  /**
   * Adds a message that has its row number, new or as read from a file; nothing changes if it is there already. It
   * replaces those of its sequence that are still scheduled (docs/protocol.md §17); a clear does not. Returns the removed ids.
   */
  add(message: CachedMessage): string[] {
    const { id, topic, event: kind, sequence_id: sequence } = message.event;
    this.#lastRow = Math.max(this.#lastRow, message.row);
    if (this.#byId.has(id)) return [];
    const isReplaced = ({ event }: CachedMessage) => event.topic === topic && sequenceOf(event) === sequence;
    const replaces = sequence !== undefined && kind !== "message_clear";
    const removed = replaces ? this.#remove([...this.#scheduled].filter(isReplaced)) : [];
    this.#byId.set(id, message);
    if (!message.delivered) this.#scheduled.add(message);
    const messages = this.#byTopic.get(topic) ?? [];
    this.#byTopic.set(topic, messages);
    // Nearly always the last place: only messages before a scheduled one go further up.
    let at = messages.length;
    for (let above = messages[at - 1]; above && isBefore(message, above); above = messages[at - 1]) at--;
    messages.splice(at, 0, message);
    const bytes = sizeOf(message.event);
    this.#bytes.set(message, bytes);
    this.totalBytes += bytes;
    return removed;
  }

  topics(): Iterable<string> {
    return this.#byTopic.keys();
  }

  all(): Iterable<CachedMessage> {
    return this.#byId.values();
  }

  /**
   * The messages of a replay. Several topics are merged by time, those of one second in the order of the list; a topic
   * that is listed twice gives its messages twice (docs/protocol.md §4).
   */
  select(topics: readonly string[], since: Since, withScheduled: boolean): StorableEvent[] {
    if (since.kind === "none") return [];
    // The marker may be of any topic; an unknown one gives everything.
    const marker = since.kind === "id" ? this.#byId.get(since.id) : undefined;
    const isMeant = ({ delivered, row, event }: CachedMessage): boolean => {
      if (!delivered && !withScheduled) return false;
      return since.kind === "time" ? event.time >= since.time : !delivered || !marker || row > marker.row;
    };
    const found = topics.flatMap((topic) => {
      const messages = this.#byTopic.get(topic) ?? [];
      if (since.kind !== "latest") return messages.filter(isMeant);
      return messages.findLast(({ delivered }) => delivered) ?? [];
    });
    return found.map(({ event }) => event).sort((a, b) => a.time - b.time);
  }

  /** Marks due messages as delivered and returns them, oldest first. @param nowS Unix seconds */
  takeDue(nowS: number): StorableEvent[] {
    const due = [...this.#scheduled].filter(({ event }) => event.time <= nowS);
    due.sort((a, b) => (isBefore(a, b) ? -1 : 1));
    for (const { event } of due) this.markDelivered(event.id);
    return due.map(({ event }) => event);
  }

  markDelivered(id: string): void {
    const message = this.#byId.get(id);
    if (!message) return;
    message.delivered = true;
    this.#scheduled.delete(message);
  }

  /** Removes expired messages; scheduled ones stay until they are delivered. Returns the removed ids. */
  removeExpired(nowS: number): string[] {
    const isExpired = ({ delivered, event }: CachedMessage) => delivered && (event.expires ?? 0) <= nowS;
    return this.#remove([...this.#byId.values()].filter(isExpired));
  }

  /**
   * Makes room if the cache takes more memory than it may: removes the oldest messages of senders who take more than
   * their share, so that a sender who fills the cache loses only their own messages. Returns the removed ids.
   */
  keepWithin(bytes: number): string[] {
    if (this.totalBytes <= bytes) return [];
    const bySender = new Map<string, number>();
    for (const [{ sender }, size] of this.#bytes) bySender.set(sender, (bySender.get(sender) ?? 0) + size);
    const share = fairShare([...bySender.values()], bytes * EMPTIED_TO);
    const gone: CachedMessage[] = [];
    for (const [message, size] of this.#bytes) {
      const amount = bySender.get(message.sender) ?? 0;
      if (amount <= share) continue;
      gone.push(message);
      bySender.set(message.sender, amount - size);
    }
    return this.#remove(gone);
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
      this.totalBytes -= this.#bytes.get(message) ?? 0;
      this.#bytes.delete(message);
    }
    return gone.map(({ event }) => event.id);
  }
}
