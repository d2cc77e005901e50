import type { ConnectionState } from "../../../contract";
import type { Failure } from "../../../protocol";
import type { AccountRecord, SubscriptionRecord } from "../../../client";

/** The state of no server being reachable. */
export interface NoServer {
  /** Why, if something answers and the device isn't offline. */
  why?: Failure;
  /** When the next server is tried, device clock, ms. Absent if no try is planned, or one is under way. */
  nextTryAtMs?: number;
}

/** How many failures in a row make an outage: a single one is over before anyone could read a strip. */
const FAILURES = 2;

/** Finds an outage from the states of all servers and the browser's word on the network. */
export function outageOf(states: (ConnectionState | undefined)[], online: boolean): NoServer | undefined {
  // A server on this device is live without a network.
  if (states.length === 0 || states.some((state) => state?.kind === "live")) return undefined;
  if (online && !states.every(isOut)) return undefined;
  const tries = states.flatMap((state) => (state?.kind === "waiting" ? [state.nextTryAtMs] : []));
  const why = states.map(answeredWhy).find((one) => one);
  return { ...(why && { why }), ...(tries.length > 0 && { nextTryAtMs: Math.min(...tries) }) };
}

/** Why a server isn't received, and when it is tried next. Neither a single failure counts nor a missing network. */
export function troubleOf(state: ConnectionState | undefined): (NoServer & { why: Failure }) | undefined {
  if (state?.kind !== "waiting" && state?.kind !== "connecting") return undefined;
  if (!isOut(state)) return undefined;
  const { why = { kind: "network" } } = state;
  return state.kind === "waiting" ? { why, nextTryAtMs: state.nextTryAtMs } : { why };
}

/** Why a server isn't received, if something answers: the server itself, a guest network's page, or a proxy. */
export function answeredWhy(state: ConnectionState | undefined): Failure | undefined {
  const why = state?.kind === "waiting" || state?.kind === "connecting" ? state.why : undefined;
  // A server that asks to slow down is named at once; others may be back before the user has read it.
  if (why?.kind === "busy") return why;
  return (why?.kind === "malformed" || why?.kind === "http") && isOut(state) ? why : undefined;
}

function isOut(state: ConnectionState | undefined): boolean {
  if (state?.kind === "offline") return true;
  // A new try doesn't end an outage, or the strip would come and go.
  return (state?.kind === "waiting" || state?.kind === "connecting") && state.attempt >= FAILURES;
}

/** Whether the server rejected the password or token used for a topic, whatever its user may read. */
export function isSignInRejected(
  accounts: readonly AccountRecord[],
  { accountId }: Pick<SubscriptionRecord, "accountId">,
): boolean {
  return accounts.some((account) => account.accountId === accountId && account.refusedAtMs !== undefined);
}

/** Whether a refusal concerns the right to read: signing in may help. @param refusedCode absent = its account's */
export function isAccessCode(refusedCode: number | undefined): boolean {
  return refusedCode === undefined || [401, 403].includes(Math.floor(refusedCode / 100));
}
