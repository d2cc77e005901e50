import type { ServerRecord } from "../../../client";
import type { App } from "../../state/app.svelte";
import { serverName } from "../../state/topics/names";
import { appStrings, serverStrings } from "../../strings";

/** Signs out of a server: credentials are wiped here, and the app's token is removed there. */
export async function signOut(app: App, serverId: number): Promise<void> {
  const server = app.catalogue.server(serverId);
  const done = await app.attempt("setCredentials", { serverId, credentials: null });
  if (done && server) saySignedOut(app, server, done.value);
}

/** Says that the user is signed out, and whether the server knows; offers to sign in again. */
export function saySignedOut(app: App, server: ServerRecord, { leftToken }: { leftToken?: true }): void {
  const { left, done } = serverStrings.signIn;
  const { serverId } = server;
  app.notices.show({
    text: (leftToken ? left : done)({ server: serverName(server) }),
    action: { label: appStrings.common.signIn, run: () => app.dialogs.open({ kind: "sign-in", serverId }) },
  });
}
