import { inspect } from "node:util";

/** The server's clock, passed in so that tests can control it. */
export interface HostClock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Runs something at this interval until the returned function is called. */
  every(seconds: number, run: () => void): () => void;
}

/** One answered request, for a log, without its query, which may hold credentials and filters. */
export interface RequestEntry {
  method: string;
  /** Path without query. */
  path: string;
  /** 101 for a WebSocket. */
  status: number;
}

/** What a server needs besides its options. */
export interface HostEnvironment {
  clock: HostClock;
  /** Sends pushes. */
  fetch: typeof globalThis.fetch;
  /** Called for every answered request. */
  log: (entry: RequestEntry) => void;
  /** Called with internal errors. */
  report: (error: unknown) => void;
}

/** Arguments of a server besides its options; absent = the machine's own. */
export type ServerEnvironment = Partial<HostEnvironment>;

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

/** The machine's own clock and network; internal errors go to standard error. */
export const MACHINE: HostEnvironment = {
  clock: systemClock,
  fetch: (...request) => fetch(...request),
  log: () => undefined,
  report: (error) => process.stderr.write(`${inspect(error)}\n`),
};
