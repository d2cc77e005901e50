// Whether the header with the credentials is refused on the way (docs/decisions/0018). Loaded where it seems to be.
import { healthUrl, type Credentials, type ServerAddress } from "../protocol";
import type { Requests, ServerRequest, SignedInRequest, SignInBy, Unanswered } from "./requests";
import { sleep } from "./sleep";
import type { Clock } from "./environment";

/** So often in a row the header has to fail, after a first time, while the same request without it is answered. */
const ROUNDS = 2;

/** Between two of them, ms: a server that restarts, or one of several that is down, is not taken for a refusal. */
const ROUND_EVERY_MS = 1_000;

/** A browser that may not send the header says so at once: a try that takes longer than this, ms, tells nothing. */
const PROBE_WITHIN_MS = 10_000;

/** Makes one request, its credentials standing where they are told to. */
export type Try = (request: ServerRequest, by: SignInBy, withinMs?: number) => Promise<Response | Unanswered>;

/**
 * A request failed with the header, and the server is well: is it the header? What only reads is made again, and its answer given if there is one
 * after all. What writes may have arrived: a request that only reads takes its place, and it has failed in any case.
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

/** By what credentials get through, where the header was refused before; undefined = the server can't be reached. */
export async function probeHeader(
  requests: Requests,
  attempt: Try,
  credentials: Credentials,
): Promise<"header" | "query" | undefined> {
  const asked = { url: () => healthUrl(requests.address), credentials };
  const answer = await attempt(asked, "header", PROBE_WITHIN_MS);
  if (typeof answer === "string") return (await requests.isHealthy()) ? "query" : undefined;
  await letGo(answer);
  return "header";
}

/** Only that there is an answer mattered. */
async function letGo(answer: Response | Unanswered): Promise<"failed"> {
  // One that broke meanwhile can't be let go again.
  if (typeof answer !== "string") await answer.body?.cancel().catch(() => undefined);
  return "failed";
}
