import { SvelteMap } from "svelte/reactivity";
import {
  decodeAlertRules,
  PUSH_LOCK,
  pushLists,
  type CommandError,
  type PushFault,
  type PushState,
} from "../../contract";
import { fail, ok, pushScope, readPushKey, type Result } from "../../protocol";
import { within } from "../state/after-next-paint";
import type { App } from "../state/app.svelte";
import { pushStrings } from "../strings";
import {
  readClientScript,
  pushWorkerStrings,
  areSubscribed,
  endPushRegistrations,
  hasPush,
  isScopeOf,
  mustShowPushes,
  subscribePush,
  type SubscribeFault,
} from "./push-registrations";
import { askPermission, onPermissionChange, permission, type Permission } from "./permission.svelte";

export type PushTrouble = PushFault | SubscribeFault | CommandError;

/** The result of testing a server's pushes; if the push was lost, this device was registered anew. */
export type PushTest = { kind: "arrived"; afterMs: number } | { kind: "lost"; anew: Result<PushState, PushTrouble> };

/** Topics are changed one after the other; the server is told after this long, ms. */
const SYNC_AFTER_MS = 2_000;

/** A start this soon after the last registration, ms, doesn't repeat it: several tabs may have opened. */
const POSTED_LATELY_MS = 600_000;

/** A push that takes longer, ms, counts as lost. */
export const TEST_WITHIN_MS = 30_000;

/** A timer can't take a longer time, ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Why pushes are impossible here; undefined = they are possible, or the user hasn't been asked. */
export function pushHindrance(): Exclude<Permission, "granted" | "ask"> | undefined {
  const allowed = permission();
  if (allowed !== "granted" && allowed !== "ask") return allowed;
  return hasPush() && import.meta.env.PROD ? undefined : "unsupported";
}

/** The page's part of pushes: registers them, and keeps registrations in line with topics. One for the whole page. */
class Pushes {
  #states = $state.raw<ReadonlyMap<number, PushState>>(new Map());
  /** Why the browser has no registration for a server's pushes, though they are on. */
  readonly #troubles = new SvelteMap<number, SubscribeFault>();
  /** The keys of servers whose pushes ended with their last topic, which an undo may bring back. */
  readonly #ended = new Map<number, string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #muteEnd: ReturnType<typeof setTimeout> | undefined;
  #isStarted = false;

  constructor(private readonly app: App) {
    app.client.listen((event) => {
      if (event.kind === "catalogue" || event.kind === "missed") this.#syncSoon();
      if (event.kind === "pushed") void this.#read();
    });
    // Browsers end the registrations along with the permission.
    onPermissionChange(() => this.renew());
    void this.#syncAll();
  }

  /** Does again what a start does: the language has changed, or the permission. */
  renew(): void {
    this.#isStarted = false;
    void this.#syncAll();
  }

  /** The state of a server's pushes; undefined = they are off. */
  state(serverId: number): PushState | undefined {
    return this.#states.get(serverId);
  }

  /** Why a server's pushes don't come although they are on; undefined = no known problem. */
  trouble(serverId: number): PushTrouble | undefined {
    return this.#troubles.get(serverId) ?? this.#states.get(serverId)?.fault;
  }

  /** Whether the server says that it sends no pushes. */
  async isOff(serverId: number): Promise<boolean> {
    const asked = await this.app.client.send("pushKey", { serverId });
    return !asked.ok && asked.error.kind === "no-key" && asked.error.problem === "off";
  }

