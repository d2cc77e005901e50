import {
  type ExtraHeaders,
  addressHost,
  fail,
  isHttps,
  isNearby,
  ok,
  parseServerAddress,
  type Result,
  type ServerAddress,
} from "../../../protocol";
import type { App } from "../../state/app.svelte";
import { list, topicStrings } from "../../strings";

/** Why no topic can be added on a server, in words; undefined = allowed. The hub enforces it too. */
export function barredByHost({ catalogue }: App, address: ServerAddress): string | undefined {
  const allowed = catalogue.settings.host?.allowed;
  if (!allowed || allowed.includes(address)) return undefined;
  return topicStrings.addressFaults.notAllowed({ servers: list(allowed.map(addressHost)) });
}

/**
 * Asks a new address whether it is a topic server. The page asks, because browsers only ask pages about the local
 * network.
 * @param isAssumed https is only assumed: in a private network http is tried if https leads to no topic server
 * @param headers those a proxy needs
 * @returns the server's address; else what is wrong, in words
 */
export async function checkServer(
  app: App,
  address: ServerAddress,
  isAssumed = false,
  headers?: ExtraHeaders,
): Promise<Result<ServerAddress, string>> {
  const barred = barredByHost(app, address);
  if (barred !== undefined) return fail(barred);
  const { client } = app;
  const answer = await client.probe(address, headers);
  if (answer === "topic-server") return ok(address);
  const plain = isAssumed ? plainAddress(address) : undefined;
  if (plain !== undefined && barredByHost(app, plain) === undefined && (await client.probe(plain)) === "topic-server")
    return ok(plain);
  // A secure page may use plain http only in the local network, and the browser doesn't say that it blocked a request.
  const isMixed = answer === "unreachable" && location.protocol === "https:" && !isHttps(address);
  return fail(topicStrings.addressFaults[isMixed ? "mixed" : answer]);
}

/** Whether an address was typed with its scheme; otherwise https is assumed. */
export function hasScheme(text: string): boolean {
  return /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

/**
 * The same address over http, if its host is on this device or in a private network, where few servers have a
 * certificate. Elsewhere a network could pretend that https fails.
 */
export function plainAddress(address: ServerAddress): ServerAddress | undefined {
  if (!isHttps(address) || !isNearby(address)) return undefined;
  const plain = parseServerAddress(`http://${addressHost(address)}`);
  return plain.ok ? plain.value : undefined;
}
