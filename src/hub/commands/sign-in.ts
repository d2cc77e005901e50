// Exchanges a password for a token when someone signs in, and ends the token when they sign out.
import type { ListedTopics } from "../../contract";
import {
  areExtraHeaders,
  serverUrl,
  checkTopicName,
  credentialsIn,
  fail,
  guards,
  isSameSignIn,
  issuedIn,
  ok,
  parseServerAddress,
  readAccount,
  readToken,
  type AccountFacts,
  type Credentials,
  type Failure,
  type Result,
} from "../../protocol";
import type { AccountRecord, AccountSignIn, ServerRecord } from "../../store";
import type { Environment } from "../environment";
import { readServers } from "../read-servers";
import { MAX_ACCOUNT_BYTES } from "../requests/read-text";
import type { Requests } from "../requests/requests";
import { whyNoAccess } from "./check-access";
import { type CommandContext, headersPatch, unwrap } from "./context";
import type { HostRules } from "./settings-commands";

/** How long a token is issued and extended for, seconds: a device that stays off for longer signs in again. */
const SIGN_IN_LIFE_S = 90 * 86_400;

/** The name under which the server lists the token to its user. */
const LABEL = "Earshot";

/** What the server's clock shows, if known, Unix seconds. */
export function serverNowS({ now }: Environment, server: Pick<ServerRecord, "clockAheadS"> | undefined): number {
  return Math.floor(now() / 1_000) + (server?.clockAheadS ?? 0);
}

/** Asks a server about an account, or without credentials about what it allows everyone. */
export async function askAccount(
  requests: Requests,
  credentials: Credentials | undefined,
): Promise<Result<AccountFacts, Failure>> {
  const answer = await requests.json({ url: serverUrl(requests.address, "account"), credentials }, MAX_ACCOUNT_BYTES);
  if (!answer.ok) return answer;
  const facts = readAccount(answer.value);
  return facts ? ok(facts) : fail({ kind: "malformed", text: "" });
}

/** More topics aren't listed: a server allows a user some hundred. */
const MAX_TOPICS = 500;

/** The topics that an account lists or has reserved on its server, without those here. */
export function listedTopics(
  { topics, reserved }: AccountFacts,
  { address, formerAddresses = [] }: ServerRecord,
  here: ReadonlySet<string>,
): ListedTopics["topics"] {
  const isElsewhere = (baseUrl: string): boolean => {
    const parsed = parseServerAddress(baseUrl);
    return !parsed.ok || ![address, ...formerAddresses].includes(parsed.value);
  };
  const own = topics.flatMap(({ baseUrl, ...topic }) => (baseUrl && isElsewhere(baseUrl) ? [] : [topic]));
  const listed = new Map<string, ListedTopics["topics"][number]>();
  for (const one of [...own, ...reserved.map((topic) => ({ topic, isReserved: true as const }))]) {
    const isNew = !here.has(one.topic) && !listed.has(one.topic) && checkTopicName(one.topic).ok;
    if (isNew && listed.size < MAX_TOPICS) listed.set(one.topic, one);
  }
  return [...listed.values()];
}

interface SignIn {
  credentials: Credentials;
  /** A topic that these credentials can read. */
  topic: string;
  server?: ServerRecord | undefined;
  accounts: readonly AccountRecord[];
}

/**
 * Correct credentials as they are stored: a password is exchanged for a token, so that it need not be stored; if the
 * server issues none, it is stored after all. A user who has a token gets no second one, because each account takes a
 * stream of its own.
 */
export async function signIn(
  environment: Environment,
  requests: Requests,
  { credentials, topic, server, accounts }: SignIn,
): Promise<AccountSignIn> {
  const known = accounts.find((account) => account.refusedAtMs === undefined && isOf(account, credentials));
  if (known) return known;
  if (credentials.kind === "token") return { credentials, ...(await aboutToken(requests, credentials)) };
  const issued = await issue(requests, credentials, credentials.user, serverNowS(environment, server));
  if (!issued) return { credentials };
  // Its expiry was computed by a clock that may be wrong, so the token may have expired already.
  const refused = await whyNoAccess(requests, [topic], issued.credentials);
  return refused?.kind === "unauthorized" ? { credentials } : issued;
}

/** Whether an account is the same user's: by what was entered, or by a token issued for it. */
function isOf(account: AccountRecord, credentials: Credentials): boolean {
  if (credentials.kind === "token") return isSameSignIn(account.credentials, credentials);
  return account.issued === 1 && account.user === credentials.user;
}

async function issue(
  requests: Requests,
  credentials: Credentials,
  user: string,
  nowS: number,
): Promise<AccountSignIn | undefined> {
  const answer = await requests.json({
    url: serverUrl(requests.address, "accountToken"),
    method: "POST",
    body: JSON.stringify({ label: LABEL, expires: nowS + SIGN_IN_LIFE_S }),
    credentials,
  });
  const issued = answer.ok ? readToken(answer.value) : undefined;
  if (!issued) return undefined;
  const { token, expires } = issued;
  return {
    credentials: { kind: "token", token },
    user,
    issued: 1,
    ...(expires > 0 && { expires }),
  };
}

