import type { CommandError, ListedTopics } from "../../contract";
import {
  accountSubscriptionUrl,
  accountUrl,
  checkTopicName,
  fail,
  ok,
  parseServerAddress,
  readAccount,
  type AccountFacts,
  type AccountTopic,
  type Failure,
  type Result,
} from "../../protocol";
import type { AccountRecord, ServerRecord, SubscriptionRecord } from "../../store";
import { readJson } from "../read-text";
import { Requests } from "../requests";
import { DEFAULT_KEEPALIVE_MS } from "../watchdog";
import { stepsBetween } from "./account-steps";
import { failed, storageError, type CommandContext, type CommandHandler } from "./context";
import { RawTail } from "./raw-tail";

/** How often, ms, the hub checks which accounts to keep in step. */
const LOOK_EVERY_MS = 60_000;

/** How often, ms, an account is read without being announced as changed: the announcement may have been lost. */
const READ_EVERY_MS = 15 * 60_000;

/** Lists longer than this are cut: a server has no more than some hundred topics of one user. */
const MAX_TOPICS = 500;

/** An account with its server and what it has here. */
interface Place {
  server: ServerRecord;
  account: AccountRecord;
  subscriptions: SubscriptionRecord[];
}

/**
 * Topics of a signed-in user as the server lists them: offered, and with consent kept in step both ways. Nothing is removed
 * here because a server says so.
 */
export class AccountSync {
  readonly #context: CommandContext;
  /** By account: what follows its sync topic, and how its server was reached then, as text. */
  readonly #tails = new Map<number, { tail: RawTail; by: string }>();
  /** By account: when it was last read, device clock, ms, and what was here then. */
  readonly #read = new Map<number, { atMs: number; here: string }>();
  /** Accounts whose credentials were refused: failed sign-ins lock a household out, so nothing is asked with them again. */
  readonly #refused = new Set<number>();
  #looking: Promise<void> = Promise.resolve();
  #isWaiting = false;

  constructor(context: CommandContext) {
    this.#context = context;
  }

