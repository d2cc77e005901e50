import { accountTokenUrl, readToken } from "../../protocol";
import type { AccountRecord, ServerRecord } from "../../store";
import { readJson } from "../read-text";
import { Requests } from "../requests";
import type { CommandContext } from "./context";
import { serverNowS, SIGN_IN_LIFE_S } from "./sign-in";

/** Tokens are looked at this long after the start, ms, as messages come first, and then this often. */
const FIRST_AFTER_MS = 60_000;
const EVERY_MS = 6 * 3_600_000;

/** A token with less than this left, seconds, is extended. */
const EXTENDED_BELOW_S = SIGN_IN_LIFE_S - 30 * 86_400;

/** Extends the tokens that servers issued to this app, long before they end. Only the hub that leads does so. */
export function keepTokens(context: CommandContext): void {
  const { environment } = context;
  const { setTimer, report } = environment;
  const look = (): void => {
    void extendAll(context).catch(report);
    setTimer(look, EVERY_MS);
  };
  setTimer(look, FIRST_AFTER_MS);
}

async function extendAll(context: CommandContext): Promise<void> {
  const { environment } = context;
  const { store } = environment;
  if (!context.isLeading()) return;
  const [servers, accounts] = await Promise.all([store.servers(), store.accounts()]);
  // What can't be read now is read in the next round.
  if (!servers.ok || !accounts.ok) return;
  let isNews = false;
  for (const account of accounts.value) {
    const server = servers.value.find(({ serverId }) => serverId === account.serverId);
    if (server && isDue(account, serverNowS(environment, server)))
      isNews = (await extend(context, server, account)) || isNews;
  }
  if (isNews) await context.catalogueChanged();
}

function isDue({ issued, expires, refusedAtMs }: AccountRecord, nowS: number): boolean {
  return issued === 1 && expires !== undefined && refusedAtMs === undefined && expires - nowS < EXTENDED_BELOW_S;
}

async function extend(
  { environment, requests: requestsTo }: CommandContext,
  server: ServerRecord,
  { accountId, credentials }: AccountRecord,
): Promise<boolean> {
  if (credentials.kind !== "token") return false;
  const requests = requestsTo(server.address, server, Requests);
  const answer = await requests.send({
    url: () => accountTokenUrl(server.address),
    method: "PATCH",
    body: JSON.stringify({ token: credentials.token, expires: serverNowS(environment, server) + SIGN_IN_LIFE_S }),
    credentials,
  });
  const extended = answer.ok ? readToken(await readJson(answer.value, environment)) : undefined;
  if (!extended) return false;
  const patched = await environment.store.patchAccount(accountId, { expires: extended.expires || null });
  return patched.ok;
}
