import type { Client } from "../../client";
import { isHttps, type ServerAddress } from "../../protocol";
import { topicStrings } from "../strings/topics";

/**
 * Asks a new address whether it is a topic server. The page itself asks, as browsers ask for permission to reach the
 * local network only on behalf of a page.
 * @returns what is wrong, in words; undefined if nothing is
 */
export async function checkServer(client: Client, address: ServerAddress): Promise<string | undefined> {
  const answer = await client.probe(address);
  if (answer === "topic-server") return undefined;
  // A secure page may reach plain http only in the local network, and the browser does not say that it blocked a
  // request.
  const isMixed = answer === "unreachable" && location.protocol === "https:" && !isHttps(address);
  return topicStrings.addressFaults[isMixed ? "mixed" : answer];
}
