import { MAX_UNDO_MS, oneAtATime } from "../../contract";
import { DAY_S, type Failure, sequenceUrl } from "../../protocol";
import type { AccountRecord, ClearRecord, ServerRecord, SubscriptionRecord } from "../../store";
import { isRecent, type Environment, type Timer } from "../environment";
import { readServers } from "../read-servers";
import { reactionTo } from "../requests/classify";
import { PACED_EVERY_MS } from "../requests/request-count";
import type { Requests } from "../requests/requests";
import type { CommandContext } from "./context";
import { askAccount, serverNowS } from "./sign-in";

/** What is read within this time, ms, is looked at together. */
const GATHERED_MS = 1_000;

/** How many clears go in one go, at most: with their preflights, a quarter of the requests that a server allows at once. */
const MAX_AT_ONCE = 8;

/** While a server isn't caught up, it is looked at again after this, ms. */
const AGAIN_MS = 60_000;

/** A server that has been silent for longer, ms, may have been left behind by a sleep. */
const HEARD_WITHIN_MS = 120_000;

/** How many clears a server gets in a day that doesn't say how many messages are left. */
const MAX_A_DAY = 50;

/** After a failure, or once only the user's half of a day's messages is left, a server is left alone for this, ms. */
const WAIT_MS = 600_000;

/**
 * Tells servers what was read here of topics that only the user reads, so that other apps see it as read
 * (docs/design.md §6, "Read by one"). Only the leader does, and it asks nothing while there is nothing to tell.
 */
export class Clears {
  readonly #lookOnce: () => Promise<void>;
  /** Whether something may wait to be told. */
  #mayHold = true;
  #timer: Timer | undefined;
  /** When the next look is planned, device clock, ms. */
  #plannedAtMs = Infinity;
  /** Until when nothing is sent, by server and account; device clock, ms. */
  readonly #waits = new Map<string, number>();

  constructor(private readonly context: CommandContext) {
    this.#lookOnce = oneAtATime(() => this.#look(), context.environment.report);
  }

  /** Tells what was read, once it can't be undone. @param anew something may have been read */
  look(anew: boolean, afterMs = MAX_UNDO_MS + GATHERED_MS): void {
    const { now, setTimer, clearTimer } = this.context.environment;
    this.#mayHold ||= anew;
    if (!this.#mayHold || now() + afterMs >= this.#plannedAtMs || !this.context.isLeading()) return;
    clearTimer(this.#timer);
    this.#plannedAtMs = now() + afterMs;
    this.#timer = setTimer(() => {
      this.#plannedAtMs = Infinity;
      void this.#lookOnce();
    }, afterMs);
  }

  async #look(): Promise<void> {
    const { store, now } = this.context.environment;
    const stored = await store.clears();
    this.#mayHold = !stored.ok || stored.value.length > 0;
    const servers = this.#mayHold ? await readServers(store) : undefined;
    // What can't be read now is read in a later round.
    if (!stored.ok || !servers?.ok) return this.look(false, WAIT_MS);
    // One that is far ahead was noted before the device's clock was set back.
    const isDue = ({ dueAtMs }: ClearRecord): boolean => dueAtMs <= now() || dueAtMs > now() + WAIT_MS;
    const due = stored.value.filter(isDue);
    due.sort((a, b) => b.priority - a.priority || a.dueAtMs - b.dueAtMs);
    for (const { server, accounts, subscriptions } of servers.value) {
      for (const account of [undefined, ...accounts]) {
        const topics = subscriptions.filter(({ accountId }) => accountId === (account?.accountId ?? 0));
        const own = due.filter((clear) => topics.some(({ subId }) => subId === clear.subId));
        if (own.length > 0) await this.#tell(own, topics, server, account);
      }
    }
    const nextMs = Math.min(
      ...stored.value.filter((clear) => !isDue(clear)).map(({ dueAtMs }) => dueAtMs + GATHERED_MS),
      ...[...this.#waits.values()].filter((untilMs) => untilMs > now()),
      now() + WAIT_MS,
    );
    this.look(false, nextMs - now());
  }

