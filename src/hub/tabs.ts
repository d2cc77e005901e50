import { type Commands, CONTRACT_VERSION, type HubEvent, type WorkerMessage } from "../contract";
import type { Environment } from "./environment";

/** A port that has said nothing for this long, ms, may belong to a closed or frozen tab; tabs in sight ping. */
const PORT_ALIVE_MS = 60_000;

/** A tab's connection to the hub: a port, or the scope of a dedicated worker. */
export interface Port {
  postMessage(message: WorkerMessage): void;
  onmessage: ((event: MessageEvent) => unknown) | null;
}

type Alerting = Commands["setAlerting"]["input"];

const hasFocus = ({ alerting }: Tab): number => Number(alerting.hasFocus ?? false);

/** What is known about the tab at the other end of a port. */
interface Tab {
  /** When the tab was last heard, device clock, ms. */
  heardMs: number;
  /** What the tab last said of alerts: only with the focus may its user be seeing a message arrive. */
  alerting: Alerting;
  /** Whether the tab left an alert unconfirmed: it counts as gone or frozen until it says something. */
  isDoubted: boolean;
}

/** A tab that an alert can be handed to. */
export interface AlertTaker {
  post(event: HubEvent): void;
  /** Records that the tab didn't confirm in time. */
  missed(): void;
}

/** The tabs that a hub serves. A port never says that its tab is gone. */
export class Tabs {
  readonly #tabs = new Map<Port, Tab>();

  constructor(private readonly environment: Environment) {}

  /** Adds a tab, and forgets quiet ports, which would pile up over weeks; one that speaks again is added back. */
  add(port: Port): void {
    const nowMs = this.environment.now();
    // In memory mode rows are sent over the ports, so all of them stay.
    for (const [other, { heardMs, alerting, isDoubted }] of this.#tabs) {
      const isSilent = nowMs - heardMs >= PORT_ALIVE_MS && this.environment.mode === "database";
      // Tabs out of sight don't ping, but they are the ones that alerts are for.
      if (isSilent && (!alerting.able || isDoubted)) this.#tabs.delete(other);
    }
    this.heard(port);
  }

  /** Records that the tab at this port is alive. Returns whether alerts can be handed to it from now on, or again. */
  heard(port: Port, said?: Alerting): boolean {
    const before = this.#tabs.get(port);
    const alerting = said ?? before?.alerting ?? { able: false };
    this.#tabs.set(port, { heardMs: this.environment.now(), alerting, isDoubted: false });
    return alerting.able && (!before?.alerting.able || before.isDoubted);
  }

  /** Tabs that alerts can be handed to: first what has the focus, then the most recently heard. */
  takers(): AlertTaker[] {
    return [...this.#tabs]
      .filter(([, { alerting, isDoubted }]) => alerting.able && !isDoubted)
      .sort(([, a], [, b]) => hasFocus(b) - hasFocus(a) || b.heardMs - a.heardMs)
      .map(([port, tab]) => ({
        post: (event) => this.tell(port, event),
        missed: () => void (tab.isDoubted = true),
      }));
  }

  tell(port: Port, event: HubEvent): void {
    port.postMessage({ version: CONTRACT_VERSION, kind: "event", event });
  }

  tellAll(event: HubEvent): void {
    for (const port of this.#tabs.keys()) this.tell(port, event);
  }
}
