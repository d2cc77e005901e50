import { ERROR_CODES, type Credentials, type Failure } from "../protocol";
import type { AccountRecord, ServerRecord, SubscriptionRecord } from "../store";

/** What a server's connection is to receive. */
export interface ConnectionPlan {
  server: ServerRecord;
  /** Of this server. */
  accounts: AccountRecord[];
  /** Of this server, not removed. */
  subscriptions: SubscriptionRecord[];
}

/** A plan, and what of it the server lets one read, as far as it has said. */
export class ServerPlan {
  readonly server: ServerRecord;
  readonly accounts: readonly AccountRecord[];
  readonly subscriptions: readonly SubscriptionRecord[];

  constructor({ server, accounts, subscriptions }: ConnectionPlan) {
    this.server = server;
    this.accounts = accounts;
    this.subscriptions = subscriptions;
  }

  get serverId(): number {
    return this.server.serverId;
  }

  credentials(accountId: number): Credentials | undefined {
    return this.#account(accountId)?.credentials;
  }

  /** Neither the topic nor its credentials were refused. */
  isReadable(subscription: SubscriptionRecord): boolean {
    return subscription.refusedCode === undefined && this.#account(subscription.accountId)?.refusedAtMs === undefined;
  }

  get readable(): SubscriptionRecord[] {
    return this.subscriptions.filter((subscription) => this.isReadable(subscription));
  }

  get refusedTopics(): string[] {
    return this.subscriptions.filter((one) => !this.isReadable(one)).map((one) => one.topic);
  }

  /** Why what is left out is left out; undefined where nothing is. */
  get refusal(): Failure | undefined {
    const refused = this.subscriptions.find((subscription) => !this.isReadable(subscription));
    if (!refused) return undefined;
    const isAccount = this.#account(refused.accountId)?.refusedAtMs !== undefined;
    if (isAccount) return { kind: "unauthorized", code: ERROR_CODES.unauthorized };
    const code = refused.refusedCode ?? ERROR_CODES.forbidden;
    const isSignedIn = this.credentials(refused.accountId) !== undefined;
    return { kind: "forbidden", code, topics: this.refusedTopics, ...(isSignedIn && { isSignedIn }) };
  }

  #account(accountId: number): AccountRecord | undefined {
    return this.accounts.find((account) => account.accountId === accountId);
  }
}
