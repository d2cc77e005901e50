import { type Failure, type Credentials, ERROR_CODES } from "../../protocol";
import { isAdmissionCode } from "../requests/classify";
import type { StoredServer } from "../read-servers";
import type { AccountRecord, ServerRecord, SubscriptionRecord } from "../../store";

/** What a server's connection should receive, and which part of it the server is known to refuse. */
export class ServerPlan {
  readonly server: ServerRecord;
  readonly accounts: readonly AccountRecord[];
  readonly subscriptions: readonly SubscriptionRecord[];

  /** Subscriptions that wait to be asked about again, with the code of the server's refusal. */
  readonly #waiting: ReadonlyMap<number, number>;

  constructor({ server, accounts, subscriptions }: StoredServer, waiting: ReadonlyMap<number, number> = new Map()) {
    this.#waiting = new Map(waiting);
    this.server = server;
    this.accounts = accounts;
    this.subscriptions = subscriptions;
  }

  credentials(accountId: number): Credentials | undefined {
    return this.#account(accountId)?.credentials;
  }

  /** Whether neither the topic nor its credentials were refused, and the topic doesn't wait. */
  isReadable(subscription: SubscriptionRecord): boolean {
    return (
      subscription.refusedCode === undefined &&
      !this.#waiting.has(subscription.subId) &&
      !this.isAccountRefused(subscription.accountId)
    );
  }

  isAccountRefused(accountId: number): boolean {
    return this.#account(accountId)?.refusedAtMs !== undefined;
  }

  get readable(): SubscriptionRecord[] {
    return this.subscriptions.filter((subscription) => this.isReadable(subscription));
  }

  /** Topics left out because the server refuses them, and those in a list that it refuses. */
  get refusedTopics(): string[] {
    return this.#refused.map((one) => one.topic);
  }

  /** Topics that the server hasn't admitted yet. */
  get waitingTopics(): string[] {
    return this.subscriptions.filter((one) => this.#isNotAdmitted(one)).map((one) => one.topic);
  }

  get #refused(): SubscriptionRecord[] {
    return this.subscriptions.filter((one) => !this.isReadable(one) && !this.#isNotAdmitted(one));
  }

  #isNotAdmitted({ subId, accountId, refusedCode }: SubscriptionRecord): boolean {
    const isRefused = refusedCode !== undefined || this.isAccountRefused(accountId);
    return !isRefused && isAdmissionCode(this.#waiting.get(subId) ?? 0);
  }

  /** Topics refused by themselves, for a reason that may pass. */
  get askedAgain(): SubscriptionRecord[] {
    return this.refusedAlone.filter((one) => one.refusedCode !== ERROR_CODES.notFound);
  }

  /** Topics refused by themselves, not with their account. */
  get refusedAlone(): SubscriptionRecord[] {
    return this.subscriptions.filter((one) => one.refusedCode !== undefined && !this.isAccountRefused(one.accountId));
  }

  #codeOf({ subId, refusedCode }: SubscriptionRecord): number | undefined {
    return refusedCode ?? this.#waiting.get(subId);
  }

  /** Why some topics are left out; undefined if none are. */
  get refusal(): Failure | undefined {
    const isMissing = (one: SubscriptionRecord): boolean => this.#codeOf(one) === ERROR_CODES.notFound;
    const all = this.#refused;
    const refused = all.find((one) => !isMissing(one)) ?? all[0];
    if (!refused) return undefined;
    if (isMissing(refused) && all.length === this.subscriptions.length) return { kind: "no-topic-server" };
    if (this.isAccountRefused(refused.accountId)) return { kind: "unauthorized", code: ERROR_CODES.unauthorized };
    const code = this.#codeOf(refused) ?? ERROR_CODES.forbidden;
    // The first three digits of a code are its HTTP status.
    const status = Math.floor(code / 100);
    if (status !== 401 && status !== 403) return { kind: "http", status, code };
    const isSignedIn = this.credentials(refused.accountId) !== undefined;
    return { kind: "forbidden", code, topics: this.refusedTopics, ...(isSignedIn && { isSignedIn }) };
  }

  #account(accountId: number): AccountRecord | undefined {
    return this.accounts.find((account) => account.accountId === accountId);
  }
}
