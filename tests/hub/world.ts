import "../simulation/fast-database";
import { IDBFactory } from "fake-indexeddb";
import "fake-indexeddb/auto";
import { Hub, type Channel, type Port, type Environment } from "../../src/hub";
import {
  type CommandName,
  type Commands,
  CONTRACT_VERSION,
  type FeedList,
  type HubEvent,
  type ServerStatus,
  type StoredMessage,
  type SubscribeInput,
  type WorkerMessage,
} from "../../src/contract";
import { openStore, type Page, type Store } from "../../src/store";
import { FakeServer } from "./fake-server";
import { VirtualTime } from "./virtual-time";

export type Announced = HubEvent;

/** Transactions that write, of all databases. */
let writes = 0;
const begin = IDBDatabase.prototype.transaction;
IDBDatabase.prototype.transaction = function (names, mode, options) {
  if (mode === "readwrite") writes += 1;
  return begin.call(this, names, mode, options);
};

/** A broadcast channel between the hubs and tabs of one test: everyone but the sender hears a message, a turn later. */
export class Air {
  readonly #ends = new Set<Set<(message: unknown) => void>>();

  open(): Channel {
    const own = new Set<(message: unknown) => void>();
    this.#ends.add(own);
    return {
      post: (message) => {
        const copy: unknown = structuredClone(message);
        queueMicrotask(() => {
          for (const end of this.#ends) if (end !== own) for (const listener of [...end]) listener(copy);
        });
      },
      listen(listener) {
        own.add(listener);
        return () => own.delete(listener);
      },
    };
  }
}

/** A tab: sends commands to its hub and receives the announcements of all hubs. */
export class Tab {
  readonly events: Announced[] = [];
  readonly #answers = new Map<number, (output: unknown) => void>();
  #send: (data: unknown) => void = () => undefined;
  #nextId = 1;
  readonly #until: (isDone: () => boolean) => Promise<void>;

  /** @param until lets time pass until something is done */
  constructor(hub: Hub, air: Air, until: (isDone: () => boolean) => Promise<void>) {
    this.#until = until;
    air.open().listen((message) => {
      const { kind, event } = message as { kind: string; event: Announced };
      if (kind === "event") this.events.push(event);
    });
    const port: Port = {
      onmessage: null,
      postMessage: (message: WorkerMessage) => {
        const copy = structuredClone(message);
        if (copy.kind === "event") this.events.push(copy.event);
        else this.#answers.get(copy.id)?.(copy.output);
      },
    };
    hub.attach(port);
    this.#send = (data) => void port.onmessage?.({ data } as MessageEvent);
  }

  /** Sends a command and lets time pass until its answer comes, a few virtual minutes at most. */
  async send<Name extends CommandName>(name: Name, input: Commands[Name]["input"]): Promise<Commands[Name]["output"]> {
    const id = this.#nextId++;
    let output: Commands[Name]["output"] | undefined;
    let isAnswered = false;
    this.#answers.set(id, (answer) => {
      isAnswered = true;
      output = answer as Commands[Name]["output"];
    });
    this.#send({ version: CONTRACT_VERSION, id, name, input });
    await this.#until(() => isAnswered);
    return output as Commands[Name]["output"];
  }

  get newestStatus(): ServerStatus | undefined {
    const event = this.events.findLast((one) => one.kind === "status");
    return event?.kind === "status" ? event.status : undefined;
  }

  /** Texts of the rows that the hubs announced as new. */
  get added(): string[] {
    return this.events.flatMap((event) => (event.kind === "rows" ? event.added.map((row) => row.event.message) : []));
  }
}

export interface HubOptions {
  /** Absent = each hub leads. */
  locks?: LockManager;
  build?: string;
  random?: () => number;
  hubId?: string;
  channel?: Channel;
  savesData?: () => boolean;
  /** How far the device's clock is ahead, ms. */
  aheadMs?: number;
  /** Wraps the store to replace parts of it for the hub. */
  wrapStore?: (store: Store) => Store;
}

