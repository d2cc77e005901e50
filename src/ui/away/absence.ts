/** Away for so long, ms, one is told what came. */
const AWAY_MS = 30 * 60_000;

/** A time in which nobody looked. Device clock, ms. */
export interface Absence {
  fromMs: number;
  toMs: number;
}

/** The absence that ends now, if it was one. `seenAtMs`: when somebody looked last, in any tab. */
export function absenceSince(seenAtMs: number, nowMs: number): Absence | undefined {
  // A clock that was set back tells nothing.
  return seenAtMs > 0 && nowMs - seenAtMs >= AWAY_MS ? { fromMs: seenAtMs, toMs: nowMs } : undefined;
}

/** As it is kept over a reload. */
export function absenceText({ fromMs, toMs }: Absence): string {
  return `${String(fromMs)}-${String(toMs)}`;
}

/** What was kept; undefined for anything else. */
export function readAbsence(text: string | undefined): Absence | undefined {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(text ?? "") ?? [];
  return from === undefined || to === undefined ? undefined : { fromMs: Number(from), toMs: Number(to) };
}
