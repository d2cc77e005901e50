import type { Port } from "../../src/hub";
import { type CommandName, type Commands, CONTRACT_VERSION, type HubEvent } from "../../src/contract";
import type { SimDevice } from "./sim-device";
import { TabView } from "./tab-view";
import type { SimWorker, ToTab } from "./sim-worker";

/** The same intervals as in the page (client, `hub-connection.ts`). */
const PING_EVERY_MS = 20_000;
const ANSWER_WITHIN_MS = 8_000;

/** A tab: pings its worker, goes on to another when it does not answer, and shows the alerts it is handed. */
export class SimTab {
  readonly actor: string;
  worker: SimWorker;
  isClosed = false;
  #isInSight = true;
  view: TabView | undefined;
  readonly #device: SimDevice;
  readonly #openWorker: () => SimWorker;
  readonly #answers = new Map<number, (output: unknown) => void>();
  #send: (data: unknown) => void = () => undefined;
  #nextId = 1;

  constructor(device: SimDevice, actor: string, openWorker: () => SimWorker) {
    this.#device = device;
    this.actor = actor;
    this.#openWorker = openWorker;
    this.worker = openWorker();
    device.air.open(actor).listen((message) => {
      const { kind, event } = message as { kind: string; event: HubEvent };
      if (kind === "event") this.#hear(event);
    });
    device.schedule.enqueue(actor, () => {
      this.view = new TabView(device.disk.factoryFor(actor), () => device.nowMs);
    });
    this.#attach();
    this.#ping();
  }

  /** The user looks at it, or at something else. */
  show(isInSight: boolean): void {
    this.#isInSight = isInSight;
    this.send("ping", { inSight: isInSight });
  }

  /** `done` gets the output, if the worker lives that long. */
  send<Name extends CommandName>(
    name: Name,
    input: Commands[Name]["input"],
    done: (output: Commands[Name]["output"]) => void = () => undefined,
  ): void {
    if (this.isClosed) return;
    const id = this.#nextId++;
    this.#answers.set(id, done as (output: unknown) => void);
    this.#send({ version: CONTRACT_VERSION, id, name, input });
  }

  #attach(): void {
    const { schedule } = this.#device;
    const { worker } = this;
    let hubHears: Port["onmessage"] = null;
    const early: unknown[] = [];
    const port: Port = {
      postMessage: (message: ToTab) => {
        const copy = structuredClone(message);
        schedule.enqueue(this.actor, () => {
          if (this.worker === worker) this.#receive(copy);
        });
      },
      get onmessage() {
        return hubHears;
      },
      set onmessage(hear) {
        hubHears = hear;
        for (const data of early.splice(0)) hear?.({ data } as MessageEvent);
      },
    };
    this.#send = (data) => {
      const copy: unknown = structuredClone(data);
      schedule.enqueue(worker.actor, () => (hubHears ? hubHears({ data: copy } as MessageEvent) : early.push(copy)));
    };
    schedule.enqueue(worker.actor, () => worker.attach(port));
    this.send("setAlerting", { able: true });
  }

  #ping(isNext = false): void {
    const { schedule } = this.#device;
    const worker = this.worker;
    const timer = schedule.after(this.actor, ANSWER_WITHIN_MS, () => {
      // The worker does not answer: go on to the next generation.
      if (this.worker !== worker || this.isClosed) return;
      this.worker = this.#openWorker();
      this.#attach();
      this.#ping(true);
    });
    this.send("ping", { inSight: this.#isInSight }, () => {
      schedule.cancel(timer);
      if (isNext) this.#hear({ kind: "missed" });
      schedule.after(this.actor, PING_EVERY_MS, () => this.#ping());
    });
  }

  #receive(message: ToTab): void {
    if (message.kind === "event") return this.#hear(message.event);
    this.#answers.get(message.id)?.(message.output);
    this.#answers.delete(message.id);
  }

  #hear(event: HubEvent): void {
    this.view?.hear(event);
    const state = event.kind === "status" ? event.status.state : undefined;
    if (state?.kind === "live" && state.transport === "poll") this.#device.polledAtMs = this.#device.nowMs;
    // A tab that slept in the meantime leaves the alert to the others.
    if (event.kind !== "alert" || this.#device.nowMs > event.untilMs) return;
    this.#device.shown(event.rows);
    this.send("confirmAlert", { alertId: event.alertId });
  }
}
