import type { CommandName, Commands, MessageKey, StoredMessage } from "../../src/contract";
import type { GroupRecord, SharedRecord, SubscriptionRecord } from "../../src/store";
import { Broken } from "./books";
import { Random } from "./random";
import { Schedule } from "./schedule";
import { simulateCrypto } from "./sim-crypto";
import { SimDevice } from "./sim-device";
import { NO_FAULTS } from "./sim-network";
import { SimServer } from "./sim-server";
import type { SimTab } from "./sim-tab";
import { Trace } from "./trace";
import { HOUR_MS, SECOND_MS } from "./traffic";

const START_MS = Date.UTC(2026, 10, 21);
const YEAR_MS = 365 * 24 * HOUR_MS;

/** Clocks that are less wrong than this, ms, order marks as they were made. */
const CLOCK_SLACK_MS = 2_500;

/** An undo is offered this long, ms. */
export const UNDO_MS = 45_000;

/** A message's marks, as far as devices have to agree on them. */
export const MARKS = { read: "readAtMs", done: "doneAtMs", starred: "starred", deleted: "deletedAtMs" } as const;
export type MarkName = keyof typeof MARKS;

/** What a user did to a message, as the device's store had it then. */
export interface MarkNote {
  message: string;
  kind: MarkName;
  isSet: boolean;
  atMs: number;
  /** Of the device that set it. */
  deviceId: string | undefined;
  /** The device knew the server's time, and nothing else happened meanwhile. */
  isSure: boolean;
}

/** A device of the user. */
export class OwnDevice {
  isAsleep = false;
  /** How often its clock was set. */
  jumps = 0;
  undo: { undo: string; row: StoredMessage; untilMs: number } | undefined;

  constructor(
    readonly name: string,
    readonly sim: SimDevice,
  ) {}

  get group(): GroupRecord | undefined {
    const [group] = this.sim.disk.read<GroupRecord>("group");
    return group?.ended ? undefined : group;
  }

  /** Whether another one is out of the group, as far as this one knows. */
  hasOut({ group }: OwnDevice): boolean {
    const key = `device ${group?.deviceId}`;
    return this.sim.disk.read<SharedRecord>("shared").some((one) => one.key === key && one.value === null);
  }

  get tab(): SimTab {
    return this.sim.tabs[0] ?? this.sim.openTab();
  }

  get subscriptions(): SubscriptionRecord[] {
    return this.sim.disk.read<SubscriptionRecord>("subscriptions").filter((one) => one.removedAtMs === undefined);
  }

  /** Stored messages of its topics, by topic and id. */
  get messages(): Map<string, StoredMessage> {
    const topics = new Map(this.subscriptions.map(({ subId, topic }) => [subId, topic]));
    const rows = this.sim.disk.read<StoredMessage>("messages").filter((row) => topics.has(row.subId) && !row.scheduled);
    return new Map(rows.map((row) => [`${topics.get(row.subId) ?? ""} ${row.id}`, row]));
  }
}

/** The devices of one user, their server, and the books of what the user did. */
export class GroupWorld {
  readonly random: Random;
  readonly schedule: Schedule;
  readonly server: SimServer;
  readonly trace: Trace;
  readonly faults = new Map<string, number>();
  readonly problems: unknown[] = [];
  readonly devices: OwnDevice[];
  readonly marks: MarkNote[] = [];
  /** Messages of which it isn't known what came of a command. */
  readonly unsure = new Set<string>();
  /** Messages whose marks a device may have forgotten as too old, when its clock was set forward by a year. */
  readonly forgotten = new Set<string>();
  /** The keys of all topics that carried the group, and when each device came to each of them, server clock, ms. */
  readonly keys = new Map<string, string>();
  readonly cameAtMs = new Map<string, number>();
  /** Ids of devices that were removed. */
  readonly out = new Set<string>();

