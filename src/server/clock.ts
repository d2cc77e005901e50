/** The server's clock, passed in so that tests can control it. */
export interface HostClock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Runs something at this interval until the returned function is called. */
  every(seconds: number, run: () => void): () => void;
}

/** Unix seconds, as the protocol counts. */
export function nowS(clock: HostClock): number {
  return Math.floor(clock.nowMs() / 1000);
}

/** The machine's own clock. Its timers do not keep a finished program alive. */
export const systemClock: HostClock = {
  nowMs: () => Date.now(),
  every(seconds, run) {
    const timer = setInterval(run, seconds * 1000);
    timer.unref();
    return () => clearInterval(timer);
  },
};
