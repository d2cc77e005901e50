import { sequenceOf, type MessageEvent, type StorableEvent } from "../../protocol";

/**
 * What remains to be shown of one poll: the newest version of each sequence, unless it was deleted (docs/protocol.md
 * §17). Within one second the server's order counts.
 */
export class PreviewedMessages {
  /** By topic and sequence: the last event's time and its message, if it wasn't deleted. */
  #last = new Map<string, { time: number; message?: MessageEvent }>();

  /** @param most how many messages are kept; the newest are */
  constructor(private readonly most: number) {}

  add(events: readonly StorableEvent[]): void {
    for (const event of events) {
      // A clear only marks a message as read, and nothing here is marked.
      if (event.event === "message_clear") continue;
      const name = `${event.topic}/${sequenceOf(event)}`;
      const { time } = event;
      if ((this.#last.get(name)?.time ?? -Infinity) > time) continue;
      this.#last.set(name, event.event === "message" ? { time, message: event } : { time });
    }
    if (this.#last.size <= 2 * this.most) return;
    this.#last = new Map([...this.#last].sort(([, a], [, b]) => a.time - b.time).slice(-this.most));
  }

  /** The messages, oldest first. */
  get messages(): MessageEvent[] {
    const all = [...this.#last.values()].flatMap(({ message }) => message ?? []);
    return all.sort((a, b) => a.time - b.time).slice(-this.most);
  }
}
