import { healthUrl, type ExtraHeaders, type ServerAddress } from "../protocol";
import { probe, type ProbeAnswer } from "./probe";

/** An address is slow if it doesn't answer for this long, ms; the page may be waiting for the browser's question. */
const ANSWER_WITHIN_MS = 15_000;

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

/** Takes a closer look at an address that doesn't answer as it should. */
export async function inspect(address: ServerAddress, headers?: ExtraHeaders): Promise<Inspection> {
  const first = await Promise.race([probe(address, headers), late()]);
  const answer = first === "unreachable" && (await answersAtAll(address)) ? "unreadable" : first;
  return { answer, localNetwork: await localNetwork() };
}

function late(): Promise<"slow"> {
  return new Promise((resolve) => setTimeout(() => resolve("slow"), ANSWER_WITHIN_MS));
}

/** Whether anything answers there. A page may learn that of any address, as long as it reads nothing. */
async function answersAtAll(address: ServerAddress): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  return fetch(healthUrl(address), { mode: "no-cors", cache: "no-store", credentials: "omit", signal }).then(
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