  constructor(seed: number, print?: (line: string) => void) {
    const random = new Random(seed);
    this.random = random;
    simulateCrypto(random);
    this.trace = new Trace(print);
    this.schedule = new Schedule(random, START_MS + random.int(0, 24 * HOUR_MS));
    const manners = {
      ...{ retentionS: 43_200, longer: 0, keepaliveMs: 45_000, batchMs: random.chance(0.2) ? 1_000 : 0 },
      ...{ duplicated: 0, swapped: 0, dropped: 0, lagMs: 0, replayBytes: Infinity, newTopics: Infinity },
    };
    const note = (line: string): void => this.note(line);
    const count = (fault: string): void => this.count(fault);
    this.server = new SimServer(this.schedule, random, manners, count, note);
    this.server.skewMs = random.chance(0.5) ? 0 : random.int(-2 * HOUR_MS, 2 * HOUR_MS);
    this.devices = Array.from({ length: random.pick([2, 2, 3, 3, 4]) }, (_, at) => {
      const name = "ABCD"[at] ?? "";
      // Only over https can devices encrypt, and there all browsers have locks.
      const habits = { usesLocks: true, isShared: random.chance(0.5), name };
      const sim = new SimDevice(this.schedule, random, this.server, habits, {
        count,
        trace: note,
        watched: (method) => note(`${this.schedule.actor} ${method}`),
        shown: () => undefined,
        report: (problem) => {
          note(`report ${String(problem)}`);
          this.problems.push(problem instanceof Error ? problem.stack : JSON.stringify(problem));
        },
      });
      sim.skewMs = random.weighted([
        [4, 0],
        [4, random.int(-2 * HOUR_MS, 2 * HOUR_MS)],
        [1, random.pick([-1, 1]) * YEAR_MS],
      ]);
      const own = new OwnDevice(name, sim);
      sim.disk.onCommit = (stores) => {
        if (stores.contains("group")) this.#noteGroup(own);
      };
      return own;
    });
  }

  get awake(): OwnDevice[] {
    return this.devices.filter(({ isAsleep }) => !isAsleep);
  }

  /** Those that are in the group as far as the others know, too: who was away as it was removed may not know it. */
  get members(): OwnDevice[] {
    const those = this.devices.filter(({ group }) => group);
    const out = those.filter(({ group }) => this.out.has(group?.deviceId ?? ""));
    return those.filter((one) => !out.includes(one) || !those.some((other) => other.hasOut(one)));
  }

  count(fault: string): void {
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
    this.note(fault);
  }

  note(line: string): void {
    this.trace.add(`${this.schedule.nowMs} ${this.schedule.tasksRun} ${line}`);
  }

  pass(ms: number): Promise<void> {
    return this.schedule.advance(ms);
  }

  /** Sends a command and waits for its answer; undefined = there is none. */
  async ask<Name extends CommandName>(
    { tab }: OwnDevice,
    name: Name,
    input: Commands[Name]["input"],
  ): Promise<Commands[Name]["output"] | undefined> {
    let answer: Commands[Name]["output"] | undefined;
    tab.send(name, input, (output) => (answer = output));
    for (let tries = 0; answer === undefined && tries < 40; tries++) await this.pass(tries === 0 ? 0 : 250);
    this.note(`${name}: ${JSON.stringify(answer)}`);
    return answer;
  }

  async subscribe(one: OwnDevice, topics: string[]): Promise<void> {
    await this.ask(one, "subscribe", { address: this.server.address, topics, history: "all" });
  }

  async found(one: OwnDevice): Promise<void> {
    const started = await this.ask(one, "startGroup", { serverId: 1, deviceName: one.name });
    if (!started?.ok) throw new Error(`there is no group: ${JSON.stringify(started)}`);
  }

  /** Another device joins, by what both show. Resolves to whether it did. */
  async join(host: OwnDevice, newcomer: OwnDevice): Promise<boolean> {
    const invited = await this.ask(host, "inviteDevice", {});
    if (!invited?.ok) return false;
    const { invitation } = invited.value;
    await this.pass(2 * SECOND_MS);
    const joined = await this.ask(newcomer, "joinGroup", { invitation, deviceName: newcomer.name });
    if (!joined?.ok) return false;
    await this.pass(2 * SECOND_MS);
    const [there, here] = [await this.ask(host, "deviceGroup", {}), await this.ask(newcomer, "deviceGroup", {})];
    const joining = there?.ok && there.value.kind === "member" ? there.value.joining : undefined;
    if (!joining) return false;
    if (here?.ok && here.value.kind === "joining" && here.value.digits !== joining.digits)
      throw new Broken("joining", `${joining.digits} here, ${here.value.digits} there`);
    await this.ask(host, "letIn", { deviceId: joining.deviceId, withSignIns: false });
    await this.pass(3 * SECOND_MS);
    return newcomer.group?.deviceId === joining.deviceId;
  }

