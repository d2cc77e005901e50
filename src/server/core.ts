import type { ProtocolEvent, StorableEvent } from "../protocol";
import { Accounts } from "./accounts";
import { Attachments } from "./attachments";
import type { RequestEntry } from "./call";
import { type HostClock, nowS } from "./clock";
import { MessageCache } from "./message-cache";
import type { ResolvedOptions } from "./options";
import { PushRegister } from "./push-register";
import { randomMessageId } from "./random-id";
import { type Keep, StateFile } from "./state-file";
import { Statistics } from "./statistics";
import { Topics } from "./topics";
import { Turns } from "./turns";
import { Visitors } from "./visitors";
import { WebPush } from "./web-push";

/** What a server needs besides its options. */
export interface CoreEnvironment {
  clock: HostClock;
  /** Sends pushes. */
  fetch: typeof globalThis.fetch;
  /** Called for every answered request. */
  log: (entry: RequestEntry) => void;
  /** Called with internal errors. */
  report: (error: unknown) => void;
}

/** All state of one server, and what happens to it apart from requests. */
export class Core {
  readonly clock: HostClock;
  readonly log: CoreEnvironment["log"];
  readonly report: CoreEnvironment["report"];
  readonly turns = new Turns();
  readonly cache = new MessageCache();
  readonly topics: Topics;
  readonly visitors: Visitors;
  readonly statistics: Statistics;
  readonly accounts: Accounts | undefined;
  readonly attachments: Attachments | undefined;
  readonly push: WebPush | undefined;
  readonly #stateFile: StateFile | undefined;

  constructor(
    readonly settings: ResolvedOptions,
    { clock, fetch, log, report }: CoreEnvironment,
  ) {
    const { access, attachments, limits, stateFile, webPush } = settings;
    this.clock = clock;
    this.log = log;
    this.report = report;
    this.topics = new Topics(limits.topics);
    this.visitors = new Visitors(settings, clock);
    this.statistics = new Statistics(settings.cleanupInterval);
    this.accounts = access && new Accounts(access, clock, this.#keep);
    this.attachments = attachments && new Attachments(attachments, report);
    const push = new PushRegister(this.#keep);
    this.push = webPush && new WebPush({ ...settings, webPush }, push, { clock, turns: this.turns, fetch, report });
    const { cache, accounts, statistics } = this;
    if (stateFile !== undefined)
      this.#stateFile = new StateFile(stateFile, { cache, accounts, push, statistics }, report);
  }

  /** Keeps a change over a restart. */
  readonly #keep: Keep = async (line) => this.#stateFile?.keep(line);

  /** Reads what was kept. @throws OptionsError if the state file can't be used */
  async open(): Promise<void> {
    await this.#stateFile?.open();
    this.cache.removeExpired(nowS(this.clock));
    this.cache.keepWithin(this.settings.limits.cacheBytes);
    this.topics.use(this.cache.topics());
    await this.attachments?.restore(this.cache.all());
    await this.push?.open();
  }

  /** Gives up what is unsent, and writes what is kept. */
  async close(): Promise<void> {
    await this.push?.close();
    await this.#stateFile?.close();
    await this.attachments?.close();
  }

  /**
   * Stores a message and sends it to subscribers in one tick, once it is in the file. A subscriber registers and
   * selects its replay in one tick too, so every message is in exactly one of replay and live stream: the gap of
   * docs/protocol.md §8 can't occur. Rejects without a trace if the message can't be written.
   */
  async accept(event: StorableEvent, { cached, sender }: { cached: boolean; sender: string }): Promise<void> {
    const delivered = event.time <= nowS(this.clock);
    if (cached && this.settings.cache > 0) {
      const message = this.cache.number({ event, delivered, sender });
      await this.#keep({ put: message });
      this.#removeAttachments(this.cache.add(message));
      this.#removeAttachments(this.cache.keepWithin(this.settings.limits.cacheBytes));
    }
    if (delivered) this.deliver(event);
    this.statistics.count();
  }

  /** Sends an event to the subscribers, and pushes it, without storing it. */
  deliver(event: ProtocolEvent): void {
    this.topics.publish(event);
    this.push?.publish(event);
  }

  /** The fields that every new event starts with. */
  stamp(): { id: string; time: number } {
    return { id: randomMessageId(), time: nowS(this.clock) };
  }

  /** The job that sends scheduled messages when they are due (docs/protocol.md §4). */
  deliverDue(): void {
    for (const event of this.cache.takeDue(nowS(this.clock))) {
      this.deliver(event);
      this.#keep({ delivered: event.id }).catch(this.report);
    }
  }

  /** The job that removes what has expired (docs/protocol.md §11). */
  cleanUp(): void {
    const now = nowS(this.clock);
    this.#removeAttachments(this.cache.removeExpired(now));
    this.attachments?.removeExpired(now).catch(this.report);
    this.accounts?.forgetExpiredTokens();
    this.push?.lookAtAges();
    this.statistics.remember();
  }

  #removeAttachments(ids: readonly string[]): void {
    this.attachments?.remove(ids).catch(this.report);
  }
}
