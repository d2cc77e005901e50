// What runs in the worker: answers pages, carries out commands on the store, and passes on other hubs' announcements.
// Each worker has one, whether it leads or follows; what only the leading one does is in `leader.ts`. It holds no
// connection and reads no server message itself; the commands' work is in the folder `commands`.
import { CONTRACT_VERSION, type Commands, type HubEvent, isDealtWith, type PageMessage } from "../contract";
import { type Failure, fail, isJsonObject, ok, type Result, type ServerAddress } from "../protocol";
import { isStoreFailure, type DatabaseEnd, type Reader } from "../store";
import { Alerts } from "./alerts/alerts";
import { backupCommands } from "./commands/backup-commands";
import { contentCommands } from "./commands/content-commands";
import { failed, storageError, unwrap, type CommandContext, type CommandHandlers } from "./commands/context";
import { type HostRules, hostRules, settingsCommands } from "./commands/settings-commands";
import { KeptFiles } from "./commands/keep-files";
import { Outages } from "./commands/outages";
import { Clears } from "./commands/clears";
import { holdArrivals, Outbox } from "./commands/outbox";
import { pushCommands } from "./commands/push-commands";
import { tailCommands } from "./commands/raw-tail";
import { scheduledCommands } from "./commands/scheduled-commands";
import { serverCommands } from "./commands/server-commands";
import { keepTokens } from "./commands/sign-in";
import { topicCommands } from "./commands/topic-commands";
import { triageCommands } from "./commands/triage-commands";
import { Devices } from "./devices/devices";
import {
  isRecent,
  SILENT_CHANNEL,
  sleep,
  type Environment,
  type LeadingHub,
  type Timer,
  type Written,
} from "./environment";
import { Election } from "./lead/election";
import { isHubMessage, type HubCommand, Relay, rowsEvent, tellHubs } from "./lead/between-hubs";
import { IN_SIGHT_FOR_MS, Leader } from "./leader";
import { RequestCount } from "./requests/request-count";
import { Requests, signInPatch } from "./requests/requests";
import { keepFacts } from "./server/server-facts";
import type { CaughtUp } from "./sync/poll-start";
import { Tabs, type Port } from "./tabs";

/** If a follower doesn't hear the leader, it answers without it after this, ms: the leader's announcements follow. */
const STATUS_WITHIN_MS = 1_000;

/** A silent leader is replaced within this, ms. */
const LED_WITHIN_MS = 20_000;

/** Work other than receiving starts this long after the start, ms: messages come first. */
const START_SERVICES_AFTER_MS = 2_000;

/** A hub that sees the lead pass between others announces possible misses after this, ms, unless the leader did. */
const SPEAK_AFTER_MS = 1_000;

/**
 * The code that runs in the worker (docs/design.md §3). Every hub carries out commands on the store, because any number
 * of hubs may write at once. The leading hub also holds the connections, and the others relay to it commands that need
 * them.
 */
export class Hub implements LeadingHub {
  readonly #election: Election;
  #noteLed = (): void => undefined;
  /** Some hub leads. */
  readonly #isLed = new Promise<void>((resolve) => (this.#noteLed = resolve));
  readonly #relay: Relay;
  readonly #tabs: Tabs;
  readonly alerts: Alerts;
  readonly #context: CommandContext;
  readonly #handlers: CommandHandlers<HubCommand>;
  readonly #files: KeptFiles;
  readonly #outbox: Outbox;
  readonly #clears: Clears;
  readonly #host: HostRules;
  readonly #devices: Devices;
  /** By address, because a server may get requests before there is a connection to it. */
  readonly #counts = new Map<ServerAddress, RequestCount>();
  #leader: Leader | undefined;
  #isOnline = true;
  /** Set when the database can't be used any more, for good. */
  #storageTrouble: HubEvent | undefined;
  /** What the leader last announced about failing writes, for tabs that open later; absent when all is well. */
  #writeTrouble: HubEvent | undefined;
  #stopListening: (() => void) | undefined;
  /** Whether another hub has announced something, so that it may have stored something. */
  #hasHeardOthers = false;
  /** The hub last heard to lead. */
  #leaderId: string | undefined;
  #missedTimer: Timer | undefined;
  /** When a tab of any hub last said that it is in sight, device clock, ms. */
  #seenAtMs = -Infinity;

  /** Ends the wait for the answer to another hub's own message. */
  #endHold = (): void => undefined;

