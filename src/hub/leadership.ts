/** Tells a hub about its turn. Each is called at most once per campaign. */
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

/** Decides which of several hubs holds the streams, and decides nothing else (docs/design.md §3). */
export interface Leadership {
  /** A hub that starts and hears no leader for this long, ms, takes the lead. */
  readonly patienceMs: number;
  campaign(turn: Turn): Campaign;
}

/** For a hub that shares nothing with others, as its rows are in memory. */
export const soleLeadership: Leadership = {
  patienceMs: 0,
  campaign(turn) {
    turn.onLead();
    return { resign: () => undefined, steal: () => undefined };
  },
};

/** All builds use the same name, so that two versions of the app have one leader. */
const LOCK_NAME = "earshot-hub";

/** A lock ends with its holder, so a silent holder must be frozen or hung. It is given this long, ms. */
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
          // Either the lock was stolen while we held it, or we left the queue ourselves, which is no news.
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
