import type { AccountRecord } from "../../client";
import type { App } from "../state/app.svelte";
import { serverName } from "../state/names";
import { appStrings, momentWithTime } from "../strings";
import { serverStrings } from "../strings/servers";

/**
 * The user is told of a sign-in that ends within this time, seconds. The app extends its own tokens long before that.
 */
const SAID_WITHIN_S = 7 * 86_400;

/**
 * The next sign-in to end, if that is soon. Undefined if none is, or if it is refused already, which pages say by
 * themselves.
 */
export function endingNext(
  accounts: readonly AccountRecord[],
  nowMs: number,
): (AccountRecord & { expires: number }) | undefined {
  const ending = accounts.flatMap((account) => {
    const { expires, refusedAtMs } = account;
    const isSoon = expires !== undefined && refusedAtMs === undefined && expires - nowMs / 1_000 < SAID_WITHIN_S;
    return isSoon ? [{ ...account, expires }] : [];
  });
  return ending.sort((a, b) => a.expires - b.expires)[0];
}

/** Says once, as the page starts, that a sign-in ends soon, as its topics would stop then. */
export function sayEndingSignIn(app: App): void {
  const ending = endingNext(app.catalogue.tables.accounts, Date.now());
  const server = ending && app.catalogue.server(ending.serverId);
  if (!server) return;
  const { serverId } = server;
  const { ends, ended } = serverStrings.signIn;
  const endsMs = ending.expires * 1_000;
  const text =
    endsMs > Date.now()
      ? ends(serverName(server), momentWithTime(endsMs, Date.now(), "within"))
      : ended(serverName(server));
  app.notices.show({
    text,
    action: { label: appStrings.common.signIn, run: () => app.dialogs.open({ kind: "sign-in", serverId }) },
  });
}
