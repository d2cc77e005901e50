import {
  CONTRACT_VERSION,
  fail,
  ok,
  type Commands,
  type Failure,
  type MessageKey,
  type PageMessage,
  type ServerAddress,
  type ServerStatus,
} from "../protocol";
import { isStoreFailure, type Reader } from "../store";
import type { Alerts, Passed } from "./alerts";
import type { Announcement } from "./changes-event";
import { failed, storageError, type CommandContext, type Handler } from "./commands/context";
import type { UserCommands } from "./commands";
import { Election } from "./election";
import type { ForeignWrites } from "./foreign-writes";
import { isHubMessage, type HubCommand, type HubMessage, type TabCommand } from "./hub-message";
import { Leader } from "./leader";
import { Relay } from "./relay";
import { signInPatch } from "./requests";
import { keepFacts } from "./server-facts";
import { SILENT_CHANNEL, type Environment, type Timer } from "./environment";
import { Tabs, type Port } from "./tabs";

/** A follower that hears nothing from the leader answers with what it last heard, after this, ms. */
const STATUS_WITHIN_MS = 1_000;

/**
 * The commands of the user, and alerts, are loaded after the start, ms: first come the messages. Not on demand alone: a
 * later version of the app may have replaced the file by then.
 */
const LOAD_LATER_AFTER_MS = 2_000;

/** A new leader that knows of the one before says within this, ms, what has to be said of it. */
const SPEAK_AFTER_MS = 1_000;

type Handlers = { [Name in HubCommand]: Handler<Name> };

/** What a hub can do from the start. */
type OwnHandlers = Omit<Handlers, keyof UserCommands>;

/** What is loaded behind the messages. */
interface Later {
  commands: UserCommands;
  alerts: Alerts;
  writes: ForeignWrites;
}

/**
 * What runs in the worker (docs/design.md §3). Every hub carries out commands on the store, as any number of writers
 * are safe; the one that leads holds the connections as well, and what needs them is relayed to it.
 */
export class Hub {
  readonly #environment: Environment;
  readonly #election: Election;
  readonly #relay: Relay;
  readonly #tabs: Tabs;
  readonly #context: CommandContext;
  readonly #handlers: OwnHandlers;
  #later: Promise<Later> | undefined;
  /** What the leader last said, for a follower. */
  readonly #statuses = new Map<number, ServerStatus>();
  #leader: Leader | undefined;
  #isOnline = true;
  /** The database can't be used, for good. */
  #storageTrouble: Announcement | undefined;
  /** What the leader last said of its writes, for tabs that come later; absent when all is well. */
  #writeTrouble: Announcement | undefined;
  #stopListening: (() => void) | undefined;
  /** Another hub has announced something: it stores, or did. */
  #hasHeardOthers = false;
  /** The hub that was last heard to lead. */
  #leaderId: string | undefined;
  #missedTimer: Timer | undefined;

