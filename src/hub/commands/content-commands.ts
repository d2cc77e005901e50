import { isFileOf, readActionRequest, type CommandError, type MessageKey } from "../../contract";
import { fail, knownActions, ok, type Result } from "../../protocol";
import { ANSWER_WITHIN_MS } from "../requests";
import type { Environment } from "../environment";
import { readBeginning, decodeText } from "./attachment-text";
import { keptFile } from "./keep-files";
import { failed, storageError, type CommandContext, type CommandHandler } from "./context";

/** Methods without a body: `fetch` throws if one is given. */

/** Requests that a message itself asks for, each after the user agreed: its `http` actions, and the text of its file. */
export function contentCommands(context: CommandContext): {
  runAction: CommandHandler<"runAction">;
  readAttachment: CommandHandler<"readAttachment">;
} {
  const { store } = context.environment;
  return {
    async runAction({ key, actionId }) {
      const row = await store.message(key);
      if (!row.ok) return fail(storageError(row.error));
      const action = row.value && knownActions(row.value.event).find(({ id }) => id === actionId);
      if (!action || action.action !== "http") return fail({ kind: "not-found" });
      const request = readActionRequest(action);
      if (!request.ok) return fail(failed({ kind: "not-allowed-by-browser" }));
      const { url, ...parts } = request.value;
      // Agreeing to this address doesn't mean agreeing to one that it redirects to. A redirect counts as status 0, as
      // browsers hide the real one.
      // Only a 2xx answer counts as done (docs/protocol.md §6). The target is no topic server, so its body isn't read.
      return askElsewhere(context.environment, url, { ...parts, redirect: "manual" }, async (response) => {
        await response.body?.cancel().catch(() => undefined);
        return { status: response.status };
      });
    },

    async readAttachment({ key }) {
      const row = await store.message(key);
      if (!row.ok) return fail(storageError(row.error));
      const attachment = row.value?.event.attachment;
      if (!attachment) return fail({ kind: "not-found" });
      const copy = await keptFile(context, key);
      if (copy) return ok(decodeText(await readBeginning(copy.response), [copy.type, attachment.type]));
      const headers = await headersFor(context, attachment.url, key);
      return askElsewhere(context.environment, attachment.url, headers, async (response) => {
        const types = [response.headers.get("Content-Type"), attachment.type];
        return decodeText(await readBeginning(response), types);
      });
    },
  };
}

/** What a proxy in front of the message's server asks for, if the file is one of that server. */
async function headersFor({ environment }: CommandContext, url: string, [subId]: MessageKey): Promise<RequestInit> {
  const [servers, subscriptions] = await Promise.all([environment.store.servers(), environment.store.subscriptions()]);
  if (!servers.ok || !subscriptions.ok) return {};
  const serverId = subscriptions.value.find((one) => one.subId === subId)?.serverId;
  const server = servers.value.find((one) => one.serverId === serverId);
  return server?.headers && isFileOf(url, server.address) ? { headers: server.headers, redirect: "error" } : {};
}

/** Requests a URL that a message names, and takes what is wanted from a 2xx answer, all within `ANSWER_WITHIN_MS`. */
async function askElsewhere<Value>(
  environment: Environment,
  url: string,
  init: RequestInit,
  take: (response: Response) => Promise<Value>,
): Promise<Result<Value, CommandError>> {
  // By itself: `fetch` would read "https:/a" from where the app lives, and so ask another than the page has shown.
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (!/^https?:$/.test(address?.protocol ?? "")) return fail(failed({ kind: "not-allowed-by-browser" }));
  const aborter = new AbortController();
  const timer = environment.setTimer(() => aborter.abort(), ANSWER_WITHIN_MS);
  try {
    // No cookies or logins that the browser has for that host are sent: the message may come from anyone.
    const response = await environment.fetch(address?.href ?? url, {
      ...init,
      credentials: "omit",
      referrerPolicy: "no-referrer",
      signal: aborter.signal,
    });
    if (response.ok) return ok(await take(response));
    await response.body?.cancel().catch(() => undefined);
    return fail(failed({ kind: "http", status: response.status }));
  } catch {
    return fail(failed({ kind: aborter.signal.aborted ? "silent" : "network" }));
  } finally {
    environment.clearTimer(timer);
  }
}
