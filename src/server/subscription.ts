import type { Writable } from "node:stream";
import {
  type MessageFilter,
  type ProtocolEvent,
  type Since,
  type StorableEvent,
  type StreamFormat,
  encodeJson,
  encodeRaw,
  encodeSse,
  parseBoolean,
  parseMessageFilter,
  parseSince,
  passesFilter,
  sequenceOf,
} from "../protocol";
import { addressed } from "./attachments";
import type { Call } from "./call";
import { nowS } from "./environment";
import type { Core } from "./core";
import { Refusal } from "./protocol-error";

export interface SubscriptionRequest {
  topics: string[];
  /** The list as written in the URL, for `open` and `keepalive` (docs/protocol.md §6). */
  list: string;
  format: StreamFormat;
  /** Sends only cached messages, then ends. */
  isPoll: boolean;
  since: Since;
  withScheduled: boolean;
  filter: MessageFilter;
  /** Address of this server as the subscriber wrote it, for links to uploaded files. */
  baseUrl: string;
}

/** The connection to one subscriber: an HTTP answer or a WebSocket. */
export interface Wire {
  /** Sends encoded events, in order. */
  write(frames: readonly string[]): void;
  /** The stream that the bytes go through, to wait until it takes more. If it is destroyed, unsent data is lost. */
  stream: Writable;
  /** Ends cleanly, after everything was sent. */
  finish(): void;
  /** Sends a sign of life, where that isn't an event. */
  ping?(): void;
}

const ENCODERS: Readonly<Record<StreamFormat, (event: ProtocolEvent) => string>> = {
  json: encodeJson,
  sse: encodeSse,
  raw: encodeRaw,
  // Here the reference gives the sequence of every message (docs/protocol.md §17).
  ws: (event) =>
    `${JSON.stringify(event.event === "message" ? { ...event, sequence_id: sequenceOf(event) } : event)}\n`,
};

/** Messages of a replay that one turn of the event loop handles. */
const PIECE = 200;

/** Characters that are written at once: enough to be fast, few enough to notice a slow reader. */
const CHUNK = 65_536;

/** One live subscription: `open`, the replay, then live messages (docs/protocol.md §8). */
export class Subscription {
  /** Live messages during the replay or a stalled read; the stream would hold a copy for each reader. */
  #waiting: string[] = [];
  #waitingLength = 0;
  #isBusy = true;
  #isOver = false;
  readonly #ends: (() => void)[] = [];
  readonly request: SubscriptionRequest;
  private wire!: Wire;

