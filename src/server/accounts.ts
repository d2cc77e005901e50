import { scryptSync } from "node:crypto";
import type { User } from "./access";
import { type HostClock, nowS } from "./environment";
import type { AccessSettings } from "./options";
import { randomId } from "./random-id";

/** Seconds that a token lives unless its request says otherwise (docs/protocol.md §2). */
const DEFAULT_TOKEN_LIFE_S = 72 * 3600;

/** Most tokens of a user besides those in the options; one more replaces the oldest. */
const MAX_TOKENS = 60;

export interface Token {
  token: string;
  label?: string;
  /** Unix seconds; 0 = never. */
  expires: number;
  /** Last use, Unix seconds, and the address it came from. */
  lastAccess: number;
  lastOrigin: string;
}

/** What a request may set of a token. */
export type TokenChange = Partial<Pick<Token, "label" | "expires">>;

export interface AccountSubscription {
  base_url: string;
  topic: string;
  display_name?: string | null;
}

/** What the server stores for a user besides name, password and role. */
export interface Account {
  name: string;
  syncTopic: string;
  tokens: Token[];
  subscriptions: AccountSubscription[];
  /** Hash of the password for which the tokens were issued; a new password ends them. Absent = there were none. */
  passwordHash?: string;
}

/** Accounts of the users in the options. Tokens in the options never expire, and requests can't change them. */
export class Accounts {
  readonly #accounts = new Map<string, Account>();

  /** @param keep stores an account that is about to change; if it throws, nothing has changed */
  constructor(
    private readonly access: AccessSettings,
    private readonly clock: HostClock,
    private readonly keep: (change: { account: Account }) => void,
  ) {
    for (const { name } of access.users) {
      this.#accounts.set(name, { name, syncTopic: `st_${randomId(13)}`, tokens: [], subscriptions: [] });
    }
  }

  all(): Iterable<Account> {
    return this.#accounts.values();
  }

  /** Restores an account read from a file if its user still exists; without tokens if the password changed. */
  restore(account: Account): void {
    if (!this.#accounts.has(account.name)) return;
    const now = this.#hash(account);
    // Older versions stored no hash.
    const { passwordHash = now, tokens } = account;
    this.#accounts.set(account.name, { ...account, passwordHash: now, tokens: passwordHash === now ? tokens : [] });
  }

  /** Hashes the user's current password, which takes a while. */
  #hash({ name, syncTopic: salt }: Account): string {
    const password = this.access.users.find((user) => user.name === name)?.password ?? "";
    return scryptSync(password, salt, 16).toString("base64url");
  }

  change(user: User, change: Partial<Account>): void {
    const account = { ...this.of(user), ...change };
    this.keep({ account });
    this.#accounts.set(user.name, account);
  }

  of(user: User): Account {
    const account = this.#accounts.get(user.name);
    if (!account) throw new Error(`user without account: ${user.name}`);
    return account;
  }

  /** The user of a token; undefined if it is unknown or has expired. */
  findByToken(token: string, origin: string): User | undefined {
    const fixed = this.access.users.find(({ tokens }) => tokens.includes(token));
    if (fixed) return fixed;
    const now = nowS(this.clock);
    for (const user of this.access.users) {
      const found = this.#accounts.get(user.name)?.tokens.find((known) => known.token === token);
      if (!found || (found.expires !== 0 && found.expires <= now)) continue;
      found.lastAccess = now;
      found.lastOrigin = origin;
      return user;
    }
    return undefined;
  }

  issueToken(user: User, origin: string, change: TokenChange): Token {
    const now = nowS(this.clock);
    const token: Token = {
      token: `tk_${randomId(29, "of lower case")}`,
      ...{ expires: now + DEFAULT_TOKEN_LIFE_S, lastAccess: now, lastOrigin: origin },
      ...change,
    };
    const account = this.of(user);
    this.change(user, {
      tokens: [...account.tokens, token].slice(-MAX_TOKENS),
      passwordHash: account.passwordHash ?? this.#hash(account),
    });
    return token;
  }

  /** Changes a token of the user; without label and time, it is extended by 72 hours from now. */
  changeToken(user: User, token: string, change: TokenChange): Token | undefined {
    const isExtended = Object.keys(change).length === 0;
    const { tokens } = this.of(user);
    const found = tokens.find((known) => known.token === token);
    const changed = found && {
      ...found,
      ...(isExtended ? { expires: nowS(this.clock) + DEFAULT_TOKEN_LIFE_S } : change),
    };
    if (changed) this.change(user, { tokens: tokens.map((known) => (known === found ? changed : known)) });
    return changed;
  }

  /** Forgets expired tokens; any left in the file are useless. */
  forgetExpiredTokens(): void {
    const now = nowS(this.clock);
    for (const account of this.#accounts.values()) {
      account.tokens = account.tokens.filter(({ expires }) => expires === 0 || expires > now);
    }
  }
}
