import type { Environment, Timer } from "./environment";

/** Tells a hub about the lead. Each is called at most once per campaign. */
export interface Turn {
  onLead(): void;
  /** The lead was taken by a hub that had heard nothing from this one for too long. */
  onLost(): void;
}

/** One hub's bid for the lead. */
export interface Campaign {
  /** Gives up the lead, or the place in the queue. Ends the campaign without `onLost`. */
  resign(): void;
  /** Takes the lead from a silent holder. */
  steal(): void;
}

/** Decides which of several hubs holds the streams, and nothing else (docs/design.md §3). */
export interface Leadership {
  /** A hub that starts and hears no leader for this long, ms, takes the lead. */
  readonly patienceMs: number;
  campaign(turn: Turn): Campaign;
}

/** For a hub that shares nothing with others, because its rows are in memory. */
export const soleLeadership: Leadership = {
  patienceMs: 0,
  campaign(turn) {
    turn.onLead();
    return { resign: () => undefined, steal: () => undefined };
  },
};

/** The same for all builds, so that two versions of the app have one leader. */
const LOCK_NAME = "earshot-hub";

/** A lock ends with its holder, so a silent holder is frozen or hung. It gets this long, ms. */
const LOCK_PATIENCE_MS = 15_000;

/** Uses the Web Locks API, which hands the lead on when its holder dies. */
export function lockLeadership(locks: LockManager): Leadership {
  return {
    patienceMs: LOCK_PATIENCE_MS,
    campaign({ onLead, onLost }) {
      let over = false;
      let release: (() => void) | undefined;
      let leaveQueue = new AbortController();

      const request = (options: LockOptions): void => {
        const hold = (): Promise<void> =>
          new Promise((resolve) => {
            release = resolve;
            if (over) resolve();
            else onLead();
          });
        locks.request(LOCK_NAME, options, hold).catch((error: unknown) => {
          // Either the lock was stolen while we held it, or we left the queue, which needs no mention.
          if (over || options.signal?.aborted) return;
          over = true;
          onLost();
          if (!(error instanceof DOMException)) throw error;
        });
      };
      request({ signal: leaveQueue.signal });
      return {
        resign() {
          over = true;
          leaveQueue.abort();
          release?.();
        },
        steal() {
          if (over || release) return;
          leaveQueue.abort();
          leaveQueue = new AbortController();
          request({ steal: true });
        },
      };
    },
  };
}

/** A lease that isn't renewed ends after this, ms. */
const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 5_000;

/** How long to wait for a leader, ms: after a reload a dead worker's lease remains; a live leader answers sooner. */
const LEASE_PATIENCE_MS = 1_500;

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
    // Without a database there is no lease, so every hub leads. That is harmless, because any number of them may write
    // at once.
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
