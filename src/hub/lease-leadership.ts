import type { Environment, Timer } from "./environment";
import type { Leadership } from "./leadership";

/** A lease that isn't renewed ends after this, ms. */
const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 5_000;

/**
 * How long a hub waits for a leader, ms. After a reload the lease of the worker that died with the page remains; a
 * living leader answers well within this.
 */
const LEASE_PATIENCE_MS = 1_500;

/** What a lease needs of the environment. */
export type LeaseEnvironment = Pick<Environment, "now" | "setTimer" | "clearTimer" | "store" | "report">;

const LEASE_NAME = "hub";

/** Uses a lease in the database where there are no locks (plain http). */
export function leaseLeadership(
  { now, setTimer, clearTimer, store, report }: LeaseEnvironment,
  holder: string,
): Leadership {
  const take = async (force: boolean): Promise<boolean> => {
    // With `Infinity` as the time, every lease has ended.
    const taken = await store.lease(LEASE_NAME, holder, force ? Infinity : now(), now() + LEASE_MS);
    // Without a database there is no lease, so every hub leads. That is harmless, since any number of them may write at
    // once.
    return taken.ok ? taken.value : true;
  };
  const giveBack = async (): Promise<void> => {
    const released = await store.releaseLease(LEASE_NAME, holder);
    if (!released.ok) report(released.error);
  };

  return {
    patienceMs: LEASE_PATIENCE_MS,
    campaign({ onLead, onLost }) {
      let over = false;
      let leading = false;
      let timer: Timer | undefined;

      const turn = async (force: boolean): Promise<void> => {
        clearTimer(timer);
        const isOurs = await take(force);
        if (over) return isOurs ? giveBack() : undefined;
        if (leading && !isOurs) {
          over = true;
          onLost();
          return;
        }
        if (isOurs && !leading) {
          leading = true;
          onLead();
        }
        timer = setTimer(() => void turn(false).catch(report), RENEW_EVERY_MS);
      };
      void turn(false).catch(report);
      return {
        resign() {
          over = true;
          clearTimer(timer);
          if (leading) void giveBack().catch(report);
        },
        steal() {
          if (!over && !leading) void turn(true).catch(report);
        },
      };
    },
  };
}
