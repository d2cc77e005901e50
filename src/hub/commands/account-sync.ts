import type { ListedTopics } from "../../contract";
import {
  accountSubscriptionUrl,
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
import { sleep, oneAtATime } from "../abort";
import { every, isWithin } from "../environment";
import { failed, unwrap, type CommandContext, type FeatureCommands } from "./context";
import { askAccount } from "./sign-in";

/** What brings the topics of an account and those of this device together. */
export interface AccountSteps {
  /** To subscribe to on this device. */
  addHere: string[];
  /** To add to the account. */
  addThere: string[];
  /** To remove from the account, as they were removed on this device. */
  removeThere: string[];
  /** Removed from the account elsewhere; here only the user removes them, because their messages would go. */
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

/** How often, ms, the hub checks which accounts to keep in step. */
const LOOK_EVERY_MS = 60_000;

/** How often, ms, an account is read for what was changed elsewhere. */
const READ_EVERY_MS = 5 * 60_000;

/** How long, ms, a page waits for the answer that an account is kept in step. */
const SHOWN_WITHIN_MS = 10_000;

/** Lists longer than this are cut: a server has no more than some hundred topics of one user. */
const MAX_TOPICS = 500;

/** An account with its server and what it has here. */
interface SyncedAccount {
  server: ServerRecord;
  account: AccountRecord;
  subscriptions: SubscriptionRecord[];
}

/** Topics of a signed-in user: offered, and with consent kept in step. A server never causes a removal here. */
export class AccountSync {
  /** By account: when it was last read, device clock, ms, and what was here then, as text. */
  readonly #read = new Map<number, { atMs: number; here: string }>();
  /** Accounts whose credentials were refused: failed sign-ins lock a household out, so they aren't used again. */
  readonly #refused = new Set<number>();
  /** By server: what keeps the pace of requests that tell accounts of changes. */
  readonly #turns = new Map<number, Requests>();
  readonly #lookOnce: () => Promise<void>;

  constructor(private readonly context: CommandContext) {
    this.#lookOnce = oneAtATime(() => this.#look(), context.environment.report);
  }

  start(): void {
    void this.look();
    every(this.context.environment, LOOK_EVERY_MS, () => void this.look());
  }

  /** Someone signed in, so refused credentials may be accepted now. */
  signedIn(): void {
    this.#refused.clear();
    void this.look();
  }

  /** Brings all accounts kept in step up to date. @param anew an account that is read in any case */
  look(anew?: number): Promise<void> {
    if (anew !== undefined) this.#read.delete(anew);
    return this.#lookOnce();
  }

  async #look(): Promise<void> {
    const { environment, isLeading } = this.context;
    const found = isLeading() ? await this.#syncedAccounts() : ok([]);
    // What can't be read now is read in the next round.
    if (!found.ok) return;
    const kept = found.value.filter(({ account }) => account.inStep && account.refusedAtMs === undefined);
    for (const accountId of this.#refused) {
      if (!kept.some(({ account }) => account.accountId === accountId)) this.#refused.delete(accountId);
    }
    for (const synced of kept) {
      if (this.#refused.has(synced.account.accountId)) continue;
      const here = textOf(synced, namesOf(synced));
      const { accountId } = synced.account;
      const before = this.#read.get(accountId);
      if (before?.here === here && isWithin(environment, before.atMs, READ_EVERY_MS)) continue;
      await this.#bringInStep(synced);
    }
  }

  async #bringInStep(synced: SyncedAccount): Promise<void> {
    const { environment } = this.context;
    const { store, now } = environment;
    const { account, server } = synced;
    const facts = await this.#ask(synced);
    if (!facts.ok) {
      if (facts.error.kind === "unauthorized") this.#refused.add(account.accountId);
      return;
    }
    const foreign = synced.subscriptions.filter((one) => isForeign(one, account)).map(({ topic }) => topic);
    const there = topicsOf(facts.value, server).filter(({ topic }) => !foreign.includes(topic));
    const here = namesOf(synced);
    const agreed = account.inStep ?? [];
    const steps = stepsBetween(
      agreed,
      here,
      there.map(({ topic }) => topic),
    );
    // The user may have ended it while the server was asked.
    if (!(await this.#isWanted(account))) return;
    const added = await this.#addHere(synced, there, steps.addHere.slice(0, Math.max(0, MAX_TOPICS - here.length)));
    if (added.length > 0) await this.context.catalogueChanged();
    const failures = await this.#tellAll(synced, there, steps);
    if (!failures) return;
    // What couldn't be stored here was not agreed on: it would be removed there as if by the user.
    const after = new Set([...here, ...added].filter((topic) => !failures.has(topic)));
    // What couldn't be removed there is tried again, as long as both sides are known to have agreed on it.
    for (const topic of steps.removeThere) if (failures.has(topic)) after.add(topic);
    const inStep = [...after].sort();
    if (inStep.join(" ") !== [...agreed].sort().join(" ")) await store.patchAccount(account.accountId, { inStep });
    const atMs = failures.size > 0 ? now() - READ_EVERY_MS + LOOK_EVERY_MS : now();
    this.#read.set(account.accountId, { atMs, here: textOf(synced, [...here, ...added].sort()) });
  }

  /** Tells the account what changed here. Resolves to the topics it didn't take; undefined if the user ended it. */
  async #tellAll(
    synced: SyncedAccount,
    there: readonly AccountTopic[],
    { addThere, removeThere }: AccountSteps,
  ): Promise<Set<string> | undefined> {
    const left = new Set([...addThere, ...removeThere]);
    const many = left.size;
    const turns = this.#turns.get(synced.server.serverId) ?? this.#requests(synced);
    this.#turns.set(synced.server.serverId, turns);
    for (const topic of left) {
      await turns.pace(many);
      if (!this.context.isLeading() || !(await this.#isWanted(synced.account))) return undefined;
      const done = await this.#tell(synced, topic, addThere.includes(topic) ? "add" : there);
      if (done === "done") left.delete(topic);
      // The rest is tried again in a while.
      if (done === "stop") break;
    }
    return left;
  }

  /** Whether the user still wants the account to be kept in step. */
  async #isWanted({ accountId }: AccountRecord): Promise<boolean> {
    const accounts = await this.context.environment.store.accounts();
    return accounts.ok && accounts.value.some((one) => one.accountId === accountId && one.inStep !== undefined);
  }

  /** Subscribes to topics. Resolves to those that are here now. */
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

  #requests({ server }: SyncedAccount): Requests {
    return this.context.requests(server.address, server);
  }

  #ask(synced: SyncedAccount): Promise<Result<AccountFacts, Failure>> {
    return askAccount(this.#requests(synced), synced.account.credentials);
  }

  /** Adds a topic to the account, or removes one of those that it lists. Resolves to whether it is so now. */
  async #tell(
    synced: SyncedAccount,
    topic: string,
    how: "add" | readonly AccountTopic[],
  ): Promise<"done" | "failed" | "stop"> {
    const { server, account } = synced;
    const requests = this.#requests(synced);
    const url = (): string => accountSubscriptionUrl(server.address);
    const { credentials } = account;
    // The protocol wants what is removed in headers, as the account writes it (docs/protocol.md §2).
    const listed = how === "add" ? undefined : how.find((one) => one.topic === topic);
    if (how !== "add") requests.headers = { ...server.headers, "X-BaseURL": listed?.baseUrl ?? "", "X-Topic": topic };
    const body = JSON.stringify({ base_url: server.address, topic });
    const failure = await requests.failure(
      how === "add" ? { url, method: "POST", body, credentials } : { url, method: "DELETE", credentials },
    );
    if (!failure || (failure.kind === "http" && failure.status === 409)) return "done";
    if (failure.kind === "unauthorized") this.#refused.add(account.accountId);
    return failure.kind === "busy" || failure.kind === "unauthorized" ? "stop" : "failed";
  }

  /** Accounts of servers with what is subscribed by them. */
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
        const facts = await this.#ask(synced);
        if (!facts.ok) return fail(failed(facts.error));
        const here = new Set(synced.subscriptions.map(({ topic }) => topic));
        const listed = topicsOf(facts.value, synced.server);
        const there = new Set(listed.map(({ topic }) => topic));
        const told: ListedTopics = {
          accountId: synced.account.accountId,
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
          leftThere: (synced.account.inStep ?? []).filter((topic) => here.has(topic) && !there.has(topic)),
        };
        return ok(told);
      },

      keepInStep: async ({ accountId, on }) => {
        const { store } = this.context.environment;
        const patched = unwrap(await store.patchAccount(accountId, { inStep: on ? [] : null }));
        if (!patched) return fail({ kind: "not-found" });
        await this.context.catalogueChanged();
        // A long list takes minutes, for which nobody waits.
        await Promise.race([this.look(accountId), sleep(this.context.environment, SHOWN_WITHIN_MS)]);
        return ok(null);
      },
    } satisfies FeatureCommands;
  }
}

