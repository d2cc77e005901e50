import { describe, expect, test, vi } from "vitest";
import { HubConnection, type HubConnectionEnvironment } from "../../src/client/hub-connection";
import type { WorkerPort } from "../../src/client/open-worker";
import { CONTRACT_VERSION, type Commands, type HubEvent, type PageMessage } from "../../src/contract";
import { VirtualTime } from "../hub/virtual-time";

const PONG: Commands["ping"]["output"] = { build: "7", mode: "database", leading: true };

vi.stubGlobal("sessionStorage", { setItem: () => undefined, removeItem: () => undefined });

/** A worker for which a test gives the answers. */
class FakeWorker implements WorkerPort {
  readonly posted: PageMessage[] = [];
  isClosed = false;
  isHung = false;
  mode: "database" | "memory" = "database";

  constructor(
    readonly kind: HubConnection["kind"],
    readonly name: string,
    readonly failed: () => void,
  ) {}

  onmessage: WorkerPort["onmessage"] = null;

  close(): void {
    this.isClosed = true;
  }

  postMessage(message: PageMessage): void {
    this.posted.push(message);
    if (message.name === "ping" && !this.isHung) this.answer(message.id, { ...PONG, mode: this.mode });
  }

  answer(id: number, output: unknown, version = CONTRACT_VERSION): void {
    queueMicrotask(() => this.say({ version, kind: "answer", id, output }));
  }

  say(data: unknown): void {
    this.onmessage?.({ data } as MessageEvent);
  }

  named(name: PageMessage["name"]): PageMessage[] {
    return this.posted.filter((message) => message.name === name);
  }
}

interface Plan {
  hasSharedWorkers?: boolean;
  /** Where the hub keeps rows. */
  mode?: "database" | "memory";
  /** Which workers never answer, by the order in which they are opened. */
  hung?: (index: number) => boolean;
  /** Default: at once. */
  mayStart?: Promise<void>;
}

async function world({
  hasSharedWorkers = true,
  mode = "database",
  hung = () => false,
  mayStart = Promise.resolve(),
}: Plan = {}) {
  const time = new VirtualTime();
  const workers: FakeWorker[] = [];
  const heard: HubEvent[] = [];
  const pongs: unknown[] = [];
  const environment: HubConnectionEnvironment = {
    hasSharedWorkers,
    mayStart,
    build: "7",
    setTimer: time.setTimer,
    clearTimer: time.clearTimer,
    openWorker: (kind, name, failed) => {
      const worker = new FakeWorker(kind, name, failed);
      worker.isHung = hung(workers.length);
      worker.mode = mode;
      workers.push(worker);
      return worker;
    },
  };
  const hub = new HubConnection(environment, {
    event: (event) => heard.push(event),
    pong: (pong) => pongs.push(pong),
  });
  await Promise.resolve();
  return { time, workers, heard, pongs, hub };
}

