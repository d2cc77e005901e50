import type { AccountRecord, ServerRecord } from "../../../client";
import {
  checkCredentials,
  ok,
  toMs,
  type Credentials,
  type CredentialsError,
  type Result,
  type ServerAddress,
} from "../../../protocol";
import type { App } from "../../state/app.svelte";
import { serverName } from "../../state/topics/names";
import { appStrings, momentWithTime, serverStrings, topicStrings } from "../../strings";

/** How the user signs in. `known`: with the account of another topic of that server. */
export type Way = "none" | "known" | "basic" | "token";

/** Credentials while they are being typed. */
export class CredentialsDraft {
  way = $state<Way>("none");
  user = $state("");
  password = $state("");
  token = $state("");

  /** Fills in credentials so that the user needn't type them; undefined empties all fields. */
  take(credentials: Credentials | undefined): void {
    this.way = credentials?.kind ?? "none";
    this.user = credentials?.kind === "basic" ? credentials.user : "";
    this.password = credentials?.kind === "basic" ? credentials.password : "";
    this.token = credentials?.kind === "token" ? credentials.token : "";
  }

  /** The credentials as typed, checked; undefined for none. `known`: those to use if the user chose that. */
  read(known: Credentials | undefined): Result<Credentials | undefined, CredentialsError> {
    switch (this.way) {
      case "none":
        return ok(undefined);
      case "known":
        return ok(known);
      case "basic":
        return checkCredentials({ kind: "basic", user: this.user.trim(), password: this.password });
      case "token":
        return checkCredentials({ kind: "token", token: this.token.trim() });
    }
  }
}

/** A server's account that another topic may use: one not refused. */
export function knownAccount({ catalogue }: App, address: ServerAddress | undefined): AccountRecord | undefined {
  const server = catalogue.serverAt(address);
  return catalogue.tables.accounts.find((one) => one.serverId === server?.serverId && one.refusedAtMs === undefined);
}

/** An account's label in a choice, without the secret. */
export function accountName({ credentials, user }: AccountRecord): string {
  return credentials.kind === "basic" ? credentials.user : (user ?? topicStrings.credentials.byToken);
}

/** Who is signed in by an account, in words, without the secret. */
export function signedInText(account: AccountRecord): string {
  const { credentials, user } = account;
  return user === undefined && credentials.kind === "token"
    ? topicStrings.server.signedInByToken
    : topicStrings.server.signedInAs({ user: accountName(account) });
}

/** Signs out of a server: credentials are wiped here, and the app's token is removed there. */
export async function signOut(app: App, serverId: number): Promise<void> {
  const server = app.catalogue.server(serverId);
  const done = await app.attempt("setCredentials", { serverId, credentials: null });
  if (done && server) saySignedOut(app, server, done.value);
}

/** Says that the user is signed out, and whether the server knows; offers to sign in again. */
export function saySignedOut(app: App, server: ServerRecord, { leftToken }: { leftToken?: true }): void {
  const { left, done } = serverStrings.signIn;
  offerSignIn(app, server, (leftToken ? left : done)({ server: serverName(server) }));
}

function offerSignIn(app: App, { serverId }: ServerRecord, text: string): void {
  const run = () => app.dialogs.open({ kind: "sign-in", serverId });
  app.notices.show({ text, action: { label: appStrings.common.signIn, run } });
}

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
  const { ends, ended } = serverStrings.signIn;
  // Measured by the server's clock, shown by the device's.
  const endsMs = nowMs + toMs(ending.leftS);
  const text =
    ending.leftS > 0
      ? ends({ server: serverName(server), time: momentWithTime(endsMs, nowMs, "within") })
      : ended({ server: serverName(server) });
  offerSignIn(app, server, text);
}
