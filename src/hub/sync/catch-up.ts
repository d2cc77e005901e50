// Brings a group's topics up to date: which are polled alone and which together, one poll after the other. How a poll
// is made and stored is in `poll-round.ts`; when to catch up is decided in `polled-group.ts`.
import { type Result, type Since, fail, ok } from "../../protocol";
import type { SubscriptionRecord } from "../../store";
import {
  covers,
  type CatchUpFailure,
  type CatchUpKind,
  type CaughtUp,
  type PollOwner,
  pollStart,
  readGroup,
} from "./poll-start";
import { both, listsOf, PollRounds } from "./poll-round";
import { isMarkerRefused } from "../requests/classify";
import type { ServerContext } from "../server/server-context";

interface Task {
  kind: CatchUpKind;
  /** Polls only these, on their own; absent = the whole group. */
  subIds?: number[];
  promise: Promise<Result<CaughtUp, CatchUpFailure>>;
  resolve(result: Result<CaughtUp, CatchUpFailure>): void;
}

/**
 * Brings one group of topics (same server, same credentials) up to date by polls, one after the other. It moves the
 * group's safe cursors after each complete poll (docs/design.md §4). New topics are caught up alone before they join.
 */
export class CatchUp {
  readonly #rounds: PollRounds;
  readonly #aborter = new AbortController();
  readonly #tasks: Task[] = [];
  isBusy = false;

  constructor(
    private readonly here: ServerContext,
    private readonly accountId: number,
    owner: PollOwner,
  ) {
    this.#rounds = new PollRounds(here, accountId, owner, this.#aborter.signal);
  }

  /** Asks for a catch-up. One that is waiting is reused if it covers this one; a running one started too early. */
  request(kind: CatchUpKind, subIds?: number[]): Promise<Result<CaughtUp, CatchUpFailure>> {
    const isAlike = (task: Task): boolean => covers(task.kind, kind) || covers(kind, task.kind);
    const waiting = subIds ? undefined : this.#tasks.find((task) => !task.subIds && isAlike(task));
    if (waiting) {
      if (covers(kind, waiting.kind)) waiting.kind = kind;
      return waiting.promise;
    }
    let resolve!: Task["resolve"];
    const promise = new Promise<Result<CaughtUp, CatchUpFailure>>((settle) => void (resolve = settle));
    this.#tasks.push({ kind, promise, resolve, ...(subIds && { subIds }) });
    if (!this.isBusy) void this.#run();
    return promise;
  }

  stop(): void {
    this.#aborter.abort();
  }

  async #run(): Promise<void> {
    this.isBusy = true;
    this.here.status.changed();
    for (let task = this.#tasks.shift(); task; task = this.#tasks.shift()) {
      // A throw here is a bug. Those waiting must still run, and this one is repeated.
      const done = await this.#carryOut(task).catch(this.here.environment.report);
      task.resolve(done ?? fail({ kind: "storage" }));
    }
    this.isBusy = false;
    this.here.status.changed();
  }

  async #carryOut({ kind, subIds }: Task): Promise<Result<CaughtUp, CatchUpFailure>> {
    const subscriptions = await readGroup(this.here, this.accountId);
    const joined = subscriptions.filter((subscription) => subscription.joined);
    if (subIds) {
      const chosen = subscriptions.filter((subscription) => subIds.includes(subscription.subId));
      return this.#pollAlone(chosen, joined);
    }
    const returning = subscriptions.filter(({ joined }) => joined === 0);
    const added = subscriptions.filter(({ joined }) => joined === undefined);
    let all: CaughtUp = { found: [] };
    const members = [...joined];
    for (const chosen of [added, returning]) {
      // Each list of topics joins by itself, so the next try continues where this one failed.
      const lists = listsOf(this.here, this.accountId, chosen);
      for (const { length } of lists) {
        const some = chosen.splice(0, length);
        await this.here.requests.pace(lists.length, this.#aborter.signal);
        const alone = await this.#pollAlone(some, members);
        if (!alone.ok) return alone;
        all = both(all, alone.value);
        members.push(...some);
      }
    }
    // Topics that have just joined don't need a second poll.
    if (kind === "new" || joined.length === 0) return ok(all);
    const together = await this.#pollTogether(joined, kind);
    return together.ok ? ok(both(all, together.value)) : together;
  }

  /** Polls everything of some topics, on their own. */
  async #pollAlone(
    chosen: SubscriptionRecord[],
    joined: SubscriptionRecord[],
  ): Promise<Result<CaughtUp, CatchUpFailure>> {
    const from = Math.min(...chosen.map((subscription) => subscription.fromTime ?? 0));
    const since: Since = from === 0 ? { kind: "all" } : { kind: "time", time: from };
    const isWhole = joined.every(({ subId }) => chosen.some((one) => one.subId === subId));
    return this.#rounds.poll(chosen, since, { kind: "all", isWhole });
  }

  async #pollTogether(joined: SubscriptionRecord[], wanted: CatchUpKind): Promise<Result<CaughtUp, CatchUpFailure>> {
    const { kind, since } = await pollStart(this.here, this.accountId, joined, wanted, this.#rounds.coveredSetOnAtMs);
    const result = await this.#rounds.poll(joined, since, { kind, isWhole: true });
    const hasRefused = !result.ok && result.error.kind === "poll" && isMarkerRefused(result.error.why);
    if (!hasRefused || kind === "all") return result;
    return this.#rounds.poll(joined, { kind: "all" }, { kind: "all", isWhole: true });
  }
}
