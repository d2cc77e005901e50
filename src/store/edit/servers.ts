import { transact, type Database } from "../database";
import { patched, type Patch } from "../patch";
import type { AccountRecord, ServerRecord } from "../schema";

/** A server's properties that change. */
export type ServerPatch = Patch<Omit<ServerRecord, "serverId" | "address">>;

export function listServers(database: Database): Promise<ServerRecord[]> {
  return transact(database, ["servers"], { mode: "readonly" }, (transaction) => transaction.store("servers").getAll());
}

/** Doesn't wait for the disk: most of this can be learnt again. */
export function patchServer(
  database: Database,
  serverId: number,
  patch: ServerPatch,
): Promise<ServerRecord | undefined> {
  return transact(database, ["servers"], { mode: "readwrite" }, async (transaction) => {
    const servers = transaction.store("servers");
    const server = await servers.get(serverId);
    if (!server) return undefined;
    const after = patched(server, patch);
    servers.put(after);
    return after;
  });
}

export function listAccounts(database: Database): Promise<AccountRecord[]> {
  return transact(database, ["accounts"], { mode: "readonly" }, (transaction) =>
    transaction.store("accounts").getAll(),
  );
}
