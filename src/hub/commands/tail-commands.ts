import type { CommandError, Commands } from "../../contract";
import { checkTopicName, ERROR_CODES, fail, ok, parseServerAddress, type Result } from "../../protocol";
import { Requests } from "../requests";
import { DEFAULT_KEEPALIVE_MS } from "../watchdog";
import { failed, storageError, type CommandContext, type CommandHandler } from "./context";
import { RawTail } from "./raw-tail";

/**
 * At most this many tails run at a time: a browser opens six connections to a server, and the streams and polls need
 * theirs.
 */
const MAX_TAILS = 2;

/** The live tails of topics as plain text. */
export function tailCommands(context: CommandContext): {
  tail: CommandHandler<"tail">;
  endTail: CommandHandler<"endTail">;
} {
  const { environment } = context;
  const { store } = environment;
  const tails = new Map<string, RawTail>();

  const open = async ({
    tailId,
    address,
    topic,
    accountId,
  }: Commands["tail"]["input"]): Promise<Result<RawTail, CommandError>> => {
    const server = parseServerAddress(address);
    if (!server.ok) return fail({ kind: "invalid", field: "server", reason: server.error.kind });
    const name = checkTopicName(topic);
    if (!name.ok) return fail({ kind: "invalid", field: "topic", reason: name.error.kind });
    const [known, accounts] = await Promise.all([store.findServer(server.value), store.accounts()]);
    if (!known.ok) return fail(storageError(known.error));
    if (!accounts.ok) return fail(storageError(accounts.error));
    const account = accounts.value.find((one) => one.accountId === accountId);
    // An account's credentials go to its own server and nowhere else.
    if (accountId && account?.serverId !== known.value?.serverId) return fail({ kind: "not-found" });
    // The same tail was asked for again while the tables were read.
    const meanwhile = tails.get(tailId);
    if (meanwhile) return ok(meanwhile);
    if (tails.size >= MAX_TAILS) return fail(failed({ kind: "busy", code: ERROR_CODES.tooManyStreams }));
    const requests = context.requests(server.value, known.value, Requests);
    requests.isBounded = true;
    const tail = new RawTail(
      environment,
      requests,
      { topic, credentials: account?.credentials, keepaliveMs: known.value?.keepaliveMs ?? DEFAULT_KEEPALIVE_MS },
      () => tails.delete(tailId),
    );
    tails.set(tailId, tail);
    return ok(tail);
  };

  return {
    async tail(input) {
      const known = tails.get(input.tailId);
      const tail = known ? ok(known) : await open(input);
      return tail.ok ? ok(await tail.value.next()) : tail;
    },

    endTail({ tailId }) {
      tails.get(tailId)?.stop();
      return Promise.resolve(ok(null));
    },
  };
}
