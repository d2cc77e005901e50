import type { MessageKey, SubscribeInput } from "../../src/contract";
import { authorizationHeader, type Credentials } from "../../src/protocol";
import type { AccountRecord, IngestResult, ServerRecord, SubscriptionRecord } from "../../src/store";
import { Books, Broken, nameOf, type Evidence } from "./books";
import { CursorRules } from "./cursor-rules";
import { Random } from "./random";
import { Schedule } from "./schedule";
import { SimDevice } from "./sim-device";
import { SimServer } from "./sim-server";
import type { SimTab } from "./sim-tab";
import { Trace } from "./trace";

const START_MS = Date.UTC(2026, 10, 21);
const DAY_MS = 86_400_000;

/** How long an answered poll may take to be stored, ms. */
const UNDER_WAY_MS = 90_000;

/** Replicas are at most this far behind, ms: less than what a server may take to write a message down. */
const MAX_LAG_MS = 20_000;

/** How long a user's command may wait for other requests, ms. */
const ASKING_MS = 90_000;

export const TOPICS = ["a", "b", "late", "now", "secret"] as const;

/** Who may read the secret topic. */
export const ADA: Credentials = { kind: "basic", user: "ada", password: "s3cret" };
export const LOGIN = authorizationHeader(ADA);

/** Faults that may delay an alert for so long that it isn't shown any more. */
const ABSENCES = ["worker frozen", "tab put aside", "clock jumped", "write without room"];

/** What some servers do: lag behind their cluster and resend; refuse everything for a while; send only the newest;
 * admit few new topics. */
export type Profile = "cluster" | "refusals" | "cut replays" | "few new topics";

/** Everything of one run: a device, a server, the network between them, and the books of what should be stored. */
export class SimWorld {
  readonly random: Random;
  readonly schedule: Schedule;
  readonly server: SimServer;
  readonly device: SimDevice;
  readonly books = new Books();
  readonly trace: Trace;
  /** Faults injected, by kind. */
  readonly faults = new Map<string, number>();
  /** Called with the actor that stored messages, before it announces them. */
  afterStoring: ((actor: string) => void) | undefined;
  /** What this server does besides. */
  readonly profile: Profile | undefined;
  readonly #cursorRules = new CursorRules();
  #broken: Broken | undefined;

