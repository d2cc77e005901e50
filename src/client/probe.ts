import { serverUrl, isJsonObject, parseServerAddress, type ExtraHeaders, type ServerAddress } from "../protocol";

/** An address that stays silent for this long, ms, is unreachable; the user may be answering the browser's question. */
const ANSWER_WITHIN_MS = 30_000;

export type ProbeAnswer = "topic-server" | "not-a-topic-server" | "unreachable";

/**
 * Asks an address's health endpoint whether it is a topic server (docs/protocol.md §2). The page does this because only
 * pages get the browser's question about the local network (docs/design.md §3).
 * @param headers those a proxy needs; with any, no redirect is followed
 */
export async function probe(text: string, headers?: ExtraHeaders): Promise<ProbeAnswer> {
  const address = parseServerAddress(text);
  if (!address.ok) return "not-a-topic-server";
  let response: Response;
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    response = await fetch(serverUrl(address.value, "health"), {
      cache: "no-store",
      signal,
      ...(headers && { headers, redirect: "error" as const }),
    });
  } catch {
    return "unreachable";
  }
  try {
    const body: unknown = await response.json();
    return isJsonObject(body) && "healthy" in body ? "topic-server" : "not-a-topic-server";
  } catch {
    // A page in place of JSON: something else lives there.
    return "not-a-topic-server";
  }
}

/** When the user asked for a closer look, an address is slow if it doesn't answer for this long, ms. */
const SLOW_AFTER_MS = 15_000;

/**
 * What is at an address, as far as a browser can tell. `unreadable`: something answers, but without the header that
 * lets this page read it. `slow`: neither answer nor error. `unreachable`: an immediate error, about which a page
 * learns nothing more.
 */
export interface Inspection {
  answer: ProbeAnswer | "unreadable" | "slow";
  /** The user's answer about the local network; `unknown`: the browser doesn't ask. */
  localNetwork: PermissionState | "unknown";
}

/** Examines more closely an address that doesn't answer as it should. */
export async function inspect(address: ServerAddress, headers?: ExtraHeaders): Promise<Inspection> {
  const late = new Promise<"slow">((resolve) => setTimeout(() => resolve("slow"), SLOW_AFTER_MS));
  const first = await Promise.race([probe(address, headers), late]);
  const answer = first === "unreachable" && (await answersAtAll(address)) ? "unreadable" : first;
  return { answer, localNetwork: await localNetwork() };
}

/** Whether anything answers there. A page may learn that of any address, as long as it reads nothing. */
async function answersAtAll(address: ServerAddress): Promise<boolean> {
  const signal = AbortSignal.timeout(SLOW_AFTER_MS);
  return fetch(serverUrl(address, "health"), { mode: "no-cors", cache: "no-store", credentials: "omit", signal }).then(
    () => true,
    () => false,
  );
}

async function localNetwork(): Promise<Inspection["localNetwork"]> {
  try {
    return (await navigator.permissions.query({ name: "local-network" as PermissionName })).state;
  } catch {
    // The browser doesn't know this permission, or is too old to be asked about it.
    return "unknown";
  }
}
