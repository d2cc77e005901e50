/** Where a replay starts (docs/protocol.md §4). `time` is inclusive, Unix seconds. */
export type Since = { kind: "none" | "all" | "latest" } | { kind: "id"; id: string } | { kind: "time"; time: number };

/** Whether the text has the form of a message id, as markers need (docs/protocol.md §4). */
export function isMessageId(text: string): boolean {
  return /^[A-Za-z0-9]{12}$/.test(text);
}

/** Seconds of each unit; the micro sign and the Greek letter look alike and are both in use. */
const UNIT_SECONDS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3_600,
};

/** The range of a 64-bit count of nanoseconds, about 292 years, in seconds; servers refuse more. */
const MAX_DURATION_S = 2 ** 63 / 1e9;
const MAX_INTEGER = 2n ** 63n;

/** The longest text read as a starting point or duration, in characters: several times what either needs. */
const MAX_SINCE_LENGTH = 100;

/**
 * Seconds of a duration such as `1h30m` or `-1.5h` (docs/protocol.md §4): number and unit, repeated; no days, no
 * blanks, lower-case units. `undefined` = not a duration.
 */
export function parseDuration(text: string): number | undefined {
  const sign = /^[+-]?/.exec(text)?.[0] ?? "";
  if (text.length > MAX_SINCE_LENGTH || text.length === sign.length) return undefined;
  const part = /(\d+(?:\.\d*)?|\.\d+)([a-zµμ]+)/y;
  part.lastIndex = sign.length;
  let seconds = 0;
  while (part.lastIndex < text.length) {
    const [, amount, unit = ""] = part.exec(text) ?? [];
    if (amount === undefined) return undefined;
    seconds += Number(amount) * (UNIT_SECONDS[unit] ?? NaN);
  }
  if (!(seconds < MAX_DURATION_S)) return undefined;
  return sign === "-" ? -seconds : seconds;
}

const NONE: Since = { kind: "none" };
const ALL: Since = { kind: "all" };

function sinceTime(time: number): Since {
  // The reference uses 1 to mean "none"; 0 comes before every message.
  return time === 1 ? NONE : time === 0 ? ALL : { kind: "time", time };
}

/**
 * Reads `since` exactly in the order of the protocol (docs/protocol.md §4): nothing, keywords, ids, Unix seconds,
 * durations. undefined = unreadable.
 * @param nowS server clock, Unix seconds; fractions are dropped after the duration is subtracted
 */
export function parseSince(
  text: string | undefined,
  { poll, nowS }: { poll: boolean; nowS: number },
): Since | undefined {
  if (text === undefined || text === "") return poll ? ALL : NONE;
  if (text.length > MAX_SINCE_LENGTH) return undefined;
  if (text === "all" || text === "latest" || text === "none") return { kind: text };
  if (isMessageId(text)) return { kind: "id", id: text };
  if (/^[+-]?\d+$/.test(text)) {
    const time = BigInt(text.replace("+", ""));
    return time < -MAX_INTEGER || time >= MAX_INTEGER ? undefined : sinceTime(Number(time));
  }
  const duration = parseDuration(text);
  return duration === undefined ? undefined : sinceTime(Math.floor(nowS - duration));
}

/** Writes a starting point as the value of `since`. */
export function formatSince(since: Since): string {
  if (since.kind === "id") return since.id;
  // 1 would be read as "none".
  if (since.kind === "time") return since.time === 1 ? "0" : String(Math.floor(since.time));
  return since.kind;
}
