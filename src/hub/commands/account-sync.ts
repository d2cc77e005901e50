import { oneAtATime, type ListedTopics } from "../../contract";
import {
  serverUrl,
  checkTopicName,
  fail,
  ok,
  parseServerAddress,
  type AccountFacts,
  type AccountTopic,
  type Failure,
  type Result,
} from "../../protocol";
import type { AccountRecord, ServerRecord, StoreError, SubscriptionRecord } from "../../store";
import { readServers } from "../read-servers";
import type { Requests } from "../requests/requests";
import { sleep, every } from "../environment";
import { failed, unwrap, type CommandContext, type FeatureCommands } from "./context";
import { askAccount } from "./sign-in";

/** The changes that bring an account's topics and this device's together. */
export interface AccountSteps {
  addHere: string[];
  addThere: string[];
  /** To remove from the account, because they were removed on this device. */
  removeThere: string[];
  /** Removed from the account elsewhere; only the user removes them here, because their messages would go. */
  leftThere: string[];
}

/**
 * Compares device and server with the last agreed list.
 * @param agreed topics that both had, or that were removed from the account and stayed here; empty the first time
 */
export function stepsBetween(
  agreed: readonly string[],
  here: readonly string[],
  there: readonly string[],
): AccountSteps {
  const sets = [new Set(agreed), new Set(here), new Set(there)] as const;
  const [inAgreed, isHere, isThere] = sets;
  return {
    addHere: [...isThere].filter((topic) => !isHere.has(topic) && !inAgreed.has(topic)),
    addThere: [...isHere].filter((topic) => !isThere.has(topic) && !inAgreed.has(topic)),
    removeThere: [...inAgreed].filter((topic) => isThere.has(topic) && !isHere.has(topic)),
    leftThere: [...inAgreed].filter((topic) => isHere.has(topic) && !isThere.has(topic)),
  };
}

/** How often, ms, an account is read for changes made elsewhere. */
const READ_EVERY_MS = 5 * 60_000;

/** How long, ms, a page waits for the answer that an account is kept in step. */
const SHOWN_WITHIN_MS = 10_000;

/** Longer lists are cut off: a server allows a user some hundred topics. */
const MAX_TOPICS = 500;

/** An account with its server and its topics here. */
interface SyncedAccount {
  server: ServerRecord;
  account: AccountRecord;
  subscriptions: SubscriptionRecord[];
}

/** Topics of a signed-in user: offered, and with consent kept in step. A server never causes a removal here. */
export class AccountSync {
  /** Refused credentials of accounts: failed sign-ins lock a whole household out, so they aren't used again. */
  readonly #refused = new Set<number>();
  readonly #lookOnce: () => Promise<void>;
  /** Whether the next round reads all accounts, not just those whose topics changed here. */
  #readsAll = false;

  constructor(private readonly context: CommandContext) {
    this.#lookOnce = oneAtATime(() => this.#look(), context.environment.report);
  }

  start(): void {
    void this.look(true);
    every(this.context.environment, READ_EVERY_MS, () => void this.look(true));
  }

  /** Someone signed in, so refused credentials may be accepted now. */
  signedIn(): void {
    this.#refused.clear();
    void this.look(true);
  }

  /**
   * Brings accounts that are kept in step up to date.
   *
   * @param all includes those whose topics here haven't changed
   */
  look(all = false): Promise<void> {
    this.#readsAll ||= all;
    return this.#lookOnce();
  }

  async #look(): Promise<void> {
    const readsAll = this.#readsAll;
    this.#readsAll = false;
    const found = this.context.isLeading() ? await this.#syncedAccounts() : ok([]);
    // What can't be read now is read in the next round.
    if (!found.ok) return;
    for (const synced of found.value) {
      const { inStep, refusedAtMs, accountId } = synced.account;
      if (!inStep || refusedAtMs !== undefined || this.#refused.has(accountId)) continue;
      if (readsAll || isOther(inStep, namesOf(synced))) await this.#bringInStep(synced, inStep);
    }
  }

  async #bringInStep(synced: SyncedAccount, inStep: readonly string[]): Promise<void> {
    const { environment, isLeading } = this.context;
    const { account, server } = synced;
    const requests = this.context.requests(server.address, server);
    const facts = await askAccount(requests, account.credentials);
    if (!facts.ok) return this.#noteRefusal(account, facts.error);
    const foreign = synced.subscriptions.filter((one) => isForeign(one, account)).map(({ topic }) => topic);
    const listed = topicsOf(facts.value, server).filter(({ topic }) => !foreign.includes(topic));
    const there = listed.map(({ topic }) => topic);
    const here = namesOf(synced);
    const steps = stepsBetween(inStep, here, there);
    // The user may have turned it off while the server was asked.
    if (!(await this.#isWanted(account))) return;
    const added = await this.#addHere(synced, listed, steps.addHere.slice(0, Math.max(0, MAX_TOPICS - here.length)));
    if (added.length > 0) await this.context.catalogueChanged();
    // What one side couldn't store isn't agreed on; otherwise it would be removed from the other, as if by the user.
    const agreed = new Set([...here.filter((topic) => there.includes(topic)), ...added]);
    for (const topic of [...steps.leftThere, ...steps.removeThere]) agreed.add(topic);
    const many = steps.addThere.length + steps.removeThere.length;
    for (const topic of [...steps.addThere, ...steps.removeThere]) {
      await requests.pace(many);
      if (!isLeading() || !(await this.#isWanted(account))) return;
      const isNew = steps.addThere.includes(topic);
      const failure = await tell(requests, synced, topic, isNew ? undefined : listed);
      if (!failure && isNew) agreed.add(topic);
      else if (!failure) agreed.delete(topic);
      else this.#noteRefusal(account, failure);
      // The rest is tried again later.
      if (failure?.kind === "busy" || failure?.kind === "unauthorized") break;
    }
    const after = [...agreed].sort();
    if (isOther(inStep, after)) await environment.store.patchAccount(account.accountId, { inStep: after });
  }

  #noteRefusal({ accountId }: AccountRecord, { kind }: Failure): void {
    if (kind === "unauthorized") this.#refused.add(accountId);
  }

  /** Whether the user still wants the account to be kept in step. */
  async #isWanted({ accountId }: AccountRecord): Promise<boolean> {
    const accounts = await this.context.environment.store.accounts();
    return accounts.ok && accounts.value.some((one) => one.accountId === accountId && one.inStep !== undefined);
  }

  /** Subscribes to topics. Resolves to those that are here by then. */
  async #addHere(synced: SyncedAccount, there: readonly AccountTopic[], topics: string[]): Promise<string[]> {
    if (topics.length === 0) return [];
    const { store } = this.context.environment;
    const { serverId } = synced.server;
    const added = await store.addSubscriptions({ serverId, accountId: synced.account.accountId, topics });
    if (!added.ok) return [];
    for (const { subId, topic } of added.value) {
      const displayName = there.find((one) => one.topic === topic)?.displayName;
      if (displayName) await store.patchSubscription(subId, { displayName });
    }
    return topics;
  }

