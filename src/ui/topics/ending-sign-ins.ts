import type { AccountRecord } from "../../client";
import { toMs } from "../../protocol";
import type { App } from "../state/app.svelte";
import { serverName } from "../state/names";
import { serverMs } from "../state/server-time";
import { appStrings, momentWithTime } from "../strings";
import { serverStrings } from "../strings/servers";

/**
 * The user is told of a sign-in that ends within this time, seconds. The app extends its own tokens long before that.
 */
const SAID_WITHIN_S = 7 * 86_400;

/**
 * The next sign-in to end, if that is soon. Undefined if none is, or if it is refused already, which pages say by
 * themselves.
 *
 * @param nowMs the time by the clock of a server, as that decides when a token ends
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

/** Says once, as the page starts, that a sign-in ends soon, as its topics would stop then. */
export function sayEndingSignIn(app: App): void {
  const nowMs = Date.now();
  const ending = endingNext(app.catalogue.tables.accounts, (serverId) => {
    const server = app.catalogue.server(serverId);
    return server ? serverMs(app, server.address, nowMs) : nowMs;
  });
  const server = ending && app.catalogue.server(ending.serverId);
  if (!server) return;
  const { serverId } = server;
  const { ends, ended } = serverStrings.signIn;
  // Counted by the server's clock and said by the device's.
  const endsMs = nowMs + toMs(ending.leftS);
  const text =
    ending.leftS > 0 ? ends(serverName(server), momentWithTime(endsMs, nowMs, "within")) : ended(serverName(server));
  app.notices.show({
    text,
    action: { label: appStrings.common.signIn, run: () => app.dialogs.open({ kind: "sign-in", serverId }) },
  });
}
