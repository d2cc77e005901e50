import type { Clock } from "./environment";

/**
 * - `answered`: at once, over whatever connection the browser chose
 * - `stale`: only after more requests were made: the open connections are dead, and new ones get through
 * - `silent`: nothing gets through
 */
export type CheckOutcome = "answered" | "stale" | "silent";

/**
 * A browser keeps at most six connections to a host (HTTP/1.1): this many requests, with the first one, use every idle
 * connection, dead ones too.
 */
const AT_ONCE = 5;

/** How long the second round waits, ms: it opens new connections, which takes some round trips. */
const OPEN_MS = 2_000;

/** How long to wait, ms. */
export interface CheckWaits {
  /** For the first request, before more are made. */
  patienceMs: number;
  /** For the first round of them, which may meet only dead connections, and then just frees them. */
  freeMs: number;
}

/**
 * Finds out whether the connections that a browser keeps open to a server still work. After a sleep, or when a firewall
 * has forgotten them, a request on one of them hangs until it is aborted, and no script can choose another connection.
 *
 * @param ask makes one small request; resolves to whether it was answered, whatever the answer
 */
export async function checkConnections(
  clock: Clock,
  ask: (signal: AbortSignal) => Promise<boolean>,
  { patienceMs, freeMs }: CheckWaits,
  signal?: AbortSignal,
): Promise<CheckOutcome> {
  const first = new AbortController();
  let isFirstAnswered = false;
  const asked = ask(first.signal).then((isAnswered) => (isFirstAnswered = isAnswered));
  if (await within(clock, [asked], patienceMs, signal)) return "answered";
  for (const roundMs of [freeMs, OPEN_MS]) {
    if (signal?.aborted) break;
    const round = new AbortController();
    const isAnswered = await within(
      clock,
      [asked, ...Array.from({ length: AT_ONCE }, () => ask(round.signal))],
      roundMs,
      signal,
    );
    // A request that still hangs holds a dead connection; this frees it.
    round.abort();
    if (isFirstAnswered) return "answered";
    if (!isAnswered) continue;
    first.abort();
    return "stale";
  }
  first.abort();
  return "silent";
}

/** Whether one of these resolves to true in time. */
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