/** A store with some of its methods replaced. A copy of a store has only those methods that are there at once. */
export function over(store: Store, replaced: Partial<Store>): Store {
  return new Proxy(store, { get: (target, name: keyof Store) => replaced[name] ?? target[name] });
}

/** A device with its database, a topic server, and virtual time. */
export class World {
  readonly time: VirtualTime;
  readonly server: FakeServer;
  readonly air = new Air();
  readonly indexedDB = new IDBFactory();
  readonly problems: unknown[] = [];
  /** What the browser lets the page not reach. */
  readonly blocked = new Set<string>();
  store!: Store;
  #hubs = 0;

  /** @param other a device in the same time, with the same server */
  constructor(other?: World) {
    this.time = other?.time ?? new VirtualTime();
    this.server = other?.server ?? new FakeServer(this.time);
  }

  static async make(other?: World): Promise<World> {
    const world = new World(other);
    world.store = await world.openStore();
    return world;
  }

  async openStore(): Promise<Store> {
    const opened = await openStore({
      indexedDB: this.indexedDB,
    });
    if (!opened.ok) throw new Error(opened.error.text);
    return opened.value;
  }

  environment(options: HubOptions = {}): Environment {
    const { now, setTimer, clearTimer } = this.time;
    const { aheadMs = 0 } = options;
    return {
      now: () => now() + aheadMs,
      setTimer,
      clearTimer,
      fetch: this.server.fetch,
      connectWebSocket: this.server.connectWebSocket,
      random: options.random ?? (() => 0.5),
      randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
      locks: options.locks,
      channel: options.channel ?? this.air.open(),
      store: options.wrapStore ? over(this.store, options.wrapStore(this.store)) : this.store,
      isBlocked: (address) => Promise.resolve(this.blocked.has(address)),
      ...(options.savesData && { savesData: options.savesData }),
      mode: "database",
      build: options.build ?? "1",
      report: (problem) => void this.problems.push(problem),
    };
  }

  /** Starts a worker's hub. */
  startHub(options: HubOptions = {}): Hub {
    const hub = new Hub(this.environment(options), options.hubId ?? `hub${++this.#hubs}`);
    hub.start();
    return hub;
  }

  /** Opens a tab on a hub. */
  openTab(hub: Hub): Tab {
    return new Tab(hub, this.air, async (isDone) => {
      await this.time.settle();
      for (let seconds = 0; !isDone() && seconds < 300; seconds++) await this.time.advance(1_000);
      if (!isDone()) throw new Error("no answer");
    });
  }

  /** Opens a tab with a hub of its own, and subscribes. */
  async subscribed(topics: string[], input: Partial<SubscribeInput> = {}, options: HubOptions = {}) {
    const hub = this.startHub(options);
    const tab = this.openTab(hub);
    const answer = await tab.send("subscribe", { address: this.server.address, topics, history: "all", ...input });
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    await this.time.settle();
    return { hub, tab, subIds: answer.value.subIds };
  }

  /** How many transactions that write have begun. While it stays the same, what is stored does too. */
  get writes(): number {
    return writes;
  }

  /** Texts of the whole feed, newest first. */
  async feed(): Promise<string[]> {
    return (await this.rows("feed")).map((row) => row.event.message);
  }

  /** All rows of some lists, one list after the other, newest first. */
  async rows(...lists: FeedList[]): Promise<StoredMessage[]> {
    const rows: StoredMessage[] = [];
    for (const list of lists) {
      let from: Page["next"];
      do {
        const query = { list, direction: "older", count: 1_000, nowMs: this.time.now() } as const;
        const page = await this.store.reader.page({ ...query, ...(from && { from }) });
        rows.push(...page.rows);
        from = page.next;
      } while (from);
    }
    return rows;
  }
}
