import type { Clock } from "./environment";

/**
 * - `answered`: at once, over whatever connection the browser took
 * - `stale`: only after others were asked beside it: the connections that were open are dead, and new ones get through
 * - `silent`: nothing gets through
 */
export type CheckOutcome = "answered" | "stale" | "silent";

/** A browser keeps at most six connections to a host (HTTP/1.1): so many at once take every idle one, and each dead one with it. */
const AT_ONCE = 5;

/**
 * The first round may meet dead connections alone, and then only frees them, ms; the second opens new ones, which takes
 * some round trips, ms.
 */
const ROUNDS_MS = [500, 2_000] as const;

/**
 * Finds out whether the connections that a browser keeps open to a server still work: after a sleep, or where a firewall
 * forgot them, a request on one of them hangs until it is given up, and no script can choose another one.
 *
 * @param ask makes one small request; whether it was answered, whatever the answer
 * @param patienceMs before more than one request is made
 */
export async function checkConnections(
  clock: Clock,
  ask: (signal: AbortSignal) => Promise<boolean>,
  patienceMs: number,
  signal?: AbortSignal,
): Promise<CheckOutcome> {
  const first = new AbortController();
  let isFirstAnswered = false;
  const asked = ask(first.signal).then((isAnswered) => (isFirstAnswered = isAnswered));
  if (await within(clock, [asked], patienceMs, signal)) return "answered";
  for (const roundMs of ROUNDS_MS) {
    if (signal?.aborted) break;
    const round = new AbortController();
    const isAnswered = await within(
      clock,
      [asked, ...Array.from({ length: AT_ONCE }, () => ask(round.signal))],
      roundMs,
      signal,
    );
    // What still hangs holds a connection that is dead.
    round.abort();
    if (isFirstAnswered) return "answered";
    if (!isAnswered) continue;
    first.abort();
    return "stale";
  }
  first.abort();
  return "silent";
}

/** Whether one of these says yes in time. */
function within(
  clock: Clock,
  asked: readonly Promise<boolean>[],
  ms: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isAnswered: boolean): void => {
      clock.clearTimer(timer);
      signal?.removeEventListener("abort", giveUp);
      resolve(isAnswered);
    };
    const giveUp = (): void => end(false);
    const timer = clock.setTimer(giveUp, ms);
    signal?.addEventListener("abort", giveUp);
    let left = asked.length;
    for (const one of asked) {
      void one.then((isAnswered) => {
        left -= 1;
        if (isAnswered || left === 0) end(isAnswered);
      });
    }
  });
}