/** Topics of the server that no other account reads, in a steady order. */
function namesOf({ account, subscriptions }: SyncedAccount): string[] {
  return subscriptions.flatMap((one) => (isForeign(one, account) ? [] : [one.topic])).sort();
}

/** These topics, and how their server is reached, as it may move. */
function textOf({ server: { address, headers } }: SyncedAccount, topics: readonly string[]): string {
  return JSON.stringify([address, headers, topics]);
}

function isForeign({ accountId }: SubscriptionRecord, account: AccountRecord): boolean {
  return accountId !== 0 && accountId !== account.accountId;
}

/** Whether an entry of the account's list is one of the server itself. */
function isOf({ baseUrl }: AccountTopic, { address, formerAddresses = [] }: ServerRecord): boolean {
  if (!baseUrl) return true;
  const parsed = parseServerAddress(baseUrl);
  return parsed.ok && [address, ...formerAddresses].includes(parsed.value);
}

/** The topics of the server itself that an account lists, as far as they can be topics. */
function topicsOf({ topics }: AccountFacts, server: ServerRecord): AccountTopic[] {
  const own = topics.filter((one) => isOf(one, server) && checkTopicName(one.topic).ok);
  return own.filter(({ topic }, at) => own.findIndex((one) => one.topic === topic) === at).slice(0, MAX_TOPICS);
}
