import type { ServerRecord } from "../../client";
import type { App } from "../state/app.svelte";
import { serverName } from "../state/names";
import { appStrings } from "../strings";
import { serverStrings } from "../strings/servers";

/** Signs out of a server: credentials are wiped here, and a token that it issued to this app is removed there. */
export async function signOut(app: App, serverId: number): Promise<void> {
  const server = app.catalogue.server(serverId);
  const done = await app.attempt("setCredentials", { serverId, credentials: null });
  if (done && server) saySignedOut(app, server, done.value);
}

/** Says that one is signed out, and whether the server knows; offers to sign in again. */
export function saySignedOut(app: App, server: ServerRecord, { leftToken }: { leftToken?: true }): void {
  const { left, done } = serverStrings.signIn;
  const { serverId } = server;
  app.notices.show({
    text: (leftToken ? left : done)(serverName(server)),
    action: { label: appStrings.common.signIn, run: () => app.dialogs.open({ kind: "sign-in", serverId }) },
  });
}
