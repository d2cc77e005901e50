import type { Client } from "../../client";
import { fail, isHttps, ok, type Result, type ServerAddress } from "../../protocol";
import { topicStrings } from "../strings/topics";
import { plainAddress } from "./plain-address";

/**
 * Asks a new address whether it is a topic server. The page itself asks, as browsers ask for permission to reach the
 * local network only on behalf of a page.
 * @param isAssumed https is only assumed: in a private network http is tried where https leads to no topic server
 * @returns the address at which the server is; else what is wrong, in words
 */
export async function checkServer(
  client: Client,
  address: ServerAddress,
  isAssumed = false,
): Promise<Result<ServerAddress, string>> {
  const answer = await client.probe(address);
  if (answer === "topic-server") return ok(address);
  const plain = isAssumed ? plainAddress(address) : undefined;
  if (plain !== undefined && (await client.probe(plain)) === "topic-server") return ok(plain);
  // A secure page may reach plain http only in the local network, and the browser does not say that it blocked a
  // request.
  const isMixed = answer === "unreachable" && location.protocol === "https:" && !isHttps(address);
  return fail(topicStrings.addressFaults[isMixed ? "mixed" : answer]);
}
