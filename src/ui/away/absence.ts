import type { Absence } from "../state/absence-shown.svelte";

/** After an absence this long, ms, the user is shown what came. */
const AWAY_MS = 30 * 60_000;

/** The absence that ends now, if it was long enough to count. `seenAtMs`: when somebody last looked, in any tab. */
export function absenceSince(seenAtMs: number, nowMs: number): Absence | undefined {
  // If the clock was set back, the difference means nothing.
  return seenAtMs > 0 && nowMs - seenAtMs >= AWAY_MS ? { fromMs: seenAtMs, toMs: nowMs } : undefined;
}

/** An absence as text, to keep it over a reload. */
export function absenceText({ fromMs, toMs }: Absence): string {
  return `${String(fromMs)}-${String(toMs)}`;
}

/** Reads what `absenceText` wrote; undefined for any other text. */
export function readAbsence(text: string | undefined): Absence | undefined {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(text ?? "") ?? [];
  return from === undefined || to === undefined ? undefined : { fromMs: Number(from), toMs: Number(to) };
}
