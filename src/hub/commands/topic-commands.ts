import type { CommandError, SubscribeInput } from "../../contract";
import {
  type Failure,
  type MessageEvent,
  type Result,
  type ServerAddress,
  checkTopicName,
  fail,
  ok,
  parseServerAddress,
  splitTopicsByUrlLength,
  sequenceOf,
  type StorableEvent,
} from "../../protocol";
import { isIntactSetting, type ServerPatch, type SubscriptionRecord } from "../../store";
import { poll } from "../requests/poll";
import { signInPatch } from "../requests/requests";
import { askServerTime, whyNoAccess } from "./check-access";
import {
  failed,
  settle,
  unwrap,
  type CommandContext,
  type FeatureCommands,
  headersPatch,
  wrongSignIn,
} from "./context";
import type { HostRules } from "./settings-commands";
import { signIn, takeBack } from "./sign-in";

/**
 * The messages of a poll to show, oldest first: each sequence's newest version, unless deleted (docs/protocol.md §17).
 */
export function previewed(events: readonly StorableEvent[], most = MAX_PREVIEWED): MessageEvent[] {
  const last = new Map<string, StorableEvent>();
  for (const event of events) {
    // A clear only marks a message as read, and nothing here is marked.
    if (event.event === "message_clear") continue;
    const name = `${event.topic}/${sequenceOf(event)}`;
    if ((last.get(name)?.time ?? -Infinity) <= event.time) last.set(name, event);
  }
  const messages = [...last.values()].filter((event) => event.event === "message");
  return messages.sort((a, b) => a.time - b.time).slice(-most);
}

/** The most messages that a preview shows, newest first; the rest comes with the subscription. */
const MAX_PREVIEWED = 500;

/** More than a server keeps. */
const MAX_PREVIEW_BYTES = 64_000_000;

/** Commands that add, remove and preview topics. */
export function topicCommands(context: CommandContext, host: HostRules) {
  const { environment, catalogueChanged, requests: requestsTo } = context;
  const { store, now } = environment;

  return {
    async subscribe(input) {
      const askedAtMs = now();
      const checked = checkInput(input);
      if (!checked.ok) return checked;
      const { address, topics } = checked.value;
      const barred = await host.barred(address);
      if (barred) return fail(barred);
      const server = unwrap(await store.findServer(address));
      const existing = unwrap(await store.subscriptions());
      const there = existing.filter((one) => one.serverId === server?.serverId && topics.includes(one.topic));
      const [first] = there;
      if (first && there.length === topics.length) return fail({ kind: "duplicate", subId: first.subId });
      const added = topics.filter((topic) => !there.some((one) => one.topic === topic));

      const requests = requestsTo(address, server);
      if (input.headers) requests.headers = input.headers;
      let learnt: ServerPatch | undefined;
      requests.onSignIn = (refusedAtMs) => void (learnt = signInPatch(refusedAtMs));
      let progress = { done: 0, of: 0 };
      requests.onBusy = (nextTryAtMs) => context.announce({ kind: "subscribing", address, ...progress, nextTryAtMs });
      const refused = await whyNoAccess(requests, added, input.credentials, (done, of) => {
        progress = { done, of };
        // A single request is over before anyone could read about it.
        if (of > 1) context.announce({ kind: "subscribing", address, ...progress });
      });
      if (refused) return fail(failed(refused));
      const from: Result<number | undefined, Failure> =
        input.history === "all" ? ok(undefined) : await askServerTime(requests, added, input.credentials);
      if (!from.ok) return fail(failed(from.error));
      // Counted from when the user asked: a page may have been frozen since.
      const sinceS = Math.max(0, Math.floor((now() - askedAtMs) / 1_000));
      const asked = from.value === undefined ? undefined : from.value - sinceS;

      const stored = await storeTopics(context, { ...input, address, topics: added }, asked, learnt);
      const subscriptions = [...there, ...stored];
      await catalogueChanged();
      return ok({ subIds: subscriptions.map(({ subId }) => subId) });
    },

    unsubscribe: ({ subId }) => settle(context, store.removeSubscription(subId, now())),
    restoreSubscription: ({ subId }) => settle(context, store.restoreSubscription(subId)),

    async patchSubscription({ subId, patch }) {
      for (const name of ["keepDays", "keepMessages", "keepFilesMb"] as const) {
        const limit = patch[name] ?? 0;
        if (!isIntactSetting("keepMessages", limit))
          return fail({ kind: "invalid", field: "setting", reason: `not a value of ${name}` });
      }
      return settle(context, store.patchSubscription(subId, patch));
    },

    arrange: (arrangement) => settle(context, store.arrange(arrangement)),

    async preview(input) {
      const checked = checkInput(input);
      if (!checked.ok) return checked;
      const { address, topics } = checked.value;
      const barred = await host.barred(address);
      if (barred) return fail(barred);
      const requests = requestsTo(address, unwrap(await store.findServer(address)));
      requests.onBusy = (nextTryAtMs) =>
        context.announce({ kind: "subscribing", address, done: 0, of: 1, nextTryAtMs });
      const all: StorableEvent[] = [];
      const { credentials } = input;
      for (const list of splitTopicsByUrlLength(address, topics, credentials)) {
        const asked = { topics: list, since: { kind: "all" }, scheduled: false, credentials } as const;
        const request = { ...asked, mostBytes: MAX_PREVIEW_BYTES };
        const failure = await poll(requests, request, { events: (events) => events.forEach((one) => all.push(one)) });
        if (failure) return fail(failed(failure));
      }
      return ok({ messages: previewed(all) });
    },
  } satisfies FeatureCommands;
}

