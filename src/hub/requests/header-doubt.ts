// Finds out whether the header with the credentials is refused on the way (docs/decisions/0018).
import { healthUrl, type Credentials, type ServerAddress } from "../../protocol";
import type { Requests, ServerRequest, SignedInRequest, SignInBy, Unanswered } from "./requests";
import { sleep } from "../abort";
import type { Clock } from "../environment";

/** How many times in a row the header must fail again, while the same request without it is answered. */
const ROUNDS = 2;

/**
 * The wait between two rounds, ms, so that a server that restarts, or one of several that is down, isn't taken for a
 * refusal.
 */
const ROUND_EVERY_MS = 1_000;

/** A browser that may not send the header fails at once: a try that takes longer than this, ms, shows nothing. */
const PROBE_WITHIN_MS = 10_000;

/** Makes one request, with its credentials in the header, in the query, or left out. */
export type Try = (request: ServerRequest, by: SignInBy, withinMs?: number) => Promise<Response | Unanswered>;

/**
 * Finds out whether the header is why a request failed, though the server is well. A request that only reads is made
 * again, and its answer is returned if one comes. A request that writes may have arrived, so a request that only reads
 * is made in its place, and the original counts as failed.
 */
export async function doubtHeader(
  address: ServerAddress,
  attempt: Try,
  clock: Clock,
  request: SignedInRequest,
): Promise<Response | Unanswered | "refused"> {
  const { credentials, signal } = request;
  const isRead = request.method !== "POST";
  const asked = isRead ? request : { url: () => healthUrl(address), credentials, ...(signal && { signal }) };
  for (let round = 0; round < ROUNDS; round++) {
    if (round > 0) await sleep(clock, ROUND_EVERY_MS, signal);
    const again = await attempt(asked, "header");
    if (isRead && again !== "failed") return again;
    if (again !== "failed") return letGo(again);
    const without = await attempt(asked, "nothing");
    if (typeof without === "string") return without;
    await letGo(without);
  }
  return "refused";
}

/**
 * How credentials get through to a server where the header was refused before; undefined = the server can't be reached.
 */
export async function probeHeader(
  requests: Requests,
  attempt: Try,
  credentials: Credentials,
): Promise<"header" | "query" | undefined> {
  const asked = { url: () => healthUrl(requests.address), credentials };
  const answer = await attempt(asked, "header", PROBE_WITHIN_MS);
  if (typeof answer === "string") return (await requests.health()) === undefined ? undefined : "query";
  await letGo(answer);
  return "header";
}

/** Discards an answer; all that mattered was that it came. */
async function letGo(answer: Response | Unanswered): Promise<"failed"> {
  // Cancelling fails if the connection broke meanwhile, which doesn't matter.
  if (typeof answer !== "string") await answer.body?.cancel().catch(() => undefined);
  return "failed";
}