  /**
   * Turns a server's pushes on. Call only after a press, because the browser may ask the user.
   * @param byHand the server's key as entered by the user, if the server doesn't tell it
   */
  async turnOn(serverId: number, byHand?: string): Promise<Result<PushState, PushTrouble>> {
    if ((await askPermission()) !== "granted") return fail({ kind: "denied" });
    if (!this.app.catalogue.settings.alerts) await this.app.setSettings({ alerts: true });
    const key = byHand === undefined ? await this.#findKey(serverId) : keyIn({ web_push_public_key: byHand.trim() });
    if (!key.ok) return key;
    return this.#alone(async () => {
      const registered = await this.#register(serverId, key.value);
      await this.#read();
      if (!registered.ok && !this.state(serverId)) await this.#endRegistrations(serverId);
      return registered;
    });
  }

  async turnOff(serverId: number): Promise<void> {
    await this.#alone(async () => {
      if (await this.app.attempt("endPush", { serverId })) await this.#endRegistrations(serverId);
    });
    await this.#read();
  }

  /** Ends what the browser has; the server isn't told. */
  endRegistrations(serverId: number): Promise<void> {
    return this.#alone(() => this.#endRegistrations(serverId));
  }

  /** Sends a message and waits for its push. */
  async test(serverId: number, topic: string): Promise<Result<PushTest, CommandError>> {
    const state = this.state(serverId);
    const server = this.app.catalogue.server(serverId);
    const subscription = this.app.catalogue.subscriptions.find(
      (one) => one.serverId === serverId && one.topic === topic,
    );
    if (!state || !server || !subscription) return fail({ kind: "not-found" });
    const heardIds = new Set<string>();
    let wake: () => unknown = () => undefined;
    const stopHearing = this.app.client.listen((event) => {
      if (event.kind === "pushed" && event.id !== undefined) heardIds.add(event.id);
      wake();
    });
    const startMs = performance.now();
    const sent = await this.app.client.send("publish", {
      address: server.address,
      topic,
      accountId: subscription.accountId,
      message: pushStrings.testMessage,
      priority: 1,
    });
    // The push may be faster than the answer.
    const isHeard =
      sent.ok &&
      (await within(
        new Promise<true>((resolve) => {
          wake = () => sent.value.message && heardIds.has(sent.value.message.id) && resolve(true);
          wake();
        }),
        TEST_WITHIN_MS,
      ));
    stopHearing();
    if (!sent.ok) return sent;
    if (isHeard) return ok({ kind: "arrived", afterMs: performance.now() - startMs });
    // A server forgets a registration at its push service's first error, without telling anyone.
    const key = await this.#findKey(serverId);
    const anew = await this.#alone(() => this.#register(serverId, key.ok ? key.value : state.key, true));
    await this.#read();
    return ok({ kind: "lost", anew });
  }

  #syncSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#syncAll(), SYNC_AFTER_MS);
  }

  /** Brings every server's registrations in line with its topics; at the start, renews them all. */
  async #syncAll(): Promise<void> {
    await this.#read();
    // Without permission nothing can be subscribed; the server's registrations end by themselves.
    if (permission() !== "granted") return;
    await this.#alone(async () => {
      const isStart = !this.#isStarted;
      this.#isStarted = true;
      if ((await this.#read()) && isStart) await this.#endStrays();
      for (const state of this.#states.values()) await this.#sync(state, isStart);
      for (const [serverId, key] of this.#ended) {
        if (!this.#isServed(serverId)) continue;
        this.#ended.delete(serverId);
        await this.#register(serverId, key);
      }
    });
    await this.#read();
    this.#awaitMuteEnd();
  }

  /** Ends registrations of removed servers, such as one that went with its last topic as the page closed. */
  async #endStrays(): Promise<void> {
    // In memory mode, nothing is known of what the database has.
    if (this.app.client.environment.storage === "memory") return;
    const known = new Set([...this.#states.values()].flatMap(({ parts }) => parts.map(({ scope }) => scope)));
    // The workers of the others are brought up to date, now that the database is.
    const kept = await endPushRegistrations((scope) => known.has(scope));
    for (const registration of kept) void registration.update().catch(() => undefined);
  }

  /** Topics muted for a while aren't pushed; when the mute ends, they are again. */
  #awaitMuteEnd(): void {
    clearTimeout(this.#muteEnd);
    if (!mustShowPushes() || this.#states.size === 0) return;
    const { subscriptions, settings } = this.app.catalogue;
    const { mutedUntilMs: allMutedUntilMs } = decodeAlertRules(settings.alertRules);
    const endsMs = [allMutedUntilMs, ...subscriptions.map(({ mutedUntilMs }) => mutedUntilMs)];
    const nextMs = Math.min(...endsMs.map((ms = 0) => (ms > Date.now() ? ms : Infinity)));
    if (nextMs === Infinity) return;
    this.#muteEnd = setTimeout(() => void this.#syncAll(), Math.min(nextMs - Date.now(), LONGEST_TIMER_MS));
  }

  #isServed(serverId: number): boolean {
    return this.app.catalogue.subscriptions.some((subscription) => subscription.serverId === serverId);
  }

  async #sync(state: PushState, isStart: boolean): Promise<void> {
    const { serverId, key, parts, postedAtMs, fault, words } = state;
    if (!this.#isServed(serverId)) {
      this.#ended.set(serverId, key);
      await this.app.client.send("endPush", { serverId });
      return this.#endRegistrations(serverId);
    }
    const agoMs = Date.now() - postedAtMs;
    const isOutdated =
      agoMs < 0 || agoMs > POSTED_LATELY_MS || JSON.stringify(words) !== JSON.stringify(pushWorkerStrings());
    const isDue =
      this.#troubles.has(serverId) || (isStart && (isOutdated || fault !== undefined || !(await areSubscribed(parts))));
    const written = (lists: readonly { accountId: number; topics: readonly string[] }[]) =>
      JSON.stringify(lists.map(({ accountId, topics }) => [accountId, topics]));
    const isSame = written(this.#lists(serverId)) === written(parts);
    if (isSame && !isDue) return;
    // It may have changed.
    const asked = await this.app.client.send("pushKey", { serverId });
    await this.#register(serverId, asked.ok ? asked.value : key);
  }

  /**
   * The server's key. Older servers tell it only in a script; otherwise the app's host may know it. Call only after a
   * press.
   */
  async #findKey(serverId: number): Promise<Result<string, PushFault>> {
    const asked = await this.app.client.send("pushKey", { serverId });
    if (asked.ok || asked.error.kind !== "no-key" || asked.error.problem !== "untold") return asked;
    const server = this.app.catalogue.server(serverId);
    if (!server) return asked;
    const told = keyIn(await readClientScript(server.address));
    if (told.ok || (told.error.kind === "no-key" && told.error.problem === "off")) return told;
    const byHost = this.app.catalogue.settings.host?.config.pushKeys?.[server.address];
    return byHost === undefined ? asked : ok(byHost);
  }

  #lists(serverId: number) {
    const own = this.app.catalogue.subscriptions.filter((subscription) => subscription.serverId === serverId);
    const { alerts, alertRules } = this.app.catalogue.settings;
    const { mutedUntilMs: allMutedUntilMs } = decodeAlertRules(alertRules);
    return pushLists(own, { mustShow: mustShowPushes(), nowMs: Date.now(), alerts, allMutedUntilMs });
  }

  /** @param anew replaces the present registrations, to which no push comes */
  async #register(serverId: number, key: string, anew = false): Promise<Result<PushState, PushTrouble>> {
    const server = this.app.catalogue.server(serverId);
    if (!server) return fail({ kind: "not-found" });
    const parts = [];
    for (const [at, list] of this.#lists(serverId).entries()) {
      const scope = pushScope(server.address, at + 1);
      const target = await subscribePush(scope, key, anew);
      if (!target.ok) {
        this.#troubles.set(serverId, target.error);
        return target;
      }
      parts.push({ ...list, scope, target: target.value });
    }
    this.#troubles.delete(serverId);
    const mustShow = mustShowPushes() && { mustShow: true as const };
    const registered = await this.app.client.send("registerPush", {
      ...{ serverId, key, parts, words: pushWorkerStrings() },
      ...mustShow,
    });
    const kept = new Set(parts.map(({ scope }) => scope));
    await endPushRegistrations((scope) => kept.has(scope) || !isScopeOf(server.address, scope));
    return registered;
  }

  async #endRegistrations(serverId: number): Promise<void> {
    this.#troubles.delete(serverId);
    const address = this.app.catalogue.server(serverId)?.address;
    if (address) await endPushRegistrations((scope) => !isScopeOf(address, scope));
  }

  /** Resolves to whether what is stored could be read. */
  async #read(): Promise<boolean> {
    const states = await this.app.client.send("pushStates", {});
    if (states.ok) this.#states = new Map(states.value.map((state) => [state.serverId, state]));
    return states.ok;
  }

  #alone<Value>(work: () => Promise<Value>): Promise<Value> {
    return navigator.locks.request(PUSH_LOCK, work) as Promise<Value>;
  }
}

function keyIn(config: unknown): Result<string, PushFault> {
  const key = readPushKey(config);
  return key.ok ? key : fail({ kind: "no-key", problem: key.error });
}

let pushes: Pushes | undefined;

/** The page's pushes, which keeps all servers' in order; undefined where the browser lacks what they need. */
export function pushesOf(app: App): Pushes | undefined {
  if (!hasPush() || !import.meta.env.PROD) return undefined;
  pushes ??= new Pushes(app);
  return pushes;
}
