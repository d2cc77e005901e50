import type { ServerAddress } from "../../protocol";
import type { App } from "./app.svelte";

/**
 * What a server's clock shows, ms, when the device's shows this: how long the server keeps a file is counted by its own
 * clock. The device's where the server's was never heard.
 */
export function serverMs(app: App, address: ServerAddress, deviceMs: number): number {
  const server = app.catalogue.servers.find((one) => one.address === address);
  const aheadS = (server && app.status(server.serverId)?.clockAheadS) ?? server?.clockAheadS ?? 0;
  return deviceMs + aheadS * 1_000;
}
