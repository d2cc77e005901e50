import { healthUrl, parseServerAddress, type ExtraHeaders } from "../protocol";

/**
 * An address that doesn't answer for this long, ms, is unreachable; the user may take a while to answer the browser's
 * question.
 */
const ANSWER_WITHIN_MS = 30_000;

/** What an address turned out to be. */
export type ProbeAnswer = "topic-server" | "not-a-topic-server" | "unreachable";

/**
 * Asks an address whether it is a topic server, by its health endpoint (docs/protocol.md §2). The page does this, as
 * only there the browser asks the user about the local network (docs/design.md §3).
 * @param headers those that a proxy in front of it asks for; with any, no redirect is followed
 */
export async function probe(text: string, headers?: ExtraHeaders): Promise<ProbeAnswer> {
  const address = parseServerAddress(text);
  if (!address.ok) return "not-a-topic-server";
  let response: Response;
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    response = await fetch(healthUrl(address.value), {
      cache: "no-store",
      signal,
      ...(headers && { headers, redirect: "error" as const }),
    });
  } catch {
    return "unreachable";
  }
  try {
    const body: unknown = await response.json();
    const isHealth = typeof body === "object" && body !== null && "healthy" in body;
    return isHealth ? "topic-server" : "not-a-topic-server";
  } catch {
    // A page came instead of JSON, so something else lives there.
    return "not-a-topic-server";
  }
}