/** Reads whose token it is and when it expires, if the server tells. */
async function aboutToken(
  requests: Requests,
  credentials: Credentials & { kind: "token" },
): Promise<Pick<AccountRecord, "user" | "expires">> {
  const account = await askAccount(requests, credentials);
  if (!account.ok) return {};
  const { user, tokens } = account.value;
  const expires = tokens.find(({ token }) => token === credentials.token)?.expires;
  return { ...(user !== undefined && { user }), ...(expires && { expires }) };
}

/** The longest JSON of passed-on sign-ins, characters, so that they fit into one packet between devices. */
const MOST_PASSED_ON = 1_800;

/** One sign-in for each server, and its extra headers, for another device of the user; what is too long is left out. */
export async function signInsToPassOn({ store }: Environment): Promise<unknown[]> {
  const { servers, accounts } = await store.reader.catalogue();
  const all: unknown[] = [];
  for (const { serverId, address, headers } of servers) {
    const account = accounts.find((one) => one.serverId === serverId && one.refusedAtMs === undefined);
    const { credentials } = account ?? {};
    const one = { address, credentials, ...issuedIn(account), headers };
    const isShort = JSON.stringify([...all, one]).length <= MOST_PASSED_ON;
    if ((credentials ?? headers) && isShort) all.push(one);
  }
  return all;
}

/** Takes what `signInsToPassOn` gave, for servers where nobody has signed in here. */
export async function takeSignIns(context: CommandContext, rules: HostRules, given: unknown): Promise<void> {
  const { environment, requests: requestsTo } = context;
  const { store } = environment;
  const take = async (one: unknown): Promise<void> => {
    const { address: text, credentials: written, headers } = guards.isJsonObject(one) ? one : {};
    const address = parseServerAddress(String(text));
    if (!address.ok || (await rules.barred(address.value))) return;
    let server: ServerRecord | undefined = unwrap(await store.addServer(address.value));
    const { serverId } = server;
    if (!server.headers && guards.stringMap(headers) && areExtraHeaders(headers))
      server = unwrap(await store.patchServer(serverId, headersPatch(headers)));
    const hasAccount = unwrap(await store.accounts()).some((account) => account.serverId === serverId);
    const credentials = credentialsIn(written);
    if (hasAccount || !credentials) return;
    const issued = issuedIn(one);
    const requests = requestsTo(address.value, server);
    // The other device may be put away or signed out, which ends its token.
    const own = issued && (await issue(requests, credentials, issued.user, serverNowS(environment, server)));
    // It may have expired already.
    const isValid = own && (await askAccount(requests, own.credentials)).ok;
    unwrap(await store.addAccount(serverId, isValid ? own : { credentials, ...issued }));
  };
  await Promise.all(Array.isArray(given) ? given.map(take) : []);
}

/** Has a server remove tokens it issued to this app. Resolves to whether all are gone; others expire. */
export async function revoke(requests: Requests, accounts: readonly AccountSignIn[]): Promise<boolean> {
  let isDone = true;
  for (const { issued, credentials } of accounts) {
    if (!issued) continue;
    // The server removes the token that signs the request.
    const why = await requests.failure({
      url: serverUrl(requests.address, "accountToken"),
      method: "DELETE",
      credentials,
    });
    // A token that it no longer knows is gone as well.
    if (why && why.kind !== "unauthorized") isDone = false;
  }
  return isDone;
}

/** Has a server remove the token of a sign-in that couldn't be stored, unless one of these accounts already had it. */
export async function takeBack(
  requests: Requests,
  signed: AccountSignIn,
  accounts: readonly AccountSignIn[],
): Promise<void> {
  if (!accounts.includes(signed)) await revoke(requests, [signed]);
}

/** When tokens are first checked, ms after the start, because messages come first; and how often. */
const FIRST_AFTER_MS = 60_000;
const EVERY_MS = 6 * 3_600_000;

/** A token with less than this left, seconds, is extended. */
const EXTENDED_BELOW_S = SIGN_IN_LIFE_S - 30 * 86_400;

/** Extends tokens that servers issued to this app, long before they end. Only the leading hub does so. */
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
  if (!context.isLeading()) return;
  const stored = await readServers(environment.store);
  // What can't be read now is read in the next round.
  let isNews = false;
  for (const { server, accounts } of stored.ok ? stored.value : []) {
    for (const account of accounts)
      if (isDue(account, serverNowS(environment, server))) isNews = (await extend(context, server, account)) || isNews;
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
  const requests = requestsTo(server.address, server);
  const answer = await requests.json({
    url: serverUrl(server.address, "accountToken"),
    method: "PATCH",
    body: JSON.stringify({ token: credentials.token, expires: serverNowS(environment, server) + SIGN_IN_LIFE_S }),
    credentials,
  });
  const extended = answer.ok ? readToken(answer.value) : undefined;
  if (!extended) return false;
  const patched = await environment.store.patchAccount(accountId, { expires: extended.expires || null });
  return patched.ok;
}
