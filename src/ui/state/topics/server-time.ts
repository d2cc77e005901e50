import { type ServerAddress, toMs } from "../../../protocol";
import type { App } from "../app.svelte";

/**
 * Converts device time to a server's time, ms: servers count how long they keep a message or file, and how long a token
 * is valid. If the server's clock is unknown, this is the device's time.
 */
export function serverMs(app: App, address: ServerAddress, deviceMs: number): number {
  const server = app.catalogue.servers.find((one) => one.address === address);
  const aheadS = (server && app.catalogue.status(server.serverId)?.clockAheadS) ?? server?.clockAheadS ?? 0;
  return deviceMs + toMs(aheadS);
}