/** Checks what the page checks while typing; a link or an import may have bypassed that. */
export function checkInput(
  input: Pick<SubscribeInput, "address" | "topics" | "credentials" | "headers">,
): Result<{ address: ServerAddress; topics: string[] }, CommandError> {
  const address = parseServerAddress(input.address);
  if (!address.ok) return fail({ kind: "invalid", field: "server", reason: address.error.kind });
  const topics = [...new Set(input.topics)];
  if (topics.length === 0) return fail({ kind: "invalid", field: "topic", reason: "empty" });
  for (const topic of topics) {
    const name = checkTopicName(topic);
    if (!name.ok) return fail({ kind: "invalid", field: "topic", reason: name.error.kind });
  }
  const wrong = wrongSignIn(input);
  return wrong ? fail(wrong) : ok({ address: address.value, topics });
}

async function storeTopics(
  context: CommandContext,
  { address, topics, credentials, headers, history }: SubscribeInput,
  /** When the user asked, server time, Unix seconds; absent = all history is wanted. */
  askedAt: number | undefined,
  learnt: ServerPatch | undefined,
): Promise<SubscriptionRecord[]> {
  const { environment } = context;
  const { store } = environment;
  const server = unwrap(await store.addServer(address));
  const { serverId } = server;
  if (learnt || headers)
    unwrap(await store.patchServer(serverId, { ...learnt, ...(headers && headersPatch(headers)) }));
  let accountId = 0;
  /** Removes the account again if its topics couldn't be stored and nothing else uses it. */
  let signOut: (() => Promise<unknown>) | undefined;
  if (credentials) {
    const accounts = unwrap(await store.accounts()).filter((account) => account.serverId === serverId);
    const [topic = ""] = topics;
    const requests = context.requests(address, { ...server, ...(headers && { headers }) });
    const signed = await signIn(environment, requests, { credentials, topic, server, accounts });
    const account = await store.addAccount(serverId, signed);
    if (!account.ok) await takeBack(requests, signed, accounts);
    accountId = unwrap(account).accountId;
    signOut = async () => {
      const set = await store.setAccount({ serverId, subIds: [], signIn: null });
      if (set.ok) await takeBack(requests, signed, accounts);
    };
  }
  const added = await store.addSubscriptions({
    serverId,
    accountId,
    topics,
    ...(askedAt !== undefined && { [history === "read" ? "readBefore" : "fromTime"]: askedAt }),
  });
  if (!added.ok) await signOut?.();
  return unwrap(added);
}
