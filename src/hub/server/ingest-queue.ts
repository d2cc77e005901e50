import { keyOf, type MessageKey, type StoredMessage, MAX_ANNOUNCED_ROWS } from "../../contract";
import { fail, ok, partsOf, type Result } from "../../protocol";
import type { Arrival, IngestBatch, IngestError, IngestResult } from "../../store";
import type { Environment, LeadingHub } from "../environment";

/** The most arrivals in one transaction: short ones let live messages pass a backlog, and longer ones are no faster. */
const MAX_BATCH = 2_000;

/** The newest part of a backlog is stored first and alone, because that is what is on screen. */
const FIRST_PART = MAX_ANNOUNCED_ROWS;

/** How many rows are shown, at most, that couldn't be stored. */
const MAX_UNSTORED = 500;

/** Arrivals of one server that go to the store together. */
export interface Incoming extends Omit<IngestBatch, "nowMs"> {
  serverId: number;
}

interface Job extends Incoming {
  resolve(result: Result<IngestResult, IngestError>): void;
}

/**
 * The only way into the store for streams and polls. What arrives while nothing is being written is written at once;
 * what arrives during a transaction goes into the next one (docs/design.md §4), live arrivals first.
 */
export class IngestQueue {
  /** What streams brought; it may share a transaction with more of its server. */
  readonly #live: Job[] = [];
  readonly #polled: Job[] = [];
  #isWriting = false;
  isFailing = false;
  /** Tabs may have been told of trouble, by this queue or an earlier leader's, so the next success is announced. */
  #isSuccessNews: boolean;

  constructor(
    private readonly environment: Environment,
    private readonly hub: Pick<LeadingHub, "announce" | "written">,
    /** Called when a write succeeded after others had failed. */
    private readonly roomAgain: () => void,
  ) {
    // In memory mode the trouble is that there is no database, and success doesn't change that.
    this.#isSuccessNews = environment.mode === "database";
  }

  /** Stores what a stream brought; what can't be stored is shown. Resolves to whether an order is unsettled. */
  async addLive(incoming: Incoming): Promise<boolean> {
    // A stream may bring thousands at once.
    const parts = partsOf(incoming.arrivals, MAX_BATCH);
    const results = await Promise.all(parts.map((arrivals) => this.#add({ ...incoming, arrivals }, this.#live)));
    return results.some((result) => result.ok && result.value.isUnsettled);
  }

  /** Stores a poll's messages, the newest part first; cursors move with the last part. Resolves to what was new. */
  async addPolled(incoming: Incoming): Promise<Result<{ added: MessageKey[] }, IngestError>> {
    const { cursors, arrivals, ...rest } = incoming;
    const parts = partsNewestFirst(arrivals.length);
    const added: MessageKey[] = [];
    /** Arrival numbers reserved for older parts, which are stored later. */
    let setAsideFrom: number | undefined;
    for (const [index, { start, end }] of parts.entries()) {
      const isLast = index === parts.length - 1;
      const result = await this.#add({
        ...rest,
        arrivals: arrivals.slice(start, end),
        ...(isLast && cursors && { cursors }),
        ...(index === 0 && start > 0 && { setAside: start }),
        ...(setAsideFrom !== undefined && { arrivalsFrom: setAsideFrom + start }),
      });
      if (!result.ok) return result;
      setAsideFrom ??= result.value.setAsideFrom;
      added.push(...result.value.added.map(keyOf));
    }
    return ok({ added });
  }

  /** Stores the answer of a poll about an order in one transaction, because parts would say less about it. */
  addAnswer(incoming: Incoming): Promise<Result<IngestResult, IngestError>> {
    return this.#add({ ...incoming, isOrdered: true });
  }

  #add(incoming: Incoming, queue = this.#polled): Promise<Result<IngestResult, IngestError>> {
    return new Promise((resolve) => {
      queue.push({ ...incoming, resolve });
      if (!this.#isWriting) void this.#write();
    });
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    for (;;) {
      await this.environment.storeAfter;
      const jobs = this.#take();
      if (jobs.length === 0) break;
      await this.#storeOrFail(jobs);
    }
    this.#isWriting = false;
  }

  async #storeOrFail(jobs: Job[]): Promise<void> {
    try {
      await this.#store(jobs);
    } catch (problem) {
      // This is a bug. Jobs that shared the transaction are then stored alone, and those behind must not wait for ever.
      this.environment.report(problem);
      if (jobs.length > 1) for (const job of jobs) await this.#storeOrFail([job]);
      else jobs[0]?.resolve(fail({ kind: "failed", text: problem instanceof Error ? problem.name : "" }));
    }
  }

  /** Takes the next polled job, or as many live ones as may share a transaction. */
  #take(): Job[] {
    const [first] = this.#live;
    if (!first) return this.#polled.splice(0, 1);
    let arrivals = 0;
    const end = this.#live.findIndex((job) => {
      arrivals += job.arrivals.length;
      const fits = job === first || arrivals <= MAX_BATCH;
      return !fits || job.serverId !== first.serverId;
    });
    return this.#live.splice(0, end < 0 ? this.#live.length : end);
  }

  async #store(jobs: Job[]): Promise<void> {
    const last = jobs.at(-1);
    if (!last) return;
    const { serverId: _, resolve: _resolve, ...batch } = last;
    const arrivals = jobs.flatMap((job) => job.arrivals);
    const nowMs = this.environment.now();
    const serverNowS = Math.max(...jobs.map((job) => job.serverNowS));
    const result = await this.environment.store.ingest({ ...batch, arrivals, nowMs, serverNowS });
    if (result.ok) {
      this.#announceRoom();
      this.hub.written(result.value);
    } else {
      this.#announceFailure(result.error, arrivals, nowMs);
    }
    for (const job of jobs) job.resolve(result);
  }

  #announceRoom(): void {
    if (this.#isSuccessNews) this.hub.announce({ kind: "storage", problem: "none" });
    this.#isSuccessNews = false;
    if (!this.isFailing) return;
    this.isFailing = false;
    this.roomAgain();
  }

  #announceFailure(error: IngestError, arrivals: Arrival[], nowMs: number): void {
    const unstored = error.unstored ?? arrivals.flatMap((arrival) => rowOf(arrival, nowMs));
    const rows = [...unstored]
      .sort((a, b) => a.arrival - b.arrival)
      .slice(-MAX_UNSTORED)
      // Newer than every stored row of their second.
      .map((row, at): StoredMessage => ({ ...row, arrival: Number.MAX_SAFE_INTEGER - MAX_UNSTORED + at }));
    if (rows.length > 0) this.hub.announce({ kind: "unstored", rows });
    this.isFailing = true;
    this.#isSuccessNews = true;
    const problem = error.kind === "quota" ? "full" : error.kind === "newer-version" ? "newer-version" : "unreadable";
    this.hub.announce({ kind: "storage", problem, text: error.text });
  }
}

/** A row for the screen only, because not even the database can say what is new. */
export function rowOf({ subId, event, via }: Arrival, nowMs: number): StoredMessage[] {
  if (event.event !== "message") return [];
  return [{ subId, time: event.time, id: event.id, event, via, arrival: 0, receivedAtMs: nowMs }];
}

/** Splits a replay, which comes oldest first, into parts, newest part first: where each begins and ends. */
function partsNewestFirst(count: number): { start: number; end: number }[] {
  const parts: { start: number; end: number }[] = [];
  let end = count;
  for (let size = FIRST_PART; end > size; size = MAX_BATCH) {
    parts.push({ start: end - size, end });
    end -= size;
  }
  return [...parts, { start: 0, end }];
}
