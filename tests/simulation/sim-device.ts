import type { StoredMessage } from "../../src/contract";
import type { Random } from "./random";
import type { Schedule } from "./schedule";
import { SimAir } from "./sim-air";
import { SimDisk } from "./sim-disk";
import { SimLocks } from "./sim-locks";
import { SimNetwork } from "./sim-network";
import type { SimServer } from "./sim-server";
import { SimTab } from "./sim-tab";
import { SimWorker } from "./sim-worker";

export interface DeviceHabits {
  /** Else every worker leads, as over plain http. */
  usesLocks: boolean;
  /** One worker for all tabs of a build; else each tab has one of its own. */
  isShared: boolean;
  /** Comes before the names of its tabs and workers, where there are several devices. */
  name?: string;
}

/** What the device tells of what goes on in it. */
export interface DeviceEvents {
  count(fault: string): void;
  trace(line: string): void;
  /** A store's method was answered. */
  watched(method: string, args: unknown[], result: unknown): void;
  /** A tab shows notifications. */
  shown(rows: StoredMessage[]): void;
  report(problem: unknown): void;
}

/** A device: its clock, disk, network, locks, tabs and workers. */
export class SimDevice {
  readonly disk: SimDisk;
  /** Device clock, ms, when a tab last heard that polls stand in for a stream. */
  polledAtMs = -Infinity;
  readonly network: SimNetwork;
  readonly locks: SimLocks;
  readonly air: SimAir;
  readonly usesLocks: boolean;
  readonly isShared: boolean;
  /** Device clock minus true time, ms. */
  skewMs = 0;
  /** There were times in which tabs could show nothing. */
  hasSlept = false;
  tabs: SimTab[] = [];
  workers: SimWorker[] = [];
  readonly watched: DeviceEvents["watched"];
  readonly shown: DeviceEvents["shown"];
  readonly report: DeviceEvents["report"];
  readonly #count: (fault: string) => void;
  readonly #name: string;
  #numbers = 0;

  constructor(
    readonly schedule: Schedule,
    readonly random: Random,
    server: SimServer,
    { usesLocks, isShared, name = "" }: DeviceHabits,
    { count, trace, watched, shown, report }: DeviceEvents,
  ) {
    this.usesLocks = usesLocks;
    this.isShared = isShared;
    this.#name = name;
    this.#count = count;
    this.watched = watched;
    this.shown = shown;
    this.report = report;
    this.disk = new SimDisk(schedule, random, count);
    this.network = new SimNetwork(schedule, random, server, count, trace);
    this.locks = new SimLocks(schedule);
    this.air = new SimAir(schedule);
  }

  get nowMs(): number {
    return this.schedule.nowMs + this.skewMs;
  }

  openTab(build = "1"): SimTab {
    const tab: SimTab = new SimTab(this, `${this.#name}tab${++this.#numbers}`, () => this.#workerFor(build));
    this.tabs.push(tab);
    return tab;
  }

  /** Closes a tab; a worker of its own, or a shared one without tabs, ends with it. */
  closeTab(tab: SimTab): void {
    tab.isClosed = true;
    this.tabs = this.tabs.filter((one) => one !== tab);
    this.disk.forget(tab.actor);
    this.schedule.kill(tab.actor);
    this.air.forget(tab.actor);
    for (const worker of this.workers) {
      if (!this.tabs.some((one) => one.worker === worker)) this.kill(worker);
    }
  }

  /** A worker ends without notice, in the middle of whatever it does. */
  kill(worker: SimWorker): void {
    if (worker.isDead) return;
    worker.isDead = true;
    this.workers = this.workers.filter((one) => one !== worker);
    this.disk.forget(worker.actor);
    this.schedule.kill(worker.actor);
    this.locks.forget(worker.actor);
    this.air.forget(worker.actor);
    this.network.forget(worker.actor);
  }

  /** A frozen page's worker stops, and keeps what it holds. */
  freeze(worker: SimWorker): void {
    this.#count("worker frozen");
    this.schedule.suspend(worker.actor);
  }

  thaw(worker: SimWorker): void {
    this.schedule.wake(worker.actor);
  }

  /** The whole device sleeps: time goes on without its timers. */
  async sleep(ms: number, keepsTimers: boolean): Promise<void> {
    this.hasSlept = true;
    await this.schedule.drain();
    const actors = [...this.tabs, ...this.workers].map(({ actor }) => actor);
    const awake = actors.filter((actor) => !this.schedule.isAsleep(actor));
    for (const actor of awake) this.schedule.suspend(actor);
    await this.schedule.advance(ms);
    for (const actor of awake) this.schedule.wake(actor, keepsTimers);
    await this.schedule.drain();
  }

  #workerFor(build: string): SimWorker {
    const shared = this.isShared
      ? this.workers.find((one) => one.build === build && !this.schedule.isAsleep(one.actor))
      : undefined;
    if (shared) return shared;
    const worker = new SimWorker(this, `${this.#name}worker${++this.#numbers}`, build);
    this.workers.push(worker);
    return worker;
  }
}