  async #tell(
    clears: readonly ClearRecord[],
    topics: readonly SubscriptionRecord[],
    server: ServerRecord,
    account: AccountRecord | undefined,
  ): Promise<void> {
    const { environment, isLeading, statuses, announce } = this.context;
    const { store, now } = environment;
    const name = `${String(server.serverId)}/${String(account?.accountId)}`;
    const wait = (ms: number): void => void this.#waits.set(name, now() + ms);
    const requests = this.context.requests(server.address, server);
    const waitsMs = (this.#waits.get(name) ?? 0) - now();
    // A longer wait is from before the device's clock was set back.
    if (account?.refusedAtMs !== undefined || (waitsMs > 0 && waitsMs <= WAIT_MS)) return;
    const { state, checking, lastCompleteAtMs, lastContactAtMs } =
      statuses().find(({ serverId }) => serverId === server.serverId) ?? {};
    if (state?.kind !== "live") return;
    // Until it is caught up, later versions and clears by other apps may be missing here.
    const isHeard = isRecent(environment, lastContactAtMs ?? -Infinity, HEARD_WITHIN_MS);
    if (checking || !isHeard || (lastCompleteAtMs ?? -Infinity) < state.sinceMs) return wait(AGAIN_MS);
    let left: number | undefined;
    let sent = 0;
    for (const clear of clears) {
      if (sent >= MAX_AT_ONCE || !isLeading() || requests.count.isBusy || requests.count.room("asking") < 1) return;
      const taken = await store.takeClear(clear, now(), serverNowS(environment, server));
      if (!taken.ok || !taken.value) continue;
      left ??= await this.#left(requests, server, account);
      if (left < 1) return wait(WAIT_MS);
      left -= 1;
      sent += 1;
      const { topic = "" } = topics.find(({ subId }) => subId === clear.subId) ?? {};
      const url = `${sequenceUrl(server.address, topic, clear.sequence)}/clear`;
      const failure = await requests.failure({ url, method: "PUT", credentials: account?.credentials });
      if (failure && !isRefusal(failure)) return wait(WAIT_MS);
      // The server gives back as many requests meanwhile: each clear takes up to two, with its preflight, and so does the
      // question.
      wait((1 + sent) * 2 * PACED_EVERY_MS);
      if (failure) {
        await store.patchSubscription(clear.subId, { tellsRead: "refused" });
        announce({ kind: "catalogue" });
      } else {
        const { day, count } = toldToday(environment, server);
        server.told = { day, count: count + 1 };
        await store.patchServer(server.serverId, { told: server.told });
        await store.forgetClear(clear);
      }
    }
  }

  /** How many clears may be sent: of a day's messages, half are the user's own. None if the server can't be asked. */
  async #left(requests: Requests, server: ServerRecord, account: AccountRecord | undefined): Promise<number> {
    const asked = await askAccount(requests, account?.credentials);
    // Something in front of the server may know topics alone.
    const isUnknown = !asked.ok && asked.error.kind === "http" && asked.error.status < 500;
    if (!asked.ok && !isUnknown && !isRefusal(asked.error) && asked.error.kind !== "malformed") return 0;
    const { messagesLeft, messagesADay } = asked.ok ? asked.value : {};
    const isSaid = messagesLeft !== undefined && messagesADay !== undefined;
    return isSaid ? messagesLeft - messagesADay / 2 : MAX_A_DAY - toldToday(this.context.environment, server).count;
  }
}

/** Whether a server would refuse the same again: it gives no right to write, or doesn't know the request. */
function isRefusal(failure: Failure): boolean {
  return failure.kind !== "unauthorized" && failure.kind !== "busy" && reactionTo(failure).kind === "leave-out";
}

/** How many clears a server was sent today, in UTC by its own clock. */
function toldToday(environment: Environment, server: ServerRecord): NonNullable<ServerRecord["told"]> {
  const day = Math.floor(serverNowS(environment, server) / DAY_S);
  return server.told?.day === day ? server.told : { day, count: 0 };
}
