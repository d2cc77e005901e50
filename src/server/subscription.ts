import type { Writable } from "node:stream";
import type { MessageFilter, ProtocolEvent, Since, StreamFormat } from "../protocol";
import { encodeJson, encodeRaw, encodeSse, passesFilter } from "../protocol";
import type { Core } from "./core";
import { nowS } from "./clock";
import type { Subscriber } from "./topics";

/** What a subscriber asked for. */
export interface SubscriptionRequest {
  topics: string[];
  /** The list as it stood in the URL, for `open` and `keepalive` (protocol, section 6). */
  list: string;
  format: StreamFormat;
  /** Only what is cached, then the end. */
  isPoll: boolean;
  since: Since;
  withScheduled: boolean;
  filter: MessageFilter;
  /** Address of this server as the subscriber wrote it, for links to uploaded files. */
  baseUrl: string;
}

/** The way to one subscriber: an HTTP answer or a WebSocket. */
export interface Wire {
  /** Sends encoded events, in order. */
  write(frames: readonly string[]): void;
  /** Bytes written that the other side has not taken yet. */
  bufferedBytes(): number;
  /** What the bytes go through, to wait until it takes more. */
  stream: Writable;
  /** Ends in order, after everything was sent. */
  finish(): void;
  /** Ends at once; what was not sent is lost. */
  cut(): void;
  /** The sign of life between messages. */
  keepAlive(): void;
}

const ENCODERS: Readonly<Record<StreamFormat, (event: ProtocolEvent) => string>> = {
  json: encodeJson,
  sse: encodeSse,
  raw: encodeRaw,
  ws: encodeJson,
};

/** Encoded forms of events that are being handed out: a message is encoded once, however many listen to it. */
const encoded = new WeakMap<ProtocolEvent, Map<string, string>>();

/**
 * The event as it goes to a subscriber. The link to an uploaded file leads to this server by the name under which the
 * subscriber knows it: the publisher's `localhost` is of no use to a phone.
 */
function addressed(event: ProtocolEvent, baseUrl: string): ProtocolEvent {
  if (event.event !== "message" || event.attachment?.expires === undefined) return event;
  const url = event.attachment.url.replace(/^.*(?=\/file\/[^/]*$)/, baseUrl);
  return { ...event, attachment: { ...event.attachment, url } };
}

function encode(event: ProtocolEvent, { format, baseUrl }: SubscriptionRequest): string {
  const forms = encoded.get(event) ?? new Map<string, string>();
  encoded.set(event, forms);
  const own = addressed(event, baseUrl);
  const form = own === event ? format : `${format} ${baseUrl}`;
  const known = forms.get(form);
  if (known !== undefined) return known;
  const text = ENCODERS[format](own);
  forms.set(form, text);
  return text;
}

/** Frames of a replay that are written at once: enough to be quick, little enough to notice a slow reader. */
const REPLAY_BATCH = 200;

function drained(stream: Writable): Promise<void> {
  if (!stream.writableNeedDrain) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      stream.off("drain", done).off("close", done);
      resolve();
    };
    stream.on("drain", done).on("close", done);
  });
}

/** One live subscription: `open`, the replay, then what comes (protocol, section 8). */
export class Subscription implements Subscriber {
  /** Live messages that came while the replay was going out. */
  #held: string[] | undefined = [];
  #heldBytes = 0;
  #isOver = false;
  #leave: () => void = () => undefined;
  #stopKeepalive: () => void = () => undefined;

  constructor(
    private readonly core: Core,
    private readonly request: SubscriptionRequest,
    private readonly wire: Wire,
  ) {}

  /** Registers, and selects the replay in the same tick; resolves once the replay is out. */
  async start(): Promise<void> {
    const { topics, since, withScheduled, isPoll } = this.request;
    if (!isPoll) {
      this.#leave = this.core.topics.subscribe(topics, this);
      this.wire.write([encode(this.signal("open"), this.request)]);
    }
    const replay = this.core.cache.select(topics, since, withScheduled).map(({ event }) => event);
    await this.#replay(replay.filter((event) => passesFilter(this.request.filter, event)));
    if (this.#isOver) return;
    if (isPoll) return this.wire.finish();
    this.wire.write(this.#held ?? []);
    this.#held = undefined;
    this.#stopKeepalive = this.core.clock.every(this.core.settings.keepalive, () => {
      this.core.topics.use(topics, nowS(this.core.clock));
      this.wire.keepAlive();
    });
  }

  async #replay(events: readonly ProtocolEvent[]): Promise<void> {
    for (let at = 0; at < events.length && !this.#isOver; at += REPLAY_BATCH) {
      this.wire.write(events.slice(at, at + REPLAY_BATCH).map((event) => encode(event, this.request)));
      await drained(this.wire.stream);
    }
  }

  deliver(event: ProtocolEvent): void {
    if (this.#isOver || !passesFilter(this.request.filter, event)) return;
    const frame = encode(event, this.request);
    if (this.#held) {
      this.#held.push(frame);
      this.#heldBytes += frame.length;
    } else {
      this.wire.write([frame]);
    }
    const waiting = this.wire.bufferedBytes() + (this.#held ? this.#heldBytes : 0);
    // Who can't keep up is cut off, and catches up by its marker; else it would eat the server's memory.
    if (waiting > this.core.settings.limits.streamBufferBytes) this.wire.cut();
  }

  /** An event about the stream itself. */
  signal(kind: "open" | "keepalive"): ProtocolEvent {
    return { ...this.core.stamp(), event: kind, topic: this.request.list };
  }

  /** To be called once the other side is gone. */
  end(): void {
    this.#isOver = true;
    this.#held = undefined;
    this.#leave();
    this.#stopKeepalive();
  }
}
