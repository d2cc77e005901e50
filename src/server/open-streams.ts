import { parseBoolean, parseMessageFilter, parseSince, type StreamFormat } from "../protocol";
import type { Call } from "./call";
import { nowS } from "./clock";
import type { Core } from "./core";
import { Refusal } from "./protocol-error";
import { Subscription, type SubscriptionRequest, type Wire } from "./subscription";

/** Reads what a subscriber asks for (docs/protocol.md §3 to 5). @throws Refusal 40008, 40007 */
function readRequest(
  core: Core,
  call: Call,
  list: string,
  topics: string[],
  format: StreamFormat,
): SubscriptionRequest {
  const { read } = call;
  const isPoll = parseBoolean(read("poll"));
  const since = parseSince(read("since"), { poll: isPoll, nowS: nowS(core.clock) });
  if (!since.ok) throw new Refusal(40008);
  const filter = parseMessageFilter({
    id: read("id"),
    message: read("message"),
    title: read("title"),
    priority: read("priority"),
    tags: read("tags"),
  });
  if (!filter.ok) throw new Refusal(40007);
  const withScheduled = parseBoolean(read("scheduled"));
  const { baseUrl } = call;
  return { topics, list, format, isPoll, since: since.value, withScheduled, filter: filter.value, baseUrl };
}

/** What the rest of the server knows about an open stream. */
export interface OpenStream {
  topics: readonly string[];
  format: StreamFormat;
}

/** A stream that has been accepted and counted, and waits for its connection. */
export interface GrantedStream {
  request: SubscriptionRequest;
  /** Sends it through the wire; `release` must still be called at the end. */
  start(wire: Wire): void;
  /** Gives up its place, and ends the stream if it was started. */
  release(): void;
}

/** The streams and polls under way (docs/protocol.md §8 and 11). */
export class OpenStreams {
  readonly #open = new Map<SubscriptionRequest, Wire>();

  constructor(private readonly core: Core) {}

  list(): OpenStream[] {
    return [...this.#open.keys()].filter(({ isPoll }) => !isPoll).map(({ topics, format }) => ({ topics, format }));
  }

  /** Cuts every stream at once, as a stopping server does. */
  cut(): void {
    for (const wire of this.#open.values()) wire.cut();
  }

  /** Counts one more stream of the visitor, then reads what it asks for. @throws Refusal 42903, 40008, 40007 */
  grant(call: Call, list: string, topics: string[], format: StreamFormat): GrantedStream {
    const { visitor } = call;
    const { core } = this;
    const { limits } = core.settings;
    if (visitor.streams >= limits.streams) throw new Refusal(42903);
    const request = readRequest(core, call, list, topics, format);
    // Otherwise a few dozen streams could use up all the topics that the server has room for.
    const listening = request.isPoll ? 0 : topics.length;
    if (visitor.topics + listening > limits.visitorTopics) throw new Refusal(42903);
    let subscription: Subscription | undefined;
    let isReleased = false;
    visitor.streams++;
    visitor.topics += listening;
    return {
      request,
      start: (wire) => {
        subscription = new Subscription(core, request, wire);
        this.#open.set(request, wire);
        subscription.start().catch((error: unknown) => {
          core.report(error);
          wire.cut();
        });
      },
      release: () => {
        if (isReleased) return;
        isReleased = true;
        visitor.streams--;
        visitor.topics -= listening;
        this.#open.delete(request);
        subscription?.end();
      },
    };
  }
}
