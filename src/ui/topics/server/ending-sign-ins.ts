import type { AccountRecord } from "../../../client";
import { toMs } from "../../../protocol";
import type { App } from "../../state/app.svelte";
import { serverName } from "../../state/topics/names";
import { appStrings, momentWithTime, serverStrings } from "../../strings";

/** How long before its end a sign-in is mentioned, seconds. The app extends its own tokens much earlier. */
const SAID_WITHIN_S = 7 * 86_400;

/**
 * The next sign-in to end, if soon. Undefined if there is none, or if it is already refused, which pages say.
 *
 * @param nowMs the time by a server's clock, which decides when a token ends
 */
export function endingNext(
  accounts: readonly AccountRecord[],
  nowMs: (serverId: number) => number,
): (AccountRecord & { expires: number; leftS: number }) | undefined {
  const ending = accounts.flatMap((account) => {
    const { expires, refusedAtMs } = account;
    if (expires === undefined || refusedAtMs !== undefined) return [];
    const leftS = expires - nowMs(account.serverId) / 1_000;
    return leftS < SAID_WITHIN_S ? [{ ...account, expires, leftS }] : [];
  });
  return ending.sort((a, b) => a.leftS - b.leftS)[0];
}

/** Says once, as the page starts, that a sign-in ends soon. */
export function sayEndingSignIn(app: App): void {
  const nowMs = Date.now();
  const ending = endingNext(app.catalogue.tables.accounts, (serverId) => {
    const server = app.catalogue.server(serverId);
    return server ? app.catalogue.serverMs(server.address, nowMs) : nowMs;
  });
  const server = ending && app.catalogue.server(ending.serverId);
  if (!server) return;
  const { serverId } = server;
  const { ends, ended } = serverStrings.signIn;
  // Counted by the server's clock, shown by the device's.
  const endsMs = nowMs + toMs(ending.leftS);
  const text =
    ending.leftS > 0
      ? ends({ server: serverName(server), time: momentWithTime(endsMs, nowMs, "within") })
      : ended({ server: serverName(server) });
  app.notices.show({
    text,
    action: { label: appStrings.common.signIn, run: () => app.dialogs.open({ kind: "sign-in", serverId }) },
  });
}
