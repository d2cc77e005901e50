import type { AccountRecord } from "../../../client";
import { checkCredentials, ok, type Credentials, type CredentialsError, type Result } from "../../../protocol";
import { topicStrings } from "../../strings";

/** How the user signs in. `known`: with the account of another topic of that server. */
export type Way = "none" | "known" | "basic" | "token";

/** Credentials while they are being typed. */
export class CredentialsDraft {
  way = $state<Way>("none");
  user = $state("");
  password = $state("");
  token = $state("");

  /** Fills in credentials the user needn't type; undefined empties all fields. */
  take(credentials: Credentials | undefined): void {
    this.way = credentials?.kind ?? "none";
    this.user = credentials?.kind === "basic" ? credentials.user : "";
    this.password = credentials?.kind === "basic" ? credentials.password : "";
    this.token = credentials?.kind === "token" ? credentials.token : "";
  }

  /** The credentials as typed, checked; undefined for none. `known`: those to use if the user chose that way. */
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
export function knownAccount(accounts: AccountRecord[], serverId: number | undefined): AccountRecord | undefined {
  return accounts.find((account) => account.serverId === serverId && account.refusedAtMs === undefined);
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

/** Whether both are the same user by the same secret. */
export function isSameSignIn(one: Credentials, other: Credentials): boolean {
  return one.kind === "token"
    ? other.kind === "token" && one.token === other.token
    : other.kind === "basic" && one.user === other.user && one.password === other.password;
}