  start(): void {
    this.#context.environment.setTimer(() => {
      void this.look();
      this.start();
    }, LOOK_EVERY_MS);
  }

  /** Somebody signed in anew, so that credentials that were refused may be accepted by now. */
  signedIn(): void {
    this.#refused.clear();
    void this.look();
  }

  /** Brings into step all accounts that are kept so. @param told an account that has announced a change */
  look(told?: number): Promise<void> {
    if (told !== undefined) this.#read.delete(told);
    // One that waits does what this one would: a server may say often that something has changed.
    if (this.#isWaiting) return this.#looking;
    this.#isWaiting = true;
    this.#looking = this.#looking
      .then(() => {
        this.#isWaiting = false;
        return this.#look();
      })
      .catch(this.#context.environment.report);
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { environment, isLeading } = this.#context;
    const places = isLeading() ? await this.#places() : ok([]);
    // What can't be read now is read in the next round.
    if (!places.ok) return;
    const kept = places.value.filter(({ account }) => account.inStep && account.refusedAtMs === undefined);
    for (const [accountId, { tail, by }] of this.#tails) {
      const place = kept.find(({ account }) => account.accountId === accountId);
      if (place && wayTo(place) === by) continue;
      // The server has moved, or is reached by other headers.
      tail.stop();
      this.#read.delete(accountId);
    }
    for (const accountId of this.#refused) {
      if (!kept.some(({ account }) => account.accountId === accountId)) this.#refused.delete(accountId);
    }
    for (const place of kept) {
      if (this.#refused.has(place.account.accountId)) continue;
      const here = namesOf(place).join(" ");
      const { accountId } = place.account;
      const before = this.#read.get(accountId);
      const agoMs = environment.now() - (before?.atMs ?? -Infinity);
      if (before?.here === here && agoMs >= 0 && agoMs < READ_EVERY_MS) continue;
      await this.#bringInStep(place);
    }
  }

  async #bringInStep(place: Place): Promise<void> {
    const { environment } = this.#context;
    const { store, now } = environment;
    const { account, server } = place;
    const facts = await this.#ask(place);
    if (!facts.ok) {
      if (facts.error.kind === "unauthorized") this.#refused.add(account.accountId);
      return;
    }
    const foreign = place.subscriptions.filter((one) => isForeign(one, account)).map(({ topic }) => topic);
    const there = topicsOf(facts.value, server).filter(({ topic }) => !foreign.includes(topic));
    const here = namesOf(place);
    const agreed = account.inStep ?? [];
    const steps = stepsBetween(
      agreed,
      here,
      there.map(({ topic }) => topic),
    );
    const failures = new Set<string>();
    const told = [
      ...steps.addThere.map((topic) => ["POST", topic] as const),
      ...steps.removeThere.map((topic) => ["DELETE", topic] as const),
    ];
    for (const [method, topic] of told) {
      if (!(await this.#isWanted(account))) return;
      if (!(await this.#tell(place, method, topic))) failures.add(topic);
    }
    // The user may have ended it while the server was asked.
    if (!(await this.#isWanted(account))) return;
    const added = await this.#addHere(place, there, steps.addHere.slice(0, Math.max(0, MAX_TOPICS - here.length)));
    // What could not be stored here was not agreed on: it would be removed there as if the user had removed it here.
    const after = new Set([...here, ...added].filter((topic) => !failures.has(topic)));
    // What could not be removed there is tried again, as long as both sides are known to have agreed on it.
    for (const topic of steps.removeThere) if (failures.has(topic)) after.add(topic);
    const inStep = [...after].sort();
    if (inStep.join(" ") !== [...agreed].sort().join(" ")) await store.patchAccount(account.accountId, { inStep });
    const atMs = failures.size > 0 ? now() - READ_EVERY_MS + LOOK_EVERY_MS : now();
    this.#read.set(account.accountId, { atMs, here: [...here, ...added].join(" ") });
    if (added.length > 0) await this.#context.catalogueChanged();
    this.#follow(place, facts.value.syncTopic);
  }

  /** Whether the user still wants the account to be kept in step. */
  async #isWanted({ accountId }: AccountRecord): Promise<boolean> {
    const accounts = await this.#context.environment.store.accounts();
    return accounts.ok && accounts.value.some((one) => one.accountId === accountId && one.inStep !== undefined);
  }

  /** Subscribes to topics. Resolves to those that are here now. */
  async #addHere(place: Place, there: readonly AccountTopic[], topics: string[]): Promise<string[]> {
    if (topics.length === 0) return [];
    const { store } = this.#context.environment;
    const { serverId } = place.server;
    const added = await store.addSubscriptions({ serverId, accountId: place.account.accountId, topics });
    if (!added.ok) return [];
    for (const { subId, topic } of added.value) {
      const displayName = there.find((one) => one.topic === topic)?.displayName;
      if (displayName) await store.patchSubscription(subId, { displayName: displayName.slice(0, 64) });
    }
    return topics;
  }

  /** Follows the topic by which an account says that it has changed. */
  #follow(place: Place, topic: string | undefined): void {
    const { accountId, credentials } = place.account;
    if (topic === undefined || !checkTopicName(topic).ok || this.#tails.has(accountId)) return;
    const keepaliveMs = place.server.keepaliveMs ?? DEFAULT_KEEPALIVE_MS;
    const tail = new RawTail(
      this.#context.environment,
      this.#requests(place),
      { topic, credentials, keepaliveMs },
      () => this.#tails.delete(accountId),
    );
    this.#tails.set(accountId, { tail, by: wayTo(place) });
    const listen = async (): Promise<void> => {
      let wasOpen = true;
      while (this.#tails.get(accountId)?.tail === tail && this.#context.isLeading()) {
        const { lines, state } = await tail.next();
        if (state.kind === "stopped") break;
        // Changes that were announced while the stream was down were missed.
        const isBack = state.kind === "open" && !wasOpen;
        wasOpen = state.kind === "open" || (wasOpen && state.kind === "connecting");
        if (isBack || lines.some(({ text }) => text.includes("sync"))) void this.look(accountId);
      }
      tail.stop();
    };
    void listen().catch(this.#context.environment.report);
  }

  #requests({ server }: Place): Requests {
    return this.#context.requests(server.address, server, Requests);
  }

  async #ask(place: Place): Promise<Result<AccountFacts, Failure>> {
    const { credentials } = place.account;
    const answer = await this.#requests(place).send({ url: () => accountUrl(place.server.address), credentials });
    if (!answer.ok) return answer;
    const facts = readAccount(await readJson(answer.value, this.#context.environment));
    return facts ? ok(facts) : fail({ kind: "malformed", text: "" });
  }

  /** Adds a topic to the account, or removes one. Resolves to whether it is so now. */
  async #tell(place: Place, method: "POST" | "DELETE", topic: string): Promise<boolean> {
    const { server, account } = place;
    const requests = this.#requests(place);
    // The protocol wants what is removed in headers (docs/protocol.md §2).
    if (method === "DELETE")
      requests.headers = { ...server.headers, "X-BaseURL": await this.#baseUrl(place, topic), "X-Topic": topic };
    const answer = await requests.send({
      url: () => accountSubscriptionUrl(server.address),
      method,
      ...(method === "POST" && { body: JSON.stringify({ base_url: server.address, topic }) }),
      credentials: account.credentials,
    });
    if (!answer.ok) return answer.error.kind === "http" && answer.error.status === 409;
    await answer.value.body?.cancel();
    return true;
  }

  /** How the account writes the address of the server beside a topic. */
  async #baseUrl(place: Place, topic: string): Promise<string> {
    const facts = await this.#ask(place);
    const known = facts.ok
      ? facts.value.topics.find((one) => one.topic === topic && isOf(one, place.server))
      : undefined;
    return known ? (known.baseUrl ?? "") : place.server.address;
  }

  /** Accounts of servers with what is subscribed by them. */
  async #places(): Promise<Result<Place[], CommandError>> {
    const { store } = this.#context.environment;
    const [servers, accounts, subscriptions] = await Promise.all([
      store.servers(),
      store.accounts(),
      store.subscriptions(),
    ]);
    if (!servers.ok) return fail(storageError(servers.error));
    if (!accounts.ok) return fail(storageError(accounts.error));
    if (!subscriptions.ok) return fail(storageError(subscriptions.error));
    return ok(
      accounts.value.flatMap((account): Place[] => {
        const server = servers.value.find(({ serverId }) => serverId === account.serverId);
        const own = subscriptions.value.filter(({ serverId }) => serverId === account.serverId);
        return server ? [{ server, account, subscriptions: own }] : [];
      }),
    );
  }

  commands(): { accountTopics: CommandHandler<"accountTopics">; keepInStep: CommandHandler<"keepInStep"> } {
    const placeOf = async (serverId: number): Promise<Result<Place, CommandError>> => {
      const places = await this.#places();
      if (!places.ok) return places;
      const own = places.value.filter(({ server }) => server.serverId === serverId);
      const place = own.find(({ account }) => account.refusedAtMs === undefined);
      return place ? ok(place) : fail({ kind: "not-found" });
    };
    return {
      accountTopics: async ({ serverId }) => {
        const place = await placeOf(serverId);
        if (!place.ok) return place;
        const facts = await this.#ask(place.value);
        if (!facts.ok) return fail(failed(facts.error));
        const here = new Set(place.value.subscriptions.map(({ topic }) => topic));
        const listed = topicsOf(facts.value, place.value.server);
        const there = new Set(listed.map(({ topic }) => topic));
        const told: ListedTopics = {
          accountId: place.value.account.accountId,
          ...(facts.value.user !== undefined && { user: facts.value.user }),
          topics: listed.flatMap(({ topic, displayName }) =>
            here.has(topic) ? [] : [{ topic, ...(displayName && { displayName }) }],
          ),
          leftThere: (place.value.account.inStep ?? []).filter((topic) => here.has(topic) && !there.has(topic)),
        };
        return ok(told);
      },

      keepInStep: async ({ accountId, on }) => {
        const { store } = this.#context.environment;
        const patched = await store.patchAccount(accountId, { inStep: on ? [] : null });
        if (!patched.ok) return fail(storageError(patched.error));
        if (!patched.value) return fail({ kind: "not-found" });
        await this.#context.catalogueChanged();
        await this.look(accountId);
        return ok(null);
      },
    };
  }
}

/** Topics of the server that no other account reads, in a steady order. */
function namesOf({ account, subscriptions }: Place): string[] {
  return subscriptions.flatMap((one) => (isForeign(one, account) ? [] : [one.topic])).sort();
}

/** How a place's server is reached, as text. */
function wayTo({ server: { address, headers } }: Place): string {
  return JSON.stringify([address, headers]);
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
