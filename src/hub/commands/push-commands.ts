import type { PushState } from "../../contract";
import { fail, ok, type PushTarget } from "../../protocol";
import type { AccountRecord, PushRecord, ServerRecord } from "../../store";
import { askPushKey, deletePush, postPush } from "../push/register-push";
import { serverOf, unwrap, type CommandContext, type FeatureCommands } from "./context";

/** Commands for Web Push. The page does the browser's part, to which hubs have no access. */
export function pushCommands(context: CommandContext) {
  const { environment, catalogueChanged, requests: requestsTo } = context;
  const { store, now } = environment;
  const notFound = { kind: "not-found" } as const;

  /** Ends a record's other registrations. If that fails, it is enough that the browser has ended them. */
  const endOthers = async (
    server: ServerRecord,
    accounts: AccountRecord[],
    record: PushRecord,
    kept: readonly PushTarget[],
  ): Promise<void> => {
    for (const { endpoint, accountId } of record.parts) {
      if (kept.some((target) => target.endpoint === endpoint)) continue;
      await deletePush(requestsTo(server.address, server), endpoint, accountOf(accounts, accountId));
    }
  };

  return {
    pushStates: async () => ok(unwrap(await store.pushes()).map(stateOf)),

    async pushKey({ serverId }) {
      const { server } = (await serverOf(context, serverId)) ?? {};
      if (!server) return fail({ kind: "failed", why: { kind: "ended" } });
      return askPushKey(requestsTo(server.address, server));
    },

    async registerPush({ serverId, key, words, mustShow, parts }) {
      const { server, accounts = [] } = (await serverOf(context, serverId)) ?? {};
      if (!server) return fail(notFound);
      const record = unwrap(await store.pushes()).find((one) => one.serverId === serverId);
      const requests = requestsTo(server.address, server);
      const targets = parts.map(({ target }) => target);
      if (record) await endOthers(server, accounts, record, targets);
      const after: PushRecord = {
        ...record,
        ...{ serverId, key, words, parts: [], refused: [] },
        sinceMs: record?.sinceMs ?? now(),
        postedAtMs: now(),
      };
      delete after.fault;
      delete after.mustShow;
      if (mustShow) after.mustShow = true;
      for (const { scope, accountId, topics, target } of parts) {
        const posted = await postPush(requests, { target, topics, account: accountOf(accounts, accountId) });
        // The request is stored anyway, as the next start tries again.
        after.parts.push({ scope, accountId, topics, endpoint: target.endpoint });
        if (posted.ok) after.refused.push(...posted.value);
        else {
          after.fault = posted.error;
          // The server refuses the new list, and would otherwise keep the old one.
          if (posted.error.kind === "forbidden") await deletePush(requests, target.endpoint, undefined);
        }
      }
      // A registration that never succeeded isn't stored: the user is told why, and it isn't retried.
      if (after.fault && !record) return fail(after.fault);
      if (after.fault && record) after.postedAtMs = record.postedAtMs;
      // They may have been ended meanwhile.
      const before = unwrap(await store.editPush(serverId, (now) => (record && !now ? undefined : after)));
      if (record && !before) {
        await endOthers(server, accounts, after, []);
        return fail(notFound);
      }
      await catalogueChanged();
      return after.fault ? fail(after.fault) : ok(stateOf(after));
    },

    async endPush({ serverId }) {
      const { server, accounts = [] } = (await serverOf(context, serverId)) ?? {};
      if (!server) return fail(notFound);
      const dropped = unwrap(await store.editPush(serverId, () => undefined));
      if (dropped) await endOthers(server, accounts, dropped, []);
      await catalogueChanged();
      return ok(null);
    },
  } satisfies FeatureCommands;
}

function accountOf(accounts: readonly AccountRecord[], accountId: number) {
  return accounts.find((account) => account.accountId === accountId);
}

/** What pages are told; the rest is for the worker alone. */
function stateOf({ polled: _, ...state }: PushRecord): PushState {
  return state;
}