  constructor(
    private readonly environment: Environment,
    hubId: string,
  ) {
    this.#relay = new Relay(environment, hubId);
    this.#tabs = new Tabs(environment);
    this.#election = new Election(environment, hubId, {
      onLead: () => this.#lead(),
      onLost: () => {
        this.#leader?.stop();
        this.#leader = undefined;
        this.#devices.look();
      },
    });
    this.alerts = new Alerts(
      environment,
      () => this.#tabs.takers(),
      (passed) => tellHubs(environment.channel, { kind: "alert", passed }),
    );
    this.#context = {
      environment,
      isLeading: () => this.#election.isLeading,
      isOnline: () => this.#isOnline,
      isInSight: () => isRecent(environment, this.#seenAtMs, IN_SIGHT_FOR_MS),
      statuses: () => this.#leader?.statuses ?? [],
      announce: (event) => this.announce(event),
      written: (what) => {
        this.written(what);
        this.#leader?.tidySoon();
      },
      catalogueChanged: () => this.catalogueChanged(),
      requests: (address, known) => {
        const requests = new Requests(environment, address, known, this.#countOf(address));
        if (known) requests.onSignIn = (atMs) => keepFacts(environment, known.serverId, signInPatch(atMs));
        return requests;
      },
    };
    this.#files = new KeptFiles(this.#context);
    this.#outbox = new Outbox(this.#context);
    this.#clears = new Clears(this.#context);
    this.#host = hostRules(this.#context);
    // No sign-in goes to an address only because another device names it.
    const moveServer = (serverId: number, address: ServerAddress) =>
      this.#handlers.patchServer({ serverId, move: { address, keepsSignIn: false } });
    this.#devices = new Devices(this.#context, { ...this.#host, moveServer });
    this.#handlers = this.#commands();
  }

  /** Starts listening to the other hubs and joins the queue for the lead. */
  start(): void {
    this.#stopListening = this.environment.channel.listen((data) => this.#hear(data));
    this.environment.store.onRecount = () => this.announce({ kind: "missed" });
    this.#election.start();
    this.environment.setTimer(() => {
      keepTokens(this.#context);
      new Outages(this.#context, this.alerts).start();
      this.#files.start();
      this.#outbox.look(true);
    }, START_SERVICES_AFTER_MS);
  }

  /** Gives up everything for good, because the database is about to close. */
  stop(): void {
    this.#election.stop();
    this.#stopListening?.();
    this.environment.clearTimer(this.#missedTimer);
  }

  /** Serves a tab. */
  attach(port: Port): void {
    this.#tabs.add(port);
    for (const trouble of [this.#writeTrouble, this.#storageTrouble]) if (trouble) this.#tabs.tell(port, trouble);
    port.onmessage = ({ data }) => void this.#answer(port, data);
  }

  /** Tells every tab, including those that open later, that the database can't be used. */
  announceStorage(problem: DatabaseEnd, text: string): void {
    this.#storageTrouble = { kind: "storage", problem, text };
    this.announce(this.#storageTrouble);
  }

  // The lead

  #lead(): void {
    this.#noteLed();
    // The previous leader may have died between storing and announcing.
    if (this.#hasHeardOthers || this.#leaderId !== undefined) this.announce({ kind: "missed" });
    this.#leader = new Leader(this.environment, this, (address) => this.#countOf(address));
    this.#leader.setOnline(this.#isOnline);
    // Tabs say so every 10 s, and this hub may not have been leading the last time.
    if (this.#context.isInSight()) this.#leader.seen();
    this.#devices.look();
    // The previous leader may have claimed alerts that no tab has shown.
    this.alerts.look();
  }

  /** Another hub leads. A hub that knew the old leader announces the change, because the new one may not have. */
  #noteLeader(leaderId: string): void {
    const { setTimer, clearTimer } = this.environment;
    this.#noteLed();
    const isAnother = this.#leaderId !== undefined && this.#leaderId !== leaderId;
    this.#leaderId = leaderId;
    if (!isAnother) return;
    clearTimer(this.#missedTimer);
    this.#missedTimer = setTimer(() => this.announce({ kind: "missed" }), SPEAK_AFTER_MS);
  }

  #hear(data: unknown): void {
    if (!isHubMessage(data)) return;
    // Hubs of all versions compete for the lead.
    this.#election.hear(data);
    if (data.version !== CONTRACT_VERSION) return;
    this.#relay.hear(data);
    if (data.kind === "relay" && this.#leader) {
      const { from, id } = data;
      void this.#carryOut(data.name, data.input as never).then((output) => this.#relay.answer(from, id, output));
    }
    if (data.kind === "alert") this.alerts.hear(data.passed);
    if (data.kind === "in-sight") this.#noteSeen();
    if (data.kind === "sending") this.#endHold = holdArrivals(this.environment);
    if (data.kind === "sent") this.#endHold();
    if (data.kind === "heartbeat") this.#noteLeader(data.from);
    if (data.kind !== "event") return;
    const { event } = data;
    this.#hasHeardOthers = true;
    if (event.kind === "missed") this.environment.clearTimer(this.#missedTimer);
    if (event.kind === "catalogue") {
      void this.#leader?.reload();
      // A tab whose hub doesn't lead may have removed a topic.
      this.#leader?.tidySoon();
    }
    if (event.kind === "rows") this.#leader?.tidySoon();
    this.#noteForLeader(event);
  }

  // Tabs

  async #answer(port: Port, data: unknown): Promise<void> {
    if (!isPageMessage(data)) return;
    const isSetting = data.name === "setAlerting";
    const isTaker = this.#tabs.heard(port, isSetting ? data.input : undefined);
    const output = isSetting ? ok(null) : await this.#carryOut(data.name, data.input as never);
    port.postMessage({ version: CONTRACT_VERSION, kind: "answer", id: data.id, output });
    // This comes after the answer, which may have confirmed an alert that was still open.
    if (isTaker) this.alerts.look();
  }

  async #carryOut<Name extends HubCommand>(name: Name, input: Commands[Name]["input"]): Promise<unknown> {
    try {
      return await this.#handlers[name](input);
    } catch (problem) {
      if (isStoreFailure(problem)) return fail(storageError(problem.error));
      // This is a bug. The page must not wait for ever, and the console must show it.
      this.environment.report(problem);
      return fail({ kind: "storage", text: problem instanceof Error ? problem.name : "" });
    }
  }

  /** Sends to all tabs: over the channel, or over its ports if this hub is alone. */
  announce(event: HubEvent): void {
    this.#noteForLeader(event);
    const { channel, locks } = this.environment;
    // Where there are no locks every hub leads, so each tells its own tabs of its connections.
    if (channel === SILENT_CHANNEL || (event.kind === "status" && !locks)) this.#tabs.tellAll(event);
    else tellHubs(channel, { kind: "event", event });
  }

  written({ alerts, ...changes }: Written): void {
    const event = rowsEvent(changes);
    if (event) this.announce(event);
    if (alerts) this.alerts.claimed(alerts);
  }

  /** A tab of this hub is in sight. */
  #seen(): void {
    this.#noteSeen();
    if (!this.#leader) tellHubs(this.environment.channel, { kind: "in-sight" });
  }

  #noteSeen(): void {
    this.#seenAtMs = this.environment.now();
    this.#leader?.seen();
  }

  /** Acts on an announcement, whichever hub made it. */
  #noteForLeader(event: HubEvent): void {
    for (const waiting of [this.#outbox, this.#clears]) {
      if (event.kind === "status" && event.status.state.kind === "live") waiting.look(false);
      if (event.kind === "catalogue" || event.kind === "missed") waiting.look(true);
    }
    if (event.kind === "catalogue" || event.kind === "missed") this.#devices.member.compareSoon();
    // Which files are kept depends on topics and settings.
    if (event.kind === "catalogue") void this.#files.look(true);
    if (event.kind === "storage") this.#writeTrouble = event.problem === "none" ? undefined : event;
    if (event.kind !== "rows") return;
    if (event.changed.some(isDealtWith)) this.#clears.look(true);
    this.#leader?.indexSoon();
    this.#devices.member.rowsChanged();
    if (event.removed.length > 0) this.#leader?.madeRoom();
  }

  #countOf(address: ServerAddress): RequestCount {
    const count = this.#counts.get(address) ?? new RequestCount(this.environment);
    this.#counts.set(address, count);
    return count;
  }

  async catalogueChanged(): Promise<void> {
    this.announce({ kind: "catalogue" });
    await this.#leader?.reload();
    this.#leader?.tidySoon();
  }

  // Commands

  #commands(): CommandHandlers<HubCommand> {
    const context = this.#context;
    const host = this.#host;
    const pushes = pushCommands(context);
    return {
      readHost: host.readHost,
      ...topicCommands(context, host),
      ...serverCommands(context, host, pushes.endPush),
      ...settingsCommands(context, host),
      ...triageCommands(context),
      ...scheduledCommands(context),
      ...contentCommands(context),
      ...this.#files.commands(),
      ...this.#outbox.commands(),
      ...pushes,
      ...tailCommands(context),
      ...backupCommands(context),
      ...this.#connectionCommands(),
      ...this.#byLeader(this.#devices.commands()),
      ...this.#ownCommands(),
    };
  }

  #ownCommands(): CommandHandlers<"read" | "confirmAlert" | "ping"> {
    const { build, mode } = this.environment;
    return {
      read: ({ method, args }) => this.#read(method, args),
      confirmAlert: async ({ alertId }) => {
        const isKnown = unwrap(await this.alerts.confirm(alertId));
        return isKnown ? ok(null) : fail({ kind: "not-found" });
      },
      ping: ({ inSight }) => {
        if (inSight) this.#seen();
        else this.#devices.member.hide();
        return Promise.resolve({ build, mode, leading: this.#election.isLeading });
      },
    };
  }

  /** Commands that need the connections. */
  #connectionCommands(): CommandHandlers<"refresh" | "tryNow" | "resume" | "setOnline" | "status"> {
    const notFound = fail({ kind: "not-found" } as const);
    /** A hub that has only just begun to lead makes its connections first. */
    const connectionTo = async (serverId: number) => {
      if (!this.#leader?.connection(serverId)) await this.#leader?.reload();
      return this.#leader?.connection(serverId);
    };
    return {
      ...this.#byLeader({
        refresh: async ({ serverId, subId }: Commands["refresh"]["input"]) => {
          const result = await (await connectionTo(serverId))?.refresh(subId);
          return result ? refreshed(result) : notFound;
        },
        tryNow: async ({ serverId }: Commands["tryNow"]["input"]) => {
          const connection = await connectionTo(serverId);
          await connection?.tryNow();
          return connection ? ok(null) : notFound;
        },
      }),
      resume: async (input) => {
        this.#devices.member.wake();
        // A worker may have died between storing a message to send and announcing it.
        for (const waiting of [this.#outbox, this.#clears]) waiting.look(true);
        if (this.#leader) this.#leader.resume();
        else await this.#relay.ask("resume", input, STATUS_WITHIN_MS);
        return ok(null);
      },
      setOnline: async (input) => {
        this.#isOnline = input.online;
        this.#devices.member.wake();
        if (this.#leader) this.#leader.setOnline(input.online);
        else await this.#relay.ask("setOnline", input, STATUS_WITHIN_MS);
        return ok(null);
      },
      status: async () => this.#leader?.statuses ?? (await this.#relay.ask("status", {}, STATUS_WITHIN_MS)) ?? [],
    };
  }

  /** Commands that the leader carries out, which alone has the connections; a follower relays them. */
  #byLeader<Carried extends Partial<CommandHandlers<HubCommand>>>(commands: Carried): Carried {
    const carriedOut = Object.entries(commands).map(([name, carryOut]) => [
      name,
      async (input: never) => {
        // Before, nobody would hear it.
        await Promise.race([this.#isLed, sleep(this.environment, LED_WITHIN_MS)]);
        if (this.#leader) return carryOut(input);
        return (await this.#relay.ask(name as HubCommand, input)) ?? fail(failed({ kind: "silent" }));
      },
    ]);
    return Object.fromEntries(carriedOut) as Carried;
  }

  async #read(method: string, args: unknown[]): Promise<Commands["read"]["output"]> {
    const { reader } = this.environment.store;
    if (!Object.hasOwn(reader, method)) return fail({ kind: "not-found" });
    const read = reader[method as keyof Reader] as (...args: unknown[]) => Promise<unknown>;
    return ok(await read(...args));
  }
}

/** Whether this hub takes the message. A tab of another version is ignored, because it will start a hub of its own. */
function isPageMessage(data: unknown): data is PageMessage {
  return isJsonObject(data) && data["version"] === CONTRACT_VERSION && "name" in data;
}

/** How many missing messages are named, at most: more than anyone looks through one by one. */
const MAX_FOUND = 50;

/** The answer to `refresh`, from what the catch-up found. */
export function refreshed(result: Result<CaughtUp, Failure | { kind: "storage" }>): Commands["refresh"]["output"] {
  if (!result.ok) return fail(result.error.kind === "storage" ? { kind: "storage", text: "" } : failed(result.error));
  const { found, hasForgotten } = result.value;
  const newest = found.sort((a, b) => b[1] - a[1]).slice(0, MAX_FOUND);
  return ok({ missing: found.length, found: newest, ...(hasForgotten && { forgot: true }) });
}
