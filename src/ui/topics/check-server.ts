import type { Client } from "../../client";
import { isHttps, type ServerAddress } from "../../protocol";
import { topicStrings } from "../strings/topics";

/**
 * Asks an address that is new here whether it is a topic server. The page does that itself, as only a page gets the
 * browser's question about the local network. What is wrong, in words, or nothing.
 */
export async function checkServer(client: Client, address: ServerAddress): Promise<string | undefined> {
  const answer = await client.probe(address);
  if (answer === "topic-server") return undefined;
  // A secure page may reach plain http in the local network only, and the browser does not say that it was that.
  const isMixed = answer === "unreachable" && location.protocol === "https:" && !isHttps(address);
  return topicStrings.addressFaults[isMixed ? "mixed" : answer];
}