  /** The servers' accounts, each with its topics here. */
  async #syncedAccounts(): Promise<Result<SyncedAccount[], StoreError>> {
    const stored = await readServers(this.context.environment.store);
    if (!stored.ok) return stored;
    return ok(stored.value.flatMap(({ accounts, ...own }) => accounts.map((account) => ({ ...own, account }))));
  }

  commands() {
    return {
      accountTopics: async ({ serverId }) => {
        const synced = unwrap(await this.#syncedAccounts()).find(
          ({ server, account }) => server.serverId === serverId && account.refusedAtMs === undefined,
        );
        if (!synced) return fail({ kind: "not-found" });
        const { server, account } = synced;
        const facts = await askAccount(this.context.requests(server.address, server), account.credentials);
        if (!facts.ok) return fail(failed(facts.error));
        const here = new Set(synced.subscriptions.map(({ topic }) => topic));
        const listed = topicsOf(facts.value, server);
        const there = new Set(listed.map(({ topic }) => topic));
        const told: ListedTopics = {
          accountId: account.accountId,
          ...(facts.value.user !== undefined && { user: facts.value.user }),
          topics: [
            ...listed.flatMap(({ topic, displayName }) =>
              here.has(topic) ? [] : [{ topic, ...(displayName && { displayName }) }],
            ),
            ...[...new Set(facts.value.reserved)].slice(0, MAX_TOPICS).flatMap((topic) => {
              const isKnown = here.has(topic) || there.has(topic);
              return isKnown || !checkTopicName(topic).ok ? [] : [{ topic, isReserved: true } as const];
            }),
          ],
        };
        return ok(told);
      },

      keepInStep: async ({ accountId, on }) => {
        const { store } = this.context.environment;
        const patched = unwrap(await store.patchAccount(accountId, { inStep: on ? [] : null }));
        if (!patched) return fail({ kind: "not-found" });
        await this.context.catalogueChanged();
        // A long list takes minutes, and nobody waits for it.
        await Promise.race([this.look(true), sleep(this.context.environment, SHOWN_WITHIN_MS)]);
        return ok(null);
      },
    } satisfies FeatureCommands;
  }
}

/** Topics of the server that no other account reads, sorted. */
function namesOf({ account, subscriptions }: SyncedAccount): string[] {
  return subscriptions.flatMap((one) => (isForeign(one, account) ? [] : [one.topic])).sort();
}

/** Whether two lists of topics differ; the second is sorted. */
function isOther(before: readonly string[], after: readonly string[]): boolean {
  return [...before].sort().join(" ") !== after.join(" ");
}

/** Adds a topic to the account, or removes a listed one. Resolves to why that failed; undefined = it worked. */
async function tell(
  requests: Requests,
  { server, account }: SyncedAccount,
  topic: string,
  listed: readonly AccountTopic[] | undefined,
): Promise<Failure | undefined> {
  const request = { url: serverUrl(server.address, "accountSubscription"), credentials: account.credentials };
  if (listed) {
    // Topics to remove go into headers, spelled as in the account (docs/protocol.md §2).
    const { baseUrl = "" } = listed.find((one) => one.topic === topic) ?? {};
    requests.headers = { ...server.headers, "X-BaseURL": baseUrl, "X-Topic": topic };
    return requests.failure({ ...request, method: "DELETE" });
  }
  const body = JSON.stringify({ base_url: server.address, topic });
  const failure = await requests.failure({ ...request, method: "POST", body });
  return failure?.kind === "http" && failure.status === 409 ? undefined : failure;
}

function isForeign({ accountId }: SubscriptionRecord, account: AccountRecord): boolean {
  return accountId !== 0 && accountId !== account.accountId;
}

/** Whether an entry of the account's list is on the server itself. */
function isOf({ baseUrl }: AccountTopic, { address, formerAddresses = [] }: ServerRecord): boolean {
  if (!baseUrl) return true;
  const parsed = parseServerAddress(baseUrl);
  return parsed.ok && [address, ...formerAddresses].includes(parsed.value);
}

/** The account's topics on the server itself, as far as they can be topics. */
function topicsOf({ topics }: AccountFacts, server: ServerRecord): AccountTopic[] {
  const own = topics.filter((one) => isOf(one, server) && checkTopicName(one.topic).ok);
  return own.filter(({ topic }, at) => own.findIndex((one) => one.topic === topic) === at).slice(0, MAX_TOPICS);
}