  constructor(seed: number, print?: (line: string) => void) {
    const random = new Random(seed);
    this.random = random;
    // Drawn apart, so that the other runs are what they are without profiles.
    const profiles = new Random(~seed);
    const profile = profiles.weighted<Profile | undefined>([
      [6, undefined],
      [1, "cluster"],
      [1, "refusals"],
      [1, "cut replays"],
      [1, "few new topics"],
    ]);
    this.profile = profile;
    this.trace = new Trace(print);
    this.schedule = new Schedule(random, START_MS + random.int(0, DAY_MS));
    const isNasty = random.chance(0.6);
    const retentionS = random.weighted([
      [4, 3_600],
      [4, 43_200],
      [2, random.int(1_800, 20_000)],
      [1, random.int(900, 1_800)],
      [1, random.int(120, 900)],
      // The server keeps no messages.
      [1, 0],
    ]);
    const manners = {
      retentionS,
      longer: random.chance(0.3) ? random.next() * 0.5 : 0,
      keepaliveMs: random.weighted([
        [8, 45_000],
        [1, 30_000],
        [1, 55_000],
      ]),
      batchMs: random.chance(0.3) ? 1_000 : 0,
      duplicated: isNasty ? random.next() * 0.3 : 0,
      swapped: isNasty ? random.next() * 0.4 : 0,
      // If the server keeps messages only briefly, one that a stream drops expires before a poll can find it.
      dropped:
        isNasty && retentionS >= 900
          ? random.weighted([
              [2, 0],
              [1, 0.2],
              [1, 0.6],
            ])
          : 0,
      lagMs: profile === "cluster" && retentionS >= 900 ? profiles.int(500, MAX_LAG_MS) : 0,
      replayBytes: profile === "cut replays" ? profiles.int(3_000, 8_000) : Infinity,
      newTopics: profile === "few new topics" ? profiles.int(1, 3) : Infinity,
    };
    const count = (fault: string): void => this.count(fault);
    this.server = new SimServer(this.schedule, random, manners, count, (line) => this.note(line));
    this.server.readers.set("secret", new Set([LOGIN]));
    this.server.logins.add(LOGIN);
    this.server.skewMs = random.chance(0.5) ? 0 : random.int(-7_200_000, 7_200_000);
    const habits = { usesLocks: random.chance(0.6), isShared: random.chance(0.5) };
    this.device = new SimDevice(this.schedule, random, this.server, habits, {
      count,
      trace: (line) => this.note(line),
      watched: (method, args, result) => {
        this.note(`${this.schedule.actor} ${method}${toldBy(result)}`);
        for (const [subId, id] of this.books.claimed(method, result)) {
          this.note(`alert claimed for ${subId}/${id}`);
          this.books.claimedAtMs.set(`${subId}/${id}`, this.schedule.nowMs);
        }
        this.books.watch(method, args, result);
      },
      shown: (rows) => {
        const { shownAtMs } = this.books;
        for (const row of rows) if (!shownAtMs.has(nameOf(row))) shownAtMs.set(nameOf(row), this.schedule.nowMs);
      },
      report: (problem) => this.#report(problem),
    });
    this.device.skewMs = random.chance(0.5) ? 0 : random.int(-86_400_000, 86_400_000);
    this.device.disk.onCommit = (stores) => this.#committed(stores);
    this.device.network.onRefusedLogin = (actor, askedAtMs) => this.#refusedLogin(actor, askedAtMs);
  }

  get evidence(): Evidence {
    const { server, books, device, schedule } = this;
    const isAttentive = !device.hasSlept && !ABSENCES.some((fault) => this.faults.has(fault));
    return { server, books, read: device.disk.read, nowMs: schedule.nowMs, deviceNowMs: device.nowMs, isAttentive };
  }

  count(fault: string): void {
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
    this.note(fault);
  }

  note(line: string): void {
    this.trace.add(`${this.schedule.nowMs} ${this.schedule.tasksRun} ${line}`);
  }

  /** Lets time pass. Throws the first rule that was broken in that time. */
  async pass(ms: number): Promise<void> {
    await this.schedule.advance(ms);
    if (this.#broken) throw this.#broken;
  }

  get tab(): SimTab {
    const awake = this.device.tabs.filter((tab) => !this.schedule.isAsleep(tab.actor));
    return awake.length > 0 ? this.random.pick(awake) : this.device.openTab();
  }

  subscribe(topics: readonly string[], input: Partial<SubscribeInput> = {}): void {
    const { address } = this.server;
    const known = this.subscriptions.map(({ topic }) => topic);
    for (const topic of topics) {
      if (!known.includes(topic)) this.books.askedAtMs.set(topic, this.schedule.nowMs);
    }
    if (input.credentials) this.books.loginAskedAtMs = this.schedule.nowMs;
    const { tab } = this;
    if (this.schedule.isAsleep(tab.worker.actor)) for (const topic of topics) this.books.askedOfFrozen.add(topic);
    tab.send("subscribe", { address, topics: [...topics], history: "all", ...input }, (output) => {
      this.note(`subscribed ${topics.join()} ${output.ok}`);
    });
  }

  get serverIds(): number[] {
    return this.device.disk.read<ServerRecord>("servers").map(({ serverId }) => serverId);
  }

  get subscriptions(): SubscriptionRecord[] {
    return this.device.disk.read<SubscriptionRecord>("subscriptions").filter((one) => one.removedAtMs === undefined);
  }

  /** The user retries everything that was refused. */
  tryNow(): void {
    this.books.loginAskedAtMs = this.schedule.nowMs;
    for (const serverId of this.serverIds) this.tab.send("tryNow", { serverId });
  }

  setDeviceClock(byMs: number): void {
    this.books.hasDeviceClockJumped = true;
    this.books.noteTraces(this.device.disk.read, this.device.nowMs);
    this.device.skewMs += byMs;
  }

  #committed(stores: DOMStringList): void {
    if (this.books.hasDeviceClockJumped) this.books.noteTraces(this.device.disk.read, this.device.nowMs);
    if (stores.contains("accounts")) this.#noteRefusal();
    if (stores.contains("servers")) this.#noteComplete();
    this.#noteKept();
    try {
      this.#cursorRules.check(this.evidence, stores);
    } catch (thrown) {
      if (!(thrown instanceof Broken)) throw thrown;
      // `pass` throws it later, as the run would not see an exception inside the database.
      this.#broken ??= thrown;
    }
    if (!stores.contains("messages") || !this.afterStoring) return;
    const told = this.afterStoring;
    this.afterStoring = undefined;
    told(this.schedule.actor);
  }

