import type { ConnectionState, Failure } from "../../protocol";

/** No server can be reached. */
export interface Outage {
  /** Why, where a server or something in its place answers: then the device is not offline. */
  why?: Failure;
  /** Device clock, ms, of the next try of any server; absent while none is planned, or one is under way. */
  nextTryAtMs?: number;
}

/** Failures in a row from which on it is an outage: a single one is over before a strip could be read. */
const FAILURES = 2;

/** Whether nothing can be reached, from the states of all servers and what the browser says of the network. */
export function outageOf(states: (ConnectionState | undefined)[], online: boolean): Outage | undefined {
  // A server on this device is live without any network, whatever the browser says.
  if (states.length === 0 || states.some((state) => state?.kind === "live")) return undefined;
  if (online && !states.every(isOut)) return undefined;
  const tries = states.flatMap((state) => (state?.kind === "waiting" ? [state.nextTryAtMs] : []));
  const why = states.map(whyOf).find((one) => one && isAnswer(one));
  return { ...(why && { why }), ...(tries.length > 0 && { nextTryAtMs: Math.min(...tries) }) };
}

function whyOf(state: ConnectionState | undefined): Failure | undefined {
  return state?.kind === "waiting" || state?.kind === "connecting" ? state.why : undefined;
}

/** Something answered: the server itself, or the page of a guest network or a proxy. */
function isAnswer({ kind }: Failure): boolean {
  return kind === "busy" || kind === "malformed" || kind === "http";
}

function isOut(state: ConnectionState | undefined): boolean {
  if (state?.kind === "offline") return true;
  // Trying again does not end it: the strip would come and go with each try.
  return (state?.kind === "waiting" || state?.kind === "connecting") && state.attempt >= FAILURES;
}
