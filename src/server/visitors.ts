import { isIPv6 } from "node:net";
import type { HostClock } from "./environment";
import type { ResolvedOptions } from "./options";
import { DAY_S } from "../protocol";

/** Visitors remembered at once, a few hundred bytes each. Beyond that, the one not seen for longest is forgotten. */
const MAX_VISITORS = 50_000;

/** The address without the prefix that a dual-stack socket puts before IPv4 addresses. */
export function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

/** Key of a visitor: an IPv4 address or the first 64 bits of an IPv6 address (docs/protocol.md §11). */
export function visitorKey(address: string): string {
  const bare = withoutMapping(address);
  if (!isIPv6(bare)) return bare;
  const [left = [], right = []] = bare.split("::").map((part) => part.split(":").filter((group) => group !== ""));
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill("0"), ...right];
  const network = groups.slice(0, 4).map((group) => parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}

/** An allowance that is used up by taking and fills again with time, never beyond its size. */
class TokenBucket {
  #tokens: number;
  #filledAtMs: number;

  /** @param size tokens when full @param refillS seconds for one token to come back; Infinity = never */
  constructor(
    private readonly clock: HostClock,
    private readonly size: number,
    private readonly refillS: number,
  ) {
    this.#tokens = size;
    this.#filledAtMs = clock.nowMs();
  }

  /** Tokens left, fractions included. */
  get left(): number {
    const nowMs = this.clock.nowMs();
    // A clock that was set back must not take tokens away.
    const passedMs = Math.max(0, nowMs - this.#filledAtMs);
    this.#tokens = Math.min(this.size, this.#tokens + passedMs / 1000 / this.refillS);
    this.#filledAtMs = nowMs;
    return this.#tokens;
  }

  /** Takes tokens if there are enough. */
  take(count = 1): boolean {
    if (this.left < count) return false;
    this.#tokens -= count;
    return true;
  }
}

/** What one visitor has used of the limits (docs/protocol.md §11). */
export class Visitor {
  readonly requests: TokenBucket;
  readonly failedLogins: TokenBucket;
  /** Topics that did not exist. */
  readonly newTopics: TokenBucket;
  /** Bytes of attachments, up and down. */
  readonly traffic: TokenBucket;
  /** Open streams and running polls. */
  streams = 0;
  /** Topics that the streams listen to, added up. */
  topics = 0;
  /** Open connections of any kind. */
  connections = 0;
  /** Messages a day; unless set, as many as the refill of requests allows. */
  readonly messageLimit: number;
  #messages = 0;
  #messagesDay = 0;

  constructor(
    readonly key: string,
    settings: ResolvedOptions,
    private readonly clock: HostClock,
  ) {
    const { limits, attachments } = settings;
    this.requests = new TokenBucket(clock, limits.requests, limits.requestRefill);
    this.failedLogins = new TokenBucket(clock, limits.failedLogins, limits.failedLoginRefill);
    this.newTopics = new TokenBucket(clock, limits.newTopics, limits.newTopicRefill);
    const traffic = attachments?.trafficBytesPerDay ?? 0;
    this.traffic = new TokenBucket(clock, traffic, traffic > 0 ? DAY_S / traffic : Infinity);
    this.messageLimit = limits.messagesPerDay ?? Math.floor(DAY_S / limits.requestRefill);
  }

  /** Messages since 00:00 UTC. */
  get messages(): number {
    const day = Math.floor(this.clock.nowMs() / 1000 / DAY_S);
    if (day !== this.#messagesDay) {
      this.#messagesDay = day;
      this.#messages = 0;
    }
    return this.#messages;
  }

  /** Counts a message if one more is allowed today. */
  takeMessage(): boolean {
    if (this.messages >= this.messageLimit) return false;
    this.#messages++;
    return true;
  }
}

export class Visitors {
  /** In the order in which they were last seen. */
  readonly #visitors = new Map<string, Visitor>();

  constructor(
    private readonly settings: ResolvedOptions,
    private readonly clock: HostClock,
    private readonly most = MAX_VISITORS,
  ) {}

  get size(): number {
    return this.#visitors.size;
  }

  at(address: string): Visitor {
    return this.byKey(visitorKey(address));
  }

  byKey(key: string): Visitor {
    const visitor = this.#visitors.get(key) ?? new Visitor(key, this.settings, this.clock);
    this.#visitors.delete(key);
    this.#visitors.set(key, visitor);
    if (this.#visitors.size > this.most) {
      for (const { key: other, streams, connections } of this.#visitors.values()) {
        if (streams + connections > 0) continue;
        this.#visitors.delete(other);
        break;
      }
    }
    return visitor;
  }
}
