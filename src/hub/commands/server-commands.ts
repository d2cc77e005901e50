import type { CommandError, Commands, ServerTest } from "../../contract";
import { fail, ok, parseServerAddress, type Credentials, type Result } from "../../protocol";
import type { StreamRequest } from "../live/stream-attempt";
import { whyNoAccess, hearServerTime } from "./check-access";
import {
  failed,
  serverOf,
  settle,
  unwrap,
  type CommandContext,
  type CommandHandler,
  type FeatureCommands,
  headersPatch,
  wrongSignIn,
} from "./context";
import type { HostRules } from "./settings-commands";
import { askAccount, listedTopics, revoke, signIn, takeBack } from "./sign-in";

/**
 * Commands for servers and their credentials.
 * @param endPush ends a server's pushes, before it moves
 */
export function serverCommands(context: CommandContext, host: HostRules, endPush: CommandHandler<"endPush">) {
  const { environment, catalogueChanged, requests: requestsTo } = context;
  const { store } = environment;

  /** Tries credentials before replacing working ones. Resolves to a readable topic; undefined if none is known. */
  const tryCredentials = async (
    serverId: number,
    subIds: readonly number[] | undefined,
    credentials: Credentials,
  ): Promise<Result<string | undefined, CommandError>> => {
    const { server, subscriptions = [] } = (await serverOf(context, serverId)) ?? {};
    const one = subscriptions.find(({ subId }) => subIds?.includes(subId) ?? true);
    if (!server || !one) return fail({ kind: "not-found" });
    const requests = requestsTo(server.address, server);
    const why = await whyNoAccess(requests, [one.topic], credentials);
    // A topic that stays forbidden says nothing about the others, and an unreachable server nothing at all.
    if (!why) return ok(one.topic);
    return why.kind === "unauthorized" || why.kind === "busy" ? fail(failed(why)) : ok(undefined);
  };

  const moveTo = async (
    serverId: number,
    { address, keepsSignIn }: NonNullable<Commands["patchServer"]["input"]["move"]>,
  ): Promise<Result<null, CommandError>> => {
    const parsed = parseServerAddress(address);
    if (!parsed.ok) return fail({ kind: "invalid", field: "server", reason: parsed.error.kind });
    const barred = await host.barred(parsed.value);
    if (barred) return fail(barred);
    const found = unwrap(await store.findServer(parsed.value));
    if (found?.serverId === serverId) return ok(null);
    const before = await serverOf(context, serverId);
    // The old server is told while its address and sign-in are known. It may be gone, so this is awaited last.
    const ending = found ? undefined : endPush({ serverId }).catch(environment.report);
    switch (unwrap(await store.moveServer({ serverId, address: parsed.value, keepsSignIn }))) {
      case "moved":
        await catalogueChanged();
        await ending;
        if (before && !keepsSignIn) await revoke(requestsTo(before.server.address, before.server), before.accounts);
        return ok(null);
      case "taken":
        return fail({ kind: "invalid", field: "server", reason: "taken" });
      case "not-found":
        return fail({ kind: "not-found" });
    }
  };

  return {
    async setCredentials(input) {
      const wrong = wrongSignIn(input);
      if (wrong) return fail(wrong);
      const tried = input.credentials
        ? await tryCredentials(input.serverId, input.subIds, input.credentials)
        : undefined;
      if (tried && !tried.ok) return tried;
      const { serverId, subIds, credentials } = input;
      const { server, accounts: own = [] } = (await serverOf(context, serverId)) ?? {};
      const requests = server && requestsTo(server.address, server);
      const topic = tried?.value;
      const signed =
        credentials && requests && topic !== undefined
          ? await signIn(environment, requests, { credentials, topic, server, accounts: own })
          : credentials && { credentials };
      const set = await store.setAccount({ serverId, ...(subIds && { subIds }), signIn: signed });
      if (!set.ok && requests && signed) await takeBack(requests, signed, own);
      const { gone } = unwrap(set);
      await catalogueChanged();
      const isRevoked = !requests || (await revoke(requests, gone));
      return ok(isRevoked ? {} : { leftToken: true });
    },

    async patchServer({ serverId, name, transport, headers, move }) {
      const wrong = wrongSignIn({ headers });
      if (wrong) return fail(wrong);
      if (move) {
        const moved = await moveTo(serverId, move);
        if (!moved.ok) return moved;
      }
      const patch = {
        ...(name !== undefined && { name }),
        ...(transport !== undefined && { chosenTransport: transport }),
        ...(headers && headersPatch(headers)),
      };
      return settle(context, store.patchServer(serverId, patch));
    },

    async accountTopics({ serverId }) {
      const { server, accounts = [], subscriptions = [] } = (await serverOf(context, serverId)) ?? {};
      const account = accounts.find(({ refusedAtMs }) => refusedAtMs === undefined);
      if (!server || !account) return fail({ kind: "not-found" });
      const facts = await askAccount(requestsTo(server.address, server), account.credentials);
      if (!facts.ok) return fail(failed(facts.error));
      const here = new Set(subscriptions.map(({ topic }) => topic));
      return ok({ accountId: account.accountId, topics: listedTopics(facts.value, server, here) });
    },

    /** Tries what a connection does, without making one: sign-in, a stream, what the server says about itself. */
    async testServer({ serverId }) {
      const stored = await serverOf(context, serverId);
      if (!stored) return fail({ kind: "not-found" });
      const { server, accounts, subscriptions } = stored;
      const requests = requestsTo(server.address, server);
      const tested: ServerTest = { access: [] };
      let readable: StreamRequest | undefined;
      for (const accountId of new Set(subscriptions.map((one) => one.accountId))) {
        const credentials = accounts.find((account) => account.accountId === accountId)?.credentials;
        const topics = subscriptions.flatMap((one) => (one.accountId === accountId ? [one.topic] : []));
        const why = await whyNoAccess(requests, topics.slice(0, MAX_TOPICS), credentials);
        tested.access.push({ accountId, ...(why && { why }) });
        if (!why) readable ??= { topics: topics.slice(0, 1), credentials };
        // A failure of the server itself would hit the others too.
        else if (why.kind !== "unauthorized" && why.kind !== "forbidden") break;
      }
      const account = await askAccount(requests, undefined);
      if (account.ok && account.value.keepsS !== undefined) tested.keepsS = account.value.keepsS;
      if (!readable) return ok(tested);
      const heardS = await hearServerTime(requests, readable.topics, readable.credentials);
      tested.hasStream = heardS !== undefined;
      if (heardS !== undefined) tested.clockAheadS = heardS - Math.floor(environment.now() / 1_000);
      return ok(tested);
    },
  } satisfies FeatureCommands;
}

/** At most this many of an account's topics are asked about, because all are allowed or refused alike. */
const MAX_TOPICS = 20;
