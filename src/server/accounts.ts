import { scryptSync } from "node:crypto";
import type { User } from "./access";
import { type HostClock, nowS } from "./clock";
import type { AccessSettings } from "./options";
import { randomSyncTopic, randomToken } from "./random-id";

/** Seconds that a token lives unless its request says otherwise (docs/protocol.md §2). */
const DEFAULT_TOKEN_LIFE_S = 72 * 3600;

/** Maximum number of tokens of a user besides those in the options; a further one replaces the oldest. */
const MAX_TOKENS = 60;

/** An access token. */
export interface Token {
  token: string;
  label?: string;
  /** Unix seconds; 0 = never. */
  expires: number;
  /** Unix seconds of its last use, and from where. */
  lastAccess: number;
  lastOrigin: string;
}

/** A topic that an account lists for its apps. */
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
  /** A hash of the password under which the tokens were issued: they end with it. Absent = there were none. */
  passwordHash?: string;
}

/** Accounts of the users in the options. Tokens of the options never expire and can't be changed by requests. */
export class Accounts {
  readonly #accounts = new Map<string, Account>();

  /** By salt, as each takes a while to make. */
  readonly #hashes = new Map<string, string>();
  /** The changes of accounts, one after the other; never rejects. */
  #changing: Promise<unknown> = Promise.resolve();

  /** @param keep stores a changed account; if it rejects, nothing has changed */
  constructor(
    private readonly access: AccessSettings,
    private readonly clock: HostClock,
    private readonly keep: (change: { account: Account }) => Promise<void>,
  ) {
    for (const { name } of access.users) {
      this.#accounts.set(name, { name, syncTopic: randomSyncTopic(), tokens: [], subscriptions: [] });
    }
  }

  all(): Iterable<Account> {
    return this.#accounts.values();
  }

  /** Restores an account read from a file if its user still exists; without tokens if the password changed. */
  restore(account: Account): void {
    if (!this.#accounts.has(account.name)) return;
    if (account.tokens.length > 0) {
      const passwordHash = this.#hash(account);
      // Older versions noted no hash.
      const isOther = (account.passwordHash ?? passwordHash) !== passwordHash;
      account = { ...account, passwordHash, ...(isOther && { tokens: [] }) };
    }
    this.#accounts.set(account.name, account);
  }

  /** A hash of the user's password as it is now. */
  #hash({ name, syncTopic: salt }: Account): string {
    const known = this.#hashes.get(salt);
    if (known !== undefined) return known;
    const password = this.access.users.find((user) => user.name === name)?.password ?? "";
    const hash = scryptSync(password, salt, 16).toString("base64url");
    this.#hashes.set(salt, hash);
    return hash;
  }

  #change(user: User, change: (account: Account) => Partial<Account>): Promise<void> {
    const changed = this.#changing.then(async () => {
      const before = this.of(user);
      const account = { ...before, ...change(before) };
      await this.keep({ account });
      this.#accounts.set(user.name, account);
    });
    this.#changing = changed.catch(() => undefined);
    return changed;
  }

  of(user: User): Account {
    const account = this.#accounts.get(user.name);
    if (!account) throw new Error(`user without account: ${user.name}`);
    return account;
  }

  /** The user of a token; undefined if it is unknown or has expired. */
  findByToken(token: string, origin: string): User | undefined {
    const fixed = this.access.users.find(({ tokens }) => tokens.includes(token));
    if (fixed) return { name: fixed.name, role: fixed.role };
    const now = nowS(this.clock);
    for (const user of this.access.users) {
      const found = this.#accounts.get(user.name)?.tokens.find((known) => known.token === token);
      if (!found || (found.expires !== 0 && found.expires <= now)) continue;
      found.lastAccess = now;
      found.lastOrigin = origin;
      return { name: user.name, role: user.role };
    }
    return undefined;
  }

  async issueToken(
    user: User,
    origin: string,
    { label, expires }: { label?: string; expires?: number },
  ): Promise<Token> {
    const now = nowS(this.clock);
    const token: Token = {
      token: randomToken(),
      ...(label ? { label } : {}),
      expires: expires ?? now + DEFAULT_TOKEN_LIFE_S,
      lastAccess: now,
      lastOrigin: origin,
    };
    await this.#change(user, (account) => ({
      tokens: [...account.tokens, token].slice(-MAX_TOKENS),
      passwordHash: this.#hash(account),
    }));
    return token;
  }

  /** Changes a token of the user; without label and time, it is extended by 72 hours from now. */
  async changeToken(
    user: User,
    token: string,
    change: { label?: string; expires?: number },
  ): Promise<Token | undefined> {
    const isExtended = change.label === undefined && change.expires === undefined;
    const after = isExtended ? { expires: nowS(this.clock) + DEFAULT_TOKEN_LIFE_S } : change;
    await this.#change(user, ({ tokens }) => ({
      tokens: tokens.map((known) => (known.token === token ? { ...known, ...after } : known)),
    }));
    return this.of(user).tokens.find((known) => known.token === token);
  }

  removeToken(user: User, token: string): Promise<void> {
    return this.#change(user, ({ tokens }) => ({ tokens: tokens.filter((known) => known.token !== token) }));
  }

  /** @param change computes the new list from the old; what it throws is passed on */
  changeSubscriptions(
    user: User,
    change: (before: readonly AccountSubscription[]) => AccountSubscription[],
  ): Promise<void> {
    return this.#change(user, ({ subscriptions }) => ({ subscriptions: change(subscriptions) }));
  }

  /** Forgets expired tokens, which are useless even where the file still has them. */
  forgetExpiredTokens(): void {
    const now = nowS(this.clock);
    for (const account of this.#accounts.values()) {
      account.tokens = account.tokens.filter(({ expires }) => expires === 0 || expires > now);
    }
  }
}