  /**
   * Notes when the store learnt how briefly the server keeps messages: a topic knows only the times that it has seen.
   */
  #noteKept(): void {
    const { retentionKnownAtMs } = this.books;
    const [server] = this.device.disk.read<ServerRecord>("servers");
    for (const { subId, keptFor } of this.subscriptions) {
      const keptS = keptFor?.leastS ?? server?.retentionS ?? Infinity;
      if (keptS > this.server.manners.retentionS) retentionKnownAtMs.delete(subId);
      else if (!retentionKnownAtMs.has(subId)) retentionKnownAtMs.set(subId, this.schedule.nowMs);
    }
  }

  /** While something else answers in place of the server, the store must not say that everything was just stored. */
  #noteComplete(): void {
    const { impostorSinceMs = Infinity } = this.books;
    if (this.schedule.nowMs < impostorSinceMs + UNDER_WAY_MS) return;
    const [server] = this.device.disk.read<ServerRecord>("servers");
    // A time ahead is from before the device's clock was set back.
    const sinceMs = this.device.nowMs - (server?.lastCompleteAtMs ?? -Infinity);
    if (sinceMs < 0 || sinceMs > UNDER_WAY_MS) return;
    this.#broken ??= new Broken("completeness", "all is said to be stored as of now, and no topic server has answered");
  }

  #noteRefusal(): void {
    const isRefused = this.device.disk.read<AccountRecord>("accounts").some((one) => one.refusedAtMs !== undefined);
    if (!isRefused) this.books.loginRefusedAtMs = undefined;
    else this.books.loginRefusedAtMs ??= this.schedule.nowMs;
  }

  /** Once a refusal is stored, refused credentials must not be tried unasked, except by requests already under way. */
  #refusedLogin(actor: string, askedAtMs: number): void {
    const { loginRefusedAtMs = Infinity, loginAskedAtMs } = this.books;
    if (askedAtMs <= loginRefusedAtMs || askedAtMs < loginAskedAtMs + ASKING_MS) return;
    this.#broken ??= new Broken("credentials", `${actor} tried refused credentials again, and nobody had asked it to`);
  }

  #report(problem: unknown): void {
    this.note(`report ${String(problem)}`);
    const isFullDisk = typeof problem === "object" && problem !== null && "kind" in problem && this.books.hadFullDisk;
    if (!isFullDisk) this.books.problems.push(problem instanceof Error ? problem.stack : JSON.stringify(problem));
  }
}

/** The rows in a store method's result, for the trace. */
function toldBy(result: unknown): string {
  const { added, changed, removed } = (result as { value?: Partial<IngestResult> | null } | undefined)?.value ?? {};
  const parts = [
    ...(added ?? []).map((row) => `+${row.id}${row.scheduled ? " (scheduled)" : ""}`),
    ...(changed ?? []).map((row) => `~${row.id}`),
    // Purging returns only the number of rows.
    ...(Array.isArray(removed) ? removed : []).map(([, , id]: MessageKey) => `-${id}`),
  ];
  return parts.map((part) => ` ${part}`).join("");
}
