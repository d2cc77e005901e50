import type { Failure, Credentials } from "../protocol";
import { ERROR_CODES } from "../protocol";
import type { AccountRecord, ServerRecord, SubscriptionRecord } from "../store";

/** What a server's connection should receive. */
export interface ConnectionPlan {
  server: ServerRecord;
  /** The accounts of this server. */
  accounts: AccountRecord[];
  /** The subscriptions of this server that aren't removed. */
  subscriptions: SubscriptionRecord[];
}

/** A plan, and which part of it the server is known to refuse. */
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

  /** Whether neither the topic nor its credentials were refused. */
  isReadable(subscription: SubscriptionRecord): boolean {
    return subscription.refusedCode === undefined && this.#account(subscription.accountId)?.refusedAtMs === undefined;
  }

  get readable(): SubscriptionRecord[] {
    return this.subscriptions.filter((subscription) => this.isReadable(subscription));
  }

  get refusedTopics(): string[] {
    return this.subscriptions.filter((one) => !this.isReadable(one)).map((one) => one.topic);
  }

  /** Why some topics are left out; undefined if none are. */
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
