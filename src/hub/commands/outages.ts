import { decodeAlertRules, isMuted, quietState, type ConnectionState, type ServerStatus } from "../../contract";
import type { Alerts } from "../alerts/alerts";
import { every, isRecent } from "../environment";
import type { CommandContext } from "./context";

/** How often, ms, servers are checked; the shortest time that can be set is four times as long. */
const LOOK_EVERY_MS = 15_000;

/** After this long without a check, ms, the device slept: nothing is known about the servers since. */
const SLEPT_AFTER_MS = 180_000;

/** If all servers were lost within this time, ms, the device's own network is assumed to be the cause. */
const TOGETHER_MS = 60_000;

/** Since when each server has been out of reach, device clock, ms, by serverId. */
export type AwaySince = ReadonlyMap<number, number>;

/** Which servers are out of reach, given those of the previous check. */
export function awayAfter(before: AwaySince, statuses: readonly ServerStatus[], nowMs: number): AwaySince {
  const away = statuses.filter(({ state }) => isAway(state));
  return new Map(away.map(({ serverId }) => [serverId, before.get(serverId) ?? nowMs]));
}

/** Whether the browser is offline or all servers went at once; with a single server nobody can tell. */
export function isOwnNetwork(away: AwaySince, statuses: readonly ServerStatus[]): boolean {
  if (statuses.some(({ state }) => state.kind === "offline")) return true;
  const sinces = [...away.values()];
  return (
    statuses.length > 1 && sinces.length === statuses.length && Math.max(...sinces) - Math.min(...sinces) <= TOGETHER_MS
  );
}

/** Whether nothing answers at the server's address. A server that refuses, stops or asks to slow down does answer. */
function isAway(state: ConnectionState): boolean {
  if (state.kind === "connecting") return state.why?.kind !== "busy";
  return state.kind === "waiting" && state.why.kind !== "busy";
}

/** Tells once that a server has been out of reach for the set time, and once that it is back. Stores what was told. */
export class Outages {
  #away: AwaySince = new Map();
  /** The servers reported as out of reach, and since when they were; undefined = not read yet. */
  #told: Map<number, number> | undefined;
  #lookedAtMs = -Infinity;

  constructor(
    private readonly context: CommandContext,
    private readonly alerts: Alerts,
  ) {}

  start(): void {
    const { environment } = this.context;
    every(environment, LOOK_EVERY_MS, () => void this.#look().catch(environment.report));
  }

  async #look(): Promise<void> {
    const { environment, isLeading, statuses: statusesNow } = this.context;
    const nowMs = environment.now();
    const isKnown = isLeading() && isRecent(environment, this.#lookedAtMs, SLEPT_AFTER_MS);
    this.#lookedAtMs = nowMs;
    if (!isKnown) this.#away = new Map();
    if (!isLeading()) {
      this.#told = undefined;
      return;
    }
    const statuses = statusesNow();
    this.#away = awayAfter(this.#away, statuses, nowMs);
    this.#told ??= await this.#readTold();
    await this.#tellBack(statuses);
    await this.#tellAway(statuses, nowMs);
  }

  async #readTold(): Promise<Map<number, number> | undefined> {
    const servers = await this.context.environment.store.servers();
    // What can't be read now is read in the next round.
    if (!servers.ok) return undefined;
    const told = servers.value.flatMap(({ serverId, outageToldSinceMs }): [number, number][] =>
      outageToldSinceMs === undefined ? [] : [[serverId, outageToldSinceMs]],
    );
    return new Map(told);
  }

  async #tellBack(statuses: readonly ServerStatus[]): Promise<void> {
    const { store, now } = this.context.environment;
    for (const [serverId, sinceMs] of [...(this.#told ?? [])]) {
      const state = statuses.find((status) => status.serverId === serverId)?.state;
      if (state?.kind !== "live") continue;
      this.#told?.delete(serverId);
      await store.patchServer(serverId, { outageToldSinceMs: null });
      this.alerts.tell({ kind: "outage", serverId, sinceMs, backAtMs: now() });
    }
  }

  async #tellAway(statuses: readonly ServerStatus[], nowMs: number): Promise<void> {
    const told = this.#told;
    const { store } = this.context.environment;
    const untold = [...this.#away].filter(([serverId]) => told && !told.has(serverId));
    // Usually every server is there, and no setting need be read.
    if (!told || !untold.some(([, sinceMs]) => nowMs - sinceMs >= TOGETHER_MS)) return;
    const settings = await store.settings();
    if (!settings.ok || !settings.value.alerts || isOwnNetwork(this.#away, statuses)) return;
    const { outageAfterMin, mutedUntilMs, quietHours } = decodeAlertRules(settings.value.alertRules);
    if (outageAfterMin === undefined || isMuted(mutedUntilMs, nowMs)) return;
    // The outage is reported when they end, if it lasts that long.
    if (quietHours && quietState(quietHours, nowMs).kind === "quiet") return;
    for (const [serverId, sinceMs] of untold) {
      if (nowMs - sinceMs < outageAfterMin * 60_000) continue;
      told.set(serverId, sinceMs);
      await store.patchServer(serverId, { outageToldSinceMs: sinceMs });
      this.alerts.tell({ kind: "outage", serverId, sinceMs });
    }
  }
}