  /** The user marks one message, or several at once. */
  mark(one: OwnDevice): void {
    const { random } = this;
    const rows = [...one.messages].filter(([, row]) => row.deletedAtMs === undefined);
    if (rows.length === 0) return;
    const [message, row] = random.pick(rows);
    const keys = [keyOf(row)];
    const kind = random.weighted([
      [6, "read"],
      [2, "done"],
      [2, "starred"],
      [1, "deleted"],
    ] as const);
    this.#act(one, message, row, (done) => {
      one.tab.send("mark", { keys, mark: { kind, on: row[MARKS[kind]] === undefined } }, done);
    });
  }

  /** The user takes the last mark back. */
  undo(one: OwnDevice): void {
    const { undo } = one;
    one.undo = undefined;
    if (!undo || undo.untilMs < this.schedule.nowMs) return;
    const message = [...one.messages].find(([, row]) => row.id === undo.row.id);
    if (!message) return;
    this.count("undone");
    this.#act(one, ...message, (done) => one.tab.send("undo", { undo: undo.undo }, done));
  }

  /** Notes how a command changes the marks of a message. */
  #act(one: OwnDevice, message: string, before: StoredMessage, send: (done: (output: Answer) => void) => void): void {
    const sentAtMs = this.schedule.nowMs;
    const wasUnsure = this.unsure.has(message);
    this.unsure.add(message);
    send((output) => {
      if (!output.ok) return;
      if (!wasUnsure) this.unsure.delete(message);
      const after = one.messages.get(message);
      const atMs = this.schedule.nowMs;
      if (output.value?.undo !== undefined && after)
        one.undo = { undo: output.value.undo, row: after, untilMs: atMs + UNDO_MS };
      const { group } = one;
      const aheadMs = one.sim.nowMs + (group?.aheadMs ?? Infinity) - (atMs + this.server.skewMs);
      const isSure = atMs === sentAtMs && Math.abs(aheadMs) < CLOCK_SLACK_MS;
      for (const kind of Object.keys(MARKS) as MarkName[]) {
        const isSet = after?.[MARKS[kind]] !== undefined;
        if (isSet === (before[MARKS[kind]] !== undefined)) continue;
        // It is later than the device's last mark of the same, whose stamp may have been wrong.
        const isSurelyNow = isSure && this.#lastOf(message, kind, group?.deviceId)?.isSure !== false;
        const how = isSurelyNow ? "" : ", unsure";
        this.note(`${one.name} ${isSet ? "sets" : "takes away"} ${kind} of ${message}${how}`);
        this.marks.push({ message, kind, isSet, atMs, deviceId: group?.deviceId, isSure: isSurelyNow });
      }
    });
  }

  #lastOf(message: string, kind: MarkName, deviceId: string | undefined): MarkNote | undefined {
    return this.marks.findLast((one) => one.message === message && one.kind === kind && one.deviceId === deviceId);
  }

  fallAsleep(one: OwnDevice): void {
    this.note(`${one.name} falls asleep`);
    one.isAsleep = true;
    one.sim.network.each((connection) => connection.cut());
    for (const { actor } of [...one.sim.tabs, ...one.sim.workers]) this.schedule.suspend(actor);
  }

  wake(one: OwnDevice): void {
    if (!one.isAsleep) return;
    this.note(`${one.name} wakes`);
    one.isAsleep = false;
    const keepsTimers = this.random.chance(0.3);
    for (const { actor } of [...one.sim.tabs, ...one.sim.workers]) this.schedule.wake(actor, keepsTimers);
    one.tab.send("resume", {});
  }

  /** Ends all faults, and everything wakes. */
  async calm(): Promise<void> {
    Object.assign(this.server.manners, { duplicated: 0, swapped: 0, dropped: 0 });
    this.server.messagesLeft = Infinity;
    this.server.start();
    for (const one of this.devices) {
      one.sim.network.faults = NO_FAULTS;
      one.sim.network.each((connection) => connection.spare());
      this.wake(one);
    }
    await this.pass(SECOND_MS);
    for (const one of this.devices) {
      one.tab.send("setOnline", { online: true });
      one.tab.send("resume", {});
    }
  }

  #noteGroup(own: OwnDevice): void {
    const { group } = own;
    if (!group) return;
    this.keys.set(group.topic, group.key);
    const came = `${group.deviceId} ${group.topic}`;
    if (!this.cameAtMs.has(came)) this.cameAtMs.set(came, this.schedule.nowMs + this.server.skewMs);
  }
}

type Answer = { ok: false } | { ok: true; value: { undo?: string } | null };

const keyOf = ({ subId, time, id }: StoredMessage): MessageKey => [subId, time, id];