  constructor(environment: Environment, hubId: string) {
    this.#environment = environment;
    this.#relay = new Relay(environment, hubId);
    this.#tabs = new Tabs(environment);
    this.#election = new Election(environment, hubId, {
      onLead: () => this.#lead(),
      onLost: () => this.#follow(),
    });
    this.#context = {
      environment,
      hubId,
      isLeading: () => this.#election.isLeading,
      announce: (event) => {
        this.#announce(event);
        this.#leader?.tidySoon();
      },
      catalogueChanged: () => this.#catalogueChanged(),
      requests: (address, known, Kind) => {
        const requests = new Kind(environment, address, known, { add: () => this.#countRequest(address) });
        if (known) requests.onSignIn = (atMs) => keepFacts(environment, known.serverId, signInPatch(atMs));
        return requests;
      },
    };
    this.#handlers = { ...this.#connectionCommands(), ...this.#ownCommands() };
  }

  /** Starts to listen to the other hubs and enters the queue for the lead. */
  start(): void {
    this.#stopListening = this.#environment.channel.listen((data) => this.#hear(data));
    this.#election.start();
    this.#environment.setTimer(() => void this.#loadLater().catch(this.#environment.report), LOAD_LATER_AFTER_MS);
  }

  /** Gives up everything, for good: the database is about to close. */
  stop(): void {
    this.#election.stop();
    this.#stopListening?.();
    this.#environment.clearTimer(this.#missedTimer);
  }

  /** Serves a tab. */
  attach(port: Port): void {
    this.#tabs.add(port);
    for (const trouble of [this.#writeTrouble, this.#storageTrouble]) if (trouble) this.#tabs.tell(port, trouble);
    port.listen((data) => void this.#answer(port, data));
  }

  /** Tells every tab, now and when it comes, that the database can't be used. */
  announceStorage(problem: "unreadable" | "newer-version", text: string): void {
    this.#storageTrouble = { kind: "storage", problem, text };
    this.#announce(this.#storageTrouble);
  }

  // The lead

  #lead(): void {
    this.#statuses.clear();
    // One that led before may have ended between storing and telling.
    if (this.#hasHeardOthers || this.#leaderId !== undefined) this.#announce({ kind: "missed" });
    this.#leader = new Leader(this.#environment, {
      announce: (event) => this.#announce(event),
      alert: (rows) => {
        if (!this.#withAlerts((alerts) => alerts.claimed(rows))) this.#pass({ kind: "claims" });
      },
      notice: (notice) => {
        if (!this.#withAlerts((alerts) => alerts.tell(notice))) this.#pass({ kind: "notice", notice });
      },
      catalogueChanged: () => this.#catalogueChanged(),
    });
    this.#leader.setOnline(this.#isOnline);
    // What the one before had claimed, and no tab had shown.
    this.#lookForAlerts();
  }

  /**
   * The lead has passed on between two other hubs. The new leader may have started when the old one had ended, and then
   * does not know that there was one: whoever knew it speaks in its place.
   */
  #noteLeader(leaderId: string): void {
    const { setTimer, clearTimer } = this.#environment;
    const isAnother = this.#leaderId !== undefined && this.#leaderId !== leaderId;
    this.#leaderId = leaderId;
    if (!isAnother) return;
    clearTimer(this.#missedTimer);
    this.#missedTimer = setTimer(() => this.#announce({ kind: "missed" }), SPEAK_AFTER_MS);
  }

  #follow(): void {
    this.#leader?.stop();
    this.#leader = undefined;
  }

  #hear(data: unknown): void {
    this.#election.hear(data);
    if (!isHubMessage(data) || data.version !== CONTRACT_VERSION) return;
    this.#relay.hear(data);
    if (data.kind === "relay" && this.#leader) void this.#answerRelayed(data);
    if (data.kind === "alert") this.#withAlerts((alerts) => alerts.hear(data.passed));
    if (data.kind === "writing" || data.kind === "written") this.#withLater((later) => later.writes.hear(data));
    if (data.kind === "request") this.#leader?.countRequest(data.address);
    if (data.kind === "in-sight") this.#leader?.seen();
    if (data.kind === "heartbeat") this.#noteLeader(data.from);
    if (data.kind !== "event") return;
    const { event } = data;
    this.#hasHeardOthers = true;
    if (event.kind === "missed") this.#environment.clearTimer(this.#missedTimer);
    if (event.kind === "status" && !this.#leader) this.#statuses.set(event.status.serverId, event.status);
    if (event.kind === "catalogue") {
      void this.#leader?.reload();
      // A topic may have been removed: by a tab whose hub does not lead.
      this.#leader?.tidySoon();
    }
    if (event.kind === "rows") this.#leader?.tidySoon();
    this.#noteForLeader(event);
  }

  async #answerRelayed({ from, id, name, input }: HubMessage & { kind: "relay" }): Promise<void> {
    this.#relay.answer(from, id, await this.#carryOut(name, input as never));
  }

  // Tabs

  async #answer(port: Port, data: unknown): Promise<void> {
    if (!isPageMessage(data)) return;
    const isBack = this.#tabs.heard(port);
    const output = isTabMessage(data)
      ? this.#carryOutFor(port, data)
      : await this.#carryOut(data.name, data.input as never);
    port.post({ version: CONTRACT_VERSION, kind: "answer", id: data.id, output });
    // After the answer: it may have been that of an alert that was still open.
    if (isBack) this.#lookForAlerts();
  }

  #carryOutFor(port: Port, { input }: TabMessage): Commands[TabCommand]["output"] {
    if (this.#tabs.setAlerting(port, input.able)) this.#lookForAlerts();
    return ok(null);
  }

  async #carryOut<Name extends HubCommand>(name: Name, input: Commands[Name]["input"]): Promise<unknown> {
    try {
      const handler = name in this.#handlers ? this.#handlers : (await this.#loadLater()).commands;
      return await (handler as Handlers)[name](input);
    } catch (problem) {
      // A bug. The page must not wait for ever, and the console must tell of it.
      this.#environment.report(problem);
      return fail({ kind: "storage", text: problem instanceof Error ? problem.name : "" });
    }
  }

  /** To all tabs: over the channel, or, where this hub is alone, over its ports. */
  #announce(event: Announcement): void {
    this.#noteForLeader(event);
    const { channel } = this.#environment;
    if (channel === SILENT_CHANNEL) this.#tabs.tellAll(event);
    else channel.post({ version: CONTRACT_VERSION, kind: "event", event } satisfies HubMessage);
  }

  #countRequest(address: ServerAddress): void {
    if (this.#leader) this.#leader.countRequest(address);
    else this.#environment.channel.post({ version: CONTRACT_VERSION, kind: "request", address } satisfies HubMessage);
  }

  /** A tab of this hub is in sight. */
  #seen(): void {
    if (this.#leader) this.#leader.seen();
    else this.#environment.channel.post({ version: CONTRACT_VERSION, kind: "in-sight" } satisfies HubMessage);
  }

  /** What follows from an announcement, whichever hub made it. */
  #noteForLeader(event: Announcement): void {
    if (event.kind === "storage") this.#writeTrouble = event.problem === "none" ? undefined : event;
    if (event.kind !== "rows") return;
    this.#leader?.packSoon();
    if (event.removed.length > 0) this.#leader?.madeRoom();
  }

  async #catalogueChanged(): Promise<void> {
    this.#announce({ kind: "catalogue" });
    await this.#followUp();
  }

  /** Another hub may have written something, and ended before it said so. */
  async #catchUpOnWrites(): Promise<void> {
    if (!this.#leader) return;
    this.#announce({ kind: "missed" });
    this.#leader.packSoon();
    await this.#followUp();
  }

  async #followUp(): Promise<void> {
    await this.#leader?.reload();
    this.#leader?.tidySoon();
  }

  // Alerts

  /** What was claimed and no tab has shown: a tab here may do so now. */
  #lookForAlerts(): void {
    this.#withAlerts((alerts) => alerts.look());
  }

  /** Whether there is a tab here that alerts can be handed to. */
  #withAlerts(work: (alerts: Alerts) => void): boolean {
    if (this.#tabs.takers().length === 0) return false;
    this.#withLater(({ alerts }) => work(alerts));
    return true;
  }

  #pass(passed: Passed): void {
    this.#environment.channel.post({ version: CONTRACT_VERSION, kind: "alert", passed } satisfies HubMessage);
  }

  // Commands

  #withLater(work: (later: Later) => void): void {
    void this.#loadLater().then(work).catch(this.#environment.report);
  }

  #loadLater(): Promise<Later> {
    const tabs = this.#tabs;
    this.#later ??= import("./commands").then(
      ({ userCommands, Alerts, ForeignWrites }) => ({
        commands: userCommands(this.#context),
        alerts: new Alerts(
          this.#environment,
          () => tabs.takers(),
          (passed) => this.#pass(passed),
        ),
        writes: new ForeignWrites(this.#environment, () => void this.#catchUpOnWrites()),
      }),
      (problem: unknown) => {
        this.#later = undefined;
        throw problem;
      },
    );
    return this.#later;
  }

  #ownCommands(): Pick<OwnHandlers, "read" | "confirmAlert" | "ping"> {
    const { build, mode } = this.#environment;
    return {
      read: ({ method, args }) => this.#read(method, args),
      confirmAlert: async ({ alertId }) => {
        const { alerts } = await this.#loadLater();
        const confirmed = await alerts.confirm(alertId);
        if (!confirmed.ok) return fail(storageError(confirmed.error));
        return confirmed.value ? ok(null) : fail({ kind: "not-found" });
      },
      ping: ({ inSight }) => {
        if (inSight) this.#seen();
        return Promise.resolve({ build, mode, leading: this.#election.isLeading });
      },
    };
  }

  /** What needs the connections: done here by the leader, relayed by a follower. */
  #connectionCommands(): Pick<OwnHandlers, "refresh" | "tryNow" | "resume" | "setOnline" | "status"> {
    const silent: Failure = { kind: "silent" };
    return {
      refresh: async (input) => {
        if (!this.#leader) return (await this.#relay.ask("refresh", input)) ?? fail(failed(silent));
        const connection = this.#leader.connection(input.serverId);
        if (!connection) return fail({ kind: "not-found" });
        const result = await connection.refresh(input.subId);
        if (result.ok) {
          const { found, hasForgotten } = result.value;
          return ok({ missing: found.length, found: newestOf(found), ...(hasForgotten && { forgot: true }) });
        }
        return fail(result.error.kind === "storage" ? { kind: "storage", text: "" } : failed(result.error));
      },
      tryNow: async (input) => {
        if (!this.#leader) return (await this.#relay.ask("tryNow", input)) ?? fail(failed(silent));
        const connection = this.#leader.connection(input.serverId);
        if (!connection) return fail({ kind: "not-found" });
        await connection.tryNow();
        return ok(null);
      },
      resume: async (input) => {
        if (this.#leader) this.#leader.resume();
        else await this.#relay.ask("resume", input, STATUS_WITHIN_MS);
        return ok(null);
      },
      setOnline: async (input) => {
        this.#isOnline = input.online;
        if (this.#leader) this.#leader.setOnline(input.online);
        else await this.#relay.ask("setOnline", input, STATUS_WITHIN_MS);
        return ok(null);
      },
      status: async () => {
        if (this.#leader) return this.#leader.statuses;
        return (await this.#relay.ask("status", {}, STATUS_WITHIN_MS)) ?? [...this.#statuses.values()];
      },
    };
  }

  async #read(method: string, args: unknown[]): Promise<Commands["read"]["output"]> {
    const { reader } = this.#environment.store;
    if (!isReaderMethod(method)) return fail({ kind: "not-found" });
    const read = reader[method].bind(reader) as (...args: unknown[]) => Promise<unknown>;
    try {
      return ok(await read(...args));
    } catch (problem) {
      if (!isStoreFailure(problem)) throw problem;
      return fail(storageError(problem.error));
    }
  }
}

const READER_METHODS: Record<keyof Reader, true> = {
  catalogue: true,
  page: true,
  count: true,
  tags: true,
  get: true,
  find: true,
  versions: true,
  gaps: true,
  days: true,
};

function isReaderMethod(method: string): method is keyof Reader {
  return Object.hasOwn(READER_METHODS, method);
}

/** So many of what was missing are named: more than anyone looks through one by one. */
const MOST_FOUND = 50;

function newestOf(keys: MessageKey[]): MessageKey[] {
  return keys.sort((a, b) => b[1] - a[1]).slice(0, MOST_FOUND);
}

type TabMessage = PageMessage & { name: TabCommand };

function isTabMessage(message: PageMessage): message is TabMessage {
  return message.name === "setAlerting";
}

/** A tab of another version is ignored: it will start a hub of its own. */
function isPageMessage(data: unknown): data is PageMessage {
  return (
    typeof data === "object" &&
    data !== null &&
    "version" in data &&
    data.version === CONTRACT_VERSION &&
    "name" in data
  );
}