describe("the connection to the hub", () => {
  test("opens no worker before the start, and then sends what was asked meanwhile, once and in order", async () => {
    let go: () => void = () => undefined;
    const { time, workers, hub, pongs } = await world({ mayStart: new Promise((resolve) => (go = resolve)) });
    void hub.queue("setOnline", { online: false });
    void hub.queue("status", {});
    await time.advance(120_000);
    expect(workers).toEqual([]);
    go();
    await time.settle();
    void hub.send("tryNow", { serverId: 1 });
    expect(workers[0]?.posted.map(({ name }) => name)).toEqual(["setOnline", "status", "ping", "tryNow"]);
    expect(pongs).toEqual([PONG]);
  });

  test("opens the worker before the start for a command that can't wait", async () => {
    const { workers, hub } = await world({ mayStart: new Promise(() => undefined) });
    void hub.queue("setOnline", { online: false });
    void hub.send("tryNow", { serverId: 1 });
    expect(workers[0]?.posted.map(({ name }) => name)).toEqual(["setOnline", "ping", "tryNow"]);
  });

  test("opens no worker if it is closed before the start", async () => {
    let go: () => void = () => undefined;
    const { time, workers, hub } = await world({ mayStart: new Promise((resolve) => (go = resolve)) });
    hub.close();
    go();
    await time.settle();
    expect(workers).toEqual([]);
  });

  test("is pinged by one chain of timers even if its tab was hidden before the worker was opened", async () => {
    let go: () => void = () => undefined;
    const { time, workers, hub } = await world({ mayStart: new Promise((resolve) => (go = resolve)) });
    hub.setVisible(false);
    await time.advance(1_000);
    go();
    await time.advance(600_000);
    expect(workers[0]?.named("ping")).toHaveLength(11);
    expect(workers).toHaveLength(1);
  });

  test("joins the shared worker of this build and matches answers to commands", async () => {
    const { time, workers, hub, pongs } = await world();
    expect(workers.map(({ kind, name }) => [kind, name])).toEqual([["shared", "earshot 7 0"]]);
    await time.settle();
    expect(pongs).toEqual([PONG]);
    const first = hub.send("tryNow", { serverId: 1 });
    const second = hub.send("tryNow", { serverId: 2 });
    const [one, two] = workers[0]?.named("tryNow") ?? [];
    workers[0]?.answer(two?.id ?? 0, "second");
    workers[0]?.answer(one?.id ?? 0, "first");
    expect(await Promise.all([first, second])).toEqual(["first", "second"]);
  });

  test("takes a worker of its own if there are no shared workers", async () => {
    const { workers, hub } = await world({ hasSharedWorkers: false });
    expect(workers[0]?.kind).toBe("dedicated");
    expect(hub.kind).toBe("dedicated");
  });

  test("takes a worker of its own when the shared one can't be loaded", async () => {
    const { time, workers } = await world({ hung: (index) => index === 0 });
    workers[0]?.failed();
    await time.settle();
    expect(workers.map(({ kind }) => kind)).toEqual(["shared", "dedicated"]);
    workers[1]?.failed();
    expect(workers).toHaveLength(2);
  });

  test("starts a new worker when a ping goes unanswered, and sends it the commands that may be sent twice", async () => {
    const { time, workers, hub } = await world();
    await time.settle();
    const [hung] = workers;
    if (!hung) throw new Error("no worker");
    hung.isHung = true;
    const mark = hub.send("mark", { keys: [[1, 9, "m"]], mark: { kind: "read", on: true } });
    const publish = hub.send("publish", { address: "https://x.example" as never, topic: "a", message: "once" });
    await time.advance(26_000);
    expect(hung.isClosed).toBe(true);
    expect(workers.map(({ name }) => name)).toEqual(["earshot 7 0", "earshot 7 1"]);
    expect(await publish).toEqual({ ok: false, error: { kind: "failed", why: { kind: "silent" } } });
    expect(workers[1]?.named("publish")).toEqual([]);
    const [again] = workers[1]?.named("mark") ?? [];
    workers[1]?.answer(again?.id ?? 0, { ok: true, value: { keys: [] } });
    expect(await mark).toEqual({ ok: true, value: { keys: [] } });
    hung.answer(again?.id ?? 0, "late and ignored");
    await time.settle();
  });

  test("waits for 30 s for a worker with rows in memory, as they would be lost with it", async () => {
    const { time, workers } = await world({ mode: "memory" });
    await time.settle();
    const [first] = workers;
    if (!first) throw new Error("no worker");
    first.isHung = true;
    await time.advance(39_000);
    const ping = first.named("ping").at(-1);
    first.answer(ping?.id ?? 0, { ...PONG, mode: "memory" });
    await time.settle();
    expect(workers).toHaveLength(1);
    await time.advance(41_000);
    expect(workers).toHaveLength(2);
  });

  test("says once the next worker answers that changes of the last one may have been missed", async () => {
    const { time, workers, heard } = await world();
    await time.settle();
    expect(heard).toEqual([]);
    const [first] = workers;
    if (!first) throw new Error("no worker");
    first.isHung = true;
    await time.advance(120_000);
    expect(heard).toEqual([{ kind: "missed" }]);
  });

  test("sends the next worker the commands that hold until changed", async () => {
    const { time, workers, hub } = await world();
    await time.settle();
    void hub.send("setOnline", { online: false });
    void hub.send("setAlerting", { able: false });
    void hub.send("setAlerting", { able: true });
    const [first] = workers;
    if (!first) throw new Error("no worker");
    for (const { id } of first.posted.filter(({ name }) => name !== "ping"))
      first.answer(id, { ok: true, value: null });
    await time.settle();
    first.isHung = true;
    await time.advance(26_000);
    expect(workers[1]?.named("setOnline").map(({ input }) => input)).toEqual([{ online: false }]);
    expect(workers[1]?.named("setAlerting").map(({ input }) => input)).toEqual([{ able: true }]);
  });

  test("gives a new worker time to load, and leaves shared ones for good after three that hang", async () => {
    const { time, workers } = await world({ hung: (index) => index < 3 });
    await time.advance(7_000);
    expect(workers).toHaveLength(1);
    await time.advance(60_000);
    expect(workers.map(({ kind }) => kind)).toEqual(["shared", "shared", "shared", "dedicated"]);
  });

  test("pings often while visible, seldom while hidden, never while frozen, and at once when that changes", async () => {
    const { time, workers, hub } = await world();
    const pings = () => workers[0]?.named("ping").length ?? 0;
    await time.advance(61_000);
    expect(pings()).toBe(7);
    hub.setVisible(false);
    expect(pings()).toBe(8);
    await time.advance(600_000);
    expect(pings()).toBe(18);
    hub.putAside("frozen");
    hub.setVisible(false);
    await time.advance(600_000);
    expect([pings(), hub.isAside]).toEqual([18, true]);
    hub.comeBack();
    hub.setVisible(true);
    expect([pings(), hub.isAside]).toEqual([20, false]);
    expect(workers).toHaveLength(1);
  });

  test("ends its own worker when the page is frozen, and starts it again with the unanswered commands", async () => {
    const { time, workers, heard, hub } = await world({ hasSharedWorkers: false });
    await time.settle();
    void hub.send("setOnline", { online: false });
    const [first] = workers;
    for (const { id } of first?.named("setOnline") ?? []) first?.answer(id, { ok: true, value: null });
    const mark = hub.send("mark", { keys: [[1, 9, "m"]], mark: { kind: "read", on: true } });
    hub.putAside("frozen");
    hub.setVisible(false);
    expect(first?.isClosed).toBe(true);
    await time.advance(600_000);
    expect(workers).toHaveLength(1);
    hub.comeBack();
    hub.setVisible(true);
    await time.settle();
    const second = workers[1];
    expect(second).toMatchObject({ kind: "dedicated", name: "earshot 7 0", isClosed: false });
    expect(second?.named("setOnline")).toMatchObject([{ input: { online: false } }]);
    const [again] = second?.named("mark") ?? [];
    second?.answer(again?.id ?? 0, { ok: true, value: { count: 0, undo: "" } });
    expect(await mark).toMatchObject({ ok: true });
    expect(heard).toEqual([{ kind: "missed" }]);
    await time.advance(120_000);
    expect(workers).toHaveLength(2);
  });

  test("a page that is left says that it shows no alerts and closes its connection; one that comes back opens it again", async () => {
    const { time, workers, heard, hub } = await world();
    await time.settle();
    void hub.send("setAlerting", { able: true });
    for (const { id } of workers[0]?.named("setAlerting") ?? []) workers[0]?.answer(id, { ok: true, value: null });
    await time.settle();
    hub.putAside("left");
    hub.putAside("frozen");
    expect(workers[0]?.named("setAlerting").map(({ input }) => input)).toEqual([{ able: true }, { able: false }]);
    expect([workers[0]?.isClosed, hub.isAside]).toEqual([true, true]);
    await time.advance(600_000);
    expect(workers).toHaveLength(1);
    hub.comeBack();
    hub.comeBack();
    await time.settle();
    expect(workers.map(({ name }) => name)).toEqual(["earshot 7 0", "earshot 7 0"]);
    expect(workers[1]?.named("setAlerting").map(({ input }) => input)).toEqual([{ able: true }]);
    expect(heard).toEqual([{ kind: "missed" }]);
  });

  test("notices that the worker is gone even if the only tab is hidden", async () => {
    const { time, workers, hub } = await world();
    await time.settle();
    hub.setVisible(false);
    const [first] = workers;
    if (!first) throw new Error("no worker");
    first.isHung = true;
    await time.advance(66_000);
    expect(workers.map(({ name }) => name)).toEqual(["earshot 7 0", "earshot 7 1"]);
  });

  test("passes events on, and ignores those of other versions", async () => {
    const { time, workers, heard, hub } = await world();
    const answer = hub.send("prune", {});
    const [prune] = workers[0]?.named("prune") ?? [];
    workers[0]?.say({ version: CONTRACT_VERSION, kind: "event", event: { kind: "catalogue" } });
    workers[0]?.say({ version: CONTRACT_VERSION + 1, kind: "event", event: { kind: "status" } });
    workers[0]?.say("not ours");
    workers[0]?.answer(prune?.id ?? 0, "other version", CONTRACT_VERSION + 1);
    workers[0]?.answer(prune?.id ?? 0, { ok: true, value: { removed: 0 } });
    await time.settle();
    expect(heard).toEqual([{ kind: "catalogue" }]);
    expect(await answer).toEqual({ ok: true, value: { removed: 0 } });
  });
});
