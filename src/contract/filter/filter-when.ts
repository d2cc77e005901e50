/** What a filter's dates are relative to. */
export interface FilterClock {
  /** Device clock, ms. */
  nowMs: number;
  /** How many minutes local time is ahead of UTC at a moment; absent = the device's time zone. */
  offsetMinutes?: (atMs: number) => number;
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400, w: 604_800 };

const deviceOffsetMinutes = (atMs: number) => -new Date(atMs).getTimezoneOffset();

/** The moment when a local clock shows what `wallMs` shows in UTC. */
function localMs(wallMs: number, offsetMinutes: (atMs: number) => number): number {
  const offsetMs = (atMs: number) => offsetMinutes(atMs) * 60_000;
  // If clocks change in between, the offset of the moment itself counts, not the first guess's.
  return wallMs - offsetMs(wallMs - offsetMs(wallMs));
}

/**
 * The moment that `after:` and `before:` name, Unix seconds: `30m`, `2h`, `3d`, `1w` ago · `today`, `yesterday` (their
 * start) · `2026-11-20` (its start) · `2026-11-20T10:00` · the same with `Z`, for UTC. `undefined` = no date.
 */
export function resolveWhen(written: string, clock: FilterClock): number | undefined {
  const { nowMs, offsetMinutes = deviceOffsetMinutes } = clock;
  const text = written.toLowerCase();
  const [, amount, unit = ""] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  if (amount !== undefined) return Math.floor(nowMs / 1_000) - Number(amount) * (UNIT_SECONDS[unit] ?? 0);
  if (text === "today" || text === "yesterday") {
    const wall = new Date(nowMs + offsetMinutes(nowMs) * 60_000);
    const day = wall.getUTCDate() - (text === "today" ? 0 : 1);
    return localMs(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), day), offsetMinutes) / 1_000;
  }
  const [whole, date = "", time = "00:00", zone] =
    /^(\d{4}-\d\d-\d\d)(?:t(\d\d:\d\d(?::\d\d)?))?(z)?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const wallMs = Date.parse(`${date}T${time}Z`);
  // Date.parse turns 30 February into a day in March, so the result is compared with the input.
  if (Number.isNaN(wallMs) || !new Date(wallMs).toISOString().startsWith(date)) return undefined;
  return (zone ? wallMs : localMs(wallMs, offsetMinutes)) / 1_000;
}
