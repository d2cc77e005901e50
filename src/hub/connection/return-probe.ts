import { sleep } from "../abort";
import type { ServerContext } from "../server/server-context";

/** A server that is gone is probed this often, ms: at least and at most; after a long outage less often. */
const PROBE_MS = [1_000, 1_500] as const;
const PROBE_LONG_MS = [3_000, 5_000] as const;
const LONG_OUTAGE_MS = 360_000;

/** A probe without an answer for this long, ms, is given up; the next ones start meanwhile. */
const GIVE_UP_AFTER_MS = 5_000;

/**
 * Asks a server that is gone, every second or so while someone waits, whether it is back, by `/v1/health`, which the
 * server doesn't count. Probes overlap, as one may hang for long if the host doesn't answer at all.
 * @param signal ends this
 * @param answered called once, with whether a probe before wasn't answered, or not in time; then `signal` must abort
 */
export async function probeReturn(
  { environment, requests }: ServerContext,
  signal: AbortSignal,
  answered: (wasAway: boolean) => void,
): Promise<void> {
  const sinceMs = environment.now();
  let wasAway = false;
  let pending = 0;
  const probe = async (): Promise<void> => {
    pending += 1;
    const isBack = await requests.health(signal, GIVE_UP_AFTER_MS);
    pending -= 1;
    if (isBack && !signal.aborted) answered(wasAway);
    else wasAway = true;
  };
  for (;;) {
    const [least, most] = environment.now() - sinceMs < LONG_OUTAGE_MS ? PROBE_MS : PROBE_LONG_MS;
    await sleep(environment, least + environment.random() * (most - least), signal);
    if (signal.aborted) return;
    if (pending > 0) wasAway = true;
    void probe();
  }
}
