import { Hub, type Port, type Environment } from "../../src/hub";
import type { WorkerMessage } from "../../src/contract";
import { openStore, type Store } from "../../src/store";
import type { SimDevice } from "./sim-device";

/** Methods whose results are recorded in the books. */
type Watched = (method: string, args: unknown[], result: unknown) => void;

/** A worker with a hub in it, that can be killed or frozen at any moment. */
export class SimWorker {
  readonly actor: string;
  readonly build: string;
  isDead = false;
  hub: Hub | undefined;
  readonly #device: SimDevice;
  #waiting: Port[] = [];

  constructor(device: SimDevice, actor: string, build: string) {
    this.#device = device;
    this.actor = actor;
    this.build = build;
    device.schedule.enqueue(actor, () => void this.#start());
  }

  /** A tab connects. */
  attach(port: Port): void {
    if (this.hub) this.hub.attach(port);
    else this.#waiting.push(port);
  }

  async #start(): Promise<void> {
    const { schedule, random, disk, network, locks, air, usesLocks } = this.#device;
    const { actor } = this;
    const opened = await openStore({
      indexedDB: disk.factoryFor(actor),
      onEnd: () => this.hub?.stop(),
    });
    if (!opened.ok) throw new Error(`the database can't be opened: ${opened.error.text}`);
    const report = (problem: unknown): void => {
      if (!this.isDead) this.#device.report(problem);
    };
    const environment: Environment = {
      fetch: network.fetchFor(actor),
      connectWebSocket: network.webSocketFor(actor),
      now: () => schedule.nowMs + this.#device.skewMs,
      setTimer: (run: () => void, delayMs: number) => schedule.after(actor, delayMs, run),
      clearTimer: (timer: unknown) => schedule.cancel(timer as undefined),
      random: () => random.next(),
      randomBytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(random.next() * 256)),
      channel: air.open(actor),
      store: this.#mortal(opened.value, this.#device.watched),
      mode: "database",
      isBlocked: () => Promise.resolve(false),
      build: this.build,
      locks: usesLocks ? locks.managerFor(actor) : undefined,
      report,
    };
    this.hub = new Hub(environment, actor);
    this.hub.start();
    for (const port of this.#waiting.splice(0)) this.hub.attach(port);
  }

  /** After its death, none of its requests is answered. */
  #mortal(store: Store, watched: Watched): Store {
    const isDead = (): boolean => this.isDead;
    const never = new Promise<never>(() => undefined);
    return new Proxy(store, {
      get(target, name: keyof Store) {
        const value = target[name] as unknown;
        if (typeof value !== "function") return value;
        return async (...args: unknown[]): Promise<unknown> => {
          if (isDead()) return never;
          const result: unknown = await (value as (...args: unknown[]) => unknown).apply(target, args);
          // The write is done, even if its caller is dead.
          watched(name, args, result);
          return isDead() ? never : result;
        };
      },
    });
  }
}

/** What a tab is told. */
export type ToTab = WorkerMessage;
