// What servers since 2.28 do to replays (docs/protocol.md §4 and 11): pure, for the fake server, the simulation and proxies.

/** Says that a replay was cut. */
export const TRUNCATED = { "X-Messages-Truncated": "1" };

/** The line in a poll's body, or the body of a 429, once what a visitor may transfer is used up. */
export const TRAFFIC_SPENT = { code: 42905, http: 429, error: "limit reached: daily bandwidth reached" };

/** What a visitor may transfer: so many bytes at once, and so many more a second. */
export class Traffic {
  readonly #most: number;
  readonly #perS: number;
  #left: number;
  #atMs: number;

  constructor(most: number, perS: number, nowMs: number) {
    [this.#most, this.#perS, this.#left, this.#atMs] = [most, perS, most, nowMs];
  }

  /** Takes some bytes, or none if there are fewer. */
  take(bytes: number, nowMs: number): boolean {
    this.#left = Math.min(this.#most, this.#left + ((nowMs - this.#atMs) / 1_000) * this.#perS);
    this.#atMs = nowMs;
    if (this.#left < bytes) return false;
    this.#left -= bytes;
    return true;
  }

  /** The lines of a poll as far as they may be sent, then the error; undefined if not even one may. */
  metered(lines: readonly string[], nowMs: number): string[] | undefined {
    const sent: string[] = [];
    for (const line of lines) {
      if (this.take(line.length, nowMs)) sent.push(line);
      else return sent.length === 0 ? undefined : [...sent, `${JSON.stringify(TRAFFIC_SPENT)}\n`];
    }
    return sent;
  }
}

/** A replay cut at so many bytes a topic, the newest kept. @param events in the order in which they are sent */
export function cutReplay<Event extends { topic: string }>(events: readonly Event[], bytes: number): Event[] {
  const left = new Map<string, number>();
  return events
    .toReversed()
    .filter((event) => {
      const rest = (left.get(event.topic) ?? bytes) - JSON.stringify(event).length - 1;
      left.set(event.topic, rest < 0 ? -Infinity : rest);
      return rest >= 0;
    })
    .toReversed();
}
