import { fail, knownActions, ok, type Result, type Failure } from "../../protocol";
import type { Changes, StoreError } from "../../store";
import { ANSWER_WITHIN_MS } from "../requests";
import type { Surroundings } from "../surroundings";
import { announceChanges, failed, storageError, type CommandContext, type Handler } from "./context";

/** Methods that carry no body; one given all the same would make `fetch` throw. */
const BODILESS = ["GET", "HEAD"];

/** Triage: marks, deletes, restores; all by the store, told to every tab. */
export function messageCommands(context: CommandContext): {
  mark: Handler<"mark">;
  markAllRead: Handler<"markAllRead">;
  delete: Handler<"delete">;
  restore: Handler<"restore">;
  runAction: Handler<"runAction">;
} {
  const { store, now } = context.surroundings;
  const tell = <Value extends Changes>(result: Result<Value, StoreError>): Value | undefined => {
    if (result.ok) announceChanges(context, result.value);
    return result.ok ? result.value : undefined;
  };
  const settle = async (change: Promise<Result<Changes, StoreError>>) => {
    const result = await change;
    tell(result);
    return result.ok ? ok(null) : fail(storageError(result.error));
  };
  return {
    mark: ({ keys, mark }) => settle(store.mark(keys, mark, now())),
    delete: ({ keys }) => settle(store.delete(keys, now())),
    restore: ({ keys }) => settle(store.restore(keys)),

    async markAllRead({ subIds, upTo }) {
      const result = await store.markAllRead(subIds, upTo, now());
      tell(result);
      return result.ok ? ok({ keys: result.value.keys }) : fail(storageError(result.error));
    },

    async runAction({ key, actionId }) {
      const row = await store.message(key);
      if (!row.ok) return fail(storageError(row.error));
      const action = row.value && knownActions(row.value.event).find(({ id }) => id === actionId);
      if (!action || action.action !== "http") return fail({ kind: "not-found" });
      const { url, method = "POST", headers, body } = action;
      const init: RequestInit = { method: method.toUpperCase() };
      if (headers) init.headers = headers;
      if (body !== undefined && !BODILESS.includes(method.toUpperCase())) init.body = body;
      const sent = await sendAction(context.surroundings, url, init);
      return sent.ok ? sent : fail(failed(sent.error));
    },
  };
}

/** Only a 2xx answer counts as done (protocol, section 6). The target is no topic server, so its answer is not read. */
async function sendAction(
  surroundings: Surroundings,
  url: string,
  init: RequestInit,
): Promise<Result<{ status: number }, Failure>> {
  if (!/^https?:/i.test(url)) return fail({ kind: "not-allowed-by-browser" });
  const aborter = new AbortController();
  const timer = surroundings.setTimer(() => aborter.abort(), ANSWER_WITHIN_MS);
  try {
    // Nothing that the browser keeps for that host goes along: the message may come from anyone.
    const response = await surroundings.fetch(url, {
      ...init,
      credentials: "omit",
      referrerPolicy: "no-referrer",
      signal: aborter.signal,
    });
    await response.body?.cancel();
    return response.ok ? ok({ status: response.status }) : fail({ kind: "http", status: response.status });
  } catch {
    return fail({ kind: aborter.signal.aborted ? "silent" : "network" });
  } finally {
    surroundings.clearTimer(timer);
  }
}
