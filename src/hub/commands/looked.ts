import { sequenceOf, type MessageEvent, type StorableEvent } from "../../protocol";

/**
 * What one poll leaves to see: of each sequence its newest version, unless that was deleted since
 * (docs/protocol.md §17). Within one second the server's order counts.
 */
export class Looked {
  /** By topic and sequence: the event that counts last, and its message; none where it was deleted. */
  #last = new Map<string, { time: number; message?: MessageEvent }>();

  /** @param most so many messages are kept, the newest */
  constructor(private readonly most: number) {}

  add(events: readonly StorableEvent[]): void {
    for (const event of events) {
      // Read or not says nothing where nothing is marked.
      if (event.event === "message_clear") continue;
      const name = `${event.topic}/${sequenceOf(event)}`;
      const { time } = event;
      if ((this.#last.get(name)?.time ?? -Infinity) > time) continue;
      this.#last.set(name, event.event === "message" ? { time, message: event } : { time });
    }
    if (this.#last.size <= 2 * this.most) return;
    this.#last = new Map([...this.#last].sort(([, a], [, b]) => a.time - b.time).slice(-this.most));
  }

  /** The oldest first. */
  get messages(): MessageEvent[] {
    const all = [...this.#last.values()].flatMap(({ message }) => message ?? []);
    return all.sort((a, b) => a.time - b.time).slice(-this.most);
  }
}