  /**
   * Reads what a subscriber asks for (docs/protocol.md §3 to 5), and counts one more stream or poll of the visitor, which
   * waits for its connection. @throws Refusal 42903, 40008, 40007
   */
  constructor(
    private readonly core: Core,
    { visitor, read, baseUrl }: Call,
    asked: Pick<SubscriptionRequest, "topics" | "list" | "format">,
  ) {
    const { streams, visitorTopics } = core.settings.limits;
    if (visitor.streams >= streams) throw new Refusal(42903);
    const isPoll = parseBoolean(read("poll"));
    const since = parseSince(read("since"), { poll: isPoll, nowS: nowS(core.host.clock) });
    if (!since) throw new Refusal(40008);
    const filter = parseMessageFilter(read);
    if (!filter) throw new Refusal(40007);
    this.request = { ...asked, isPoll, since, withScheduled: parseBoolean(read("scheduled")), filter, baseUrl };
    // Otherwise a few dozen streams could use up all the topics that the server has room for.
    const listening = isPoll ? 0 : asked.topics.length;
    if (visitor.topics + listening > visitorTopics) throw new Refusal(42903);
    visitor.streams++;
    visitor.topics += listening;
    this.#ends.push(() => {
      visitor.streams--;
      visitor.topics -= listening;
    });
  }

  /** Sends it through a connection; `end` must still be called when that closes. */
  start(wire: Wire): void {
    this.wire = wire;
    this.core.streams.add(this);
    this.#cutIfItFails(this.#send());
  }

  #cutIfItFails(sending: Promise<void>): void {
    sending.catch((error: unknown) => {
      this.core.host.report(error);
      this.cut();
    });
  }

  /** Registers, and selects the replay in the same tick; resolves once the replay is sent. */
  async #send(): Promise<void> {
    const { topics, since, withScheduled, isPoll } = this.request;
    if (!isPoll) {
      this.#ends.push(this.core.topics.subscribe(topics, this));
      this.#signal("open");
    }
    await this.#replay(this.core.cache.select(topics, since, withScheduled));
    if (this.#isOver) return;
    if (isPoll) return this.wire.finish();
    const ping = () => (this.wire.ping ? this.wire.ping() : this.#signal("keepalive"));
    this.#ends.push(this.core.host.clock.every(this.core.settings.keepalive, ping));
    await this.#catchUp();
  }

  /** Writes messages a piece at a time, as there may be a hundred thousand of them. */
  async #replay(events: readonly StorableEvent[]): Promise<void> {
    for (let at = 0; at < events.length;) {
      await new Promise(setImmediate);
      if (this.#isOver) return;
      const frames: string[] = [];
      let length = 0;
      for (const event of events.slice(at, at + PIECE)) {
        if (length >= CHUNK) break;
        at++;
        if (!passesFilter(this.request.filter, event)) continue;
        const frame = this.#encode(event);
        frames.push(frame);
        length += frame.length;
      }
      this.wire.write(frames);
      await this.#drained();
      if (this.#isOver) return;
    }
  }

  /** Writes waiting messages until there are none. */
  async #catchUp(): Promise<void> {
    this.#isBusy = true;
    for (;;) {
      await this.#drained();
      if (this.#isOver) return;
      if (this.#waiting.length === 0) break;
      let [count, length] = [0, 0];
      while (count < this.#waiting.length && length < CHUNK) length += this.#waiting[count++]?.length ?? 0;
      this.#waitingLength -= length;
      this.wire.write(this.#waiting.splice(0, count));
    }
    this.#isBusy = false;
  }

  #encode(event: ProtocolEvent): string {
    return ENCODERS[this.request.format](addressed(event, this.request.baseUrl));
  }

  /** Resolves when the client accepts more. A client that accepts nothing for too long is disconnected. */
  #drained(): Promise<void> | undefined {
    const { stream } = this.wire;
    if (!stream.writableNeedDrain) return undefined;
    return new Promise((resolve) => {
      const stop = this.core.host.clock.every(this.core.settings.limits.idleTime, () => this.cut());
      const done = () => {
        stop();
        stream.off("drain", done).off("close", done);
        resolve();
      };
      stream.on("drain", done).on("close", done);
    });
  }

  /** Sends a message, now or after those that wait. */
  deliver(event: ProtocolEvent): void {
    if (this.#isOver || !passesFilter(this.request.filter, event)) return;
    const frame = this.#encode(event);
    if (!this.#isBusy) {
      this.wire.write([frame]);
      if (this.wire.stream.writableNeedDrain) this.#cutIfItFails(this.#catchUp());
      return;
    }
    this.#waiting.push(frame);
    this.#waitingLength += frame.length;
    // A client that can't keep up would fill the server's memory; cut off, it catches up by its marker.
    if (this.#waitingLength > this.core.settings.limits.streamBufferBytes) this.cut();
  }

  /** Ends it at once, as a stopping server does. */
  cut(): void {
    this.end();
    this.wire.stream.destroy();
  }

  /** Sends an event about the stream itself. */
  #signal(event: "open" | "keepalive"): void {
    this.wire.write([this.#encode({ ...this.core.stamp(), event, topic: this.request.list })]);
  }

  /** Stops listening, and gives up its place: the client is gone, or was cut off. */
  readonly end = (): void => {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#waiting = [];
    for (const end of this.#ends) end();
    this.core.streams.delete(this);
  };
}
