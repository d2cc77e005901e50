// What newer servers do (docs/protocol.md §4, 10 and 11): pure, for the fake server, the simulation and proxies.

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

/** Errors after which an address is banned, and in which time they are counted, ms (since 2.26). */
const BANNED_AFTER = 100;
const BAN_WINDOW_MS = 600_000;

/** What it costs to be locked out: ten errors. */
const LOCKED_OUT = { code: 42909, weight: 10 };

/** Counts the errors that an address causes, as servers do that ban it. */
export class Bans {
  readonly #caused: { atMs: number; weight: number }[] = [];
  /** The most in any ten minutes, and all. */
  worst = 0;
  all = 0;

  /** Counts an answer with an error; the code is that of its body, if there is one. */
  note(nowMs: number, code?: number): void {
    this.#caused.push({ atMs: nowMs, weight: code === LOCKED_OUT.code ? LOCKED_OUT.weight : 1 });
    this.all += 1;
    this.worst = Math.max(this.worst, this.#recent(nowMs));
  }

  isBanned(nowMs: number): boolean {
    return this.#recent(nowMs) > BANNED_AFTER;
  }

  #recent(nowMs: number): number {
    while ((this.#caused[0]?.atMs ?? Infinity) <= nowMs - BAN_WINDOW_MS) this.#caused.shift();
    return this.#caused.reduce((sum, { weight }) => sum + weight, 0);
  }
}

/**
 * What a server sends again on an open stream once it has lost touch with its cluster: what it delivered lately, and of a
 * sequence only the newest.
 * @param events in the order in which they were accepted
 */
export function sentAgain<Event extends { id: string; sequence_id?: string }>(events: readonly Event[]): Event[] {
  return [...new Map(events.map((event) => [event.sequence_id ?? event.id, event])).values()];
}
