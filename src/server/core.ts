import type { ProtocolEvent, StorableEvent } from "../protocol";
import { Accounts } from "./accounts";
import { Attachments } from "./attachments";
import { nowS, type HostEnvironment } from "./environment";
import { MessageCache } from "./message-cache";
import type { ResolvedOptions } from "./options";
import { Refusal } from "./protocol-error";
import { randomId } from "./random-id";
import { StateFile, type StateLine } from "./state-file";
import { type Subscriber, Topics } from "./topics";
import { Visitors } from "./visitors";
import { type PushRegister, WebPush } from "./web-push";

/** How many counts of messages are kept to compute the rate: one for each clean-up (docs/protocol.md §2). */
const COUNTS_KEPT = 10;

/** All state of one server, and what happens to it apart from requests. */
export class Core {
  readonly cache = new MessageCache();
  /** Kept even while Web Push is off. */
  readonly pushRegister: PushRegister = { registrations: new Map() };
  /** How many messages were ever published, and the latest counts. */
  published = 0;
  #counts: number[] = [];
  /** Streams and polls under way (docs/protocol.md §8 and 11). */
  readonly streams = new Set<Subscriber>();
  readonly topics: Topics;
  readonly visitors: Visitors;
  readonly accounts: Accounts | undefined;
  readonly attachments: Attachments | undefined;
  readonly push: WebPush | undefined;
  readonly #stateFile: StateFile | undefined;

  constructor(
    readonly settings: ResolvedOptions,
    readonly host: HostEnvironment,
  ) {
    const { clock, report } = host;
    const { access, attachments, limits, stateFile, webPush } = settings;
    this.topics = new Topics(limits.topics);
    this.visitors = new Visitors(settings, clock);
    this.accounts = access && new Accounts(access, clock, this.keep);
    this.attachments = attachments && new Attachments(attachments, report);
    this.push = webPush && new WebPush(this, webPush);
    if (stateFile !== undefined) this.#stateFile = new StateFile(stateFile, this, report);
  }

  /** Stores a change before it takes place, so that it outlasts a restart. @throws Refusal 50001 if it can't be kept */
  readonly keep = (line: StateLine): void => {
    if (!this.note(line)) throw new Refusal(50001, "it can't be stored");
  };

  /** Stores a change that takes place even if it can't be stored. Returns whether it was. */
  note(line: StateLine): boolean {
    return this.#stateFile?.keep(line) ?? true;
  }

  /** Reads what was kept. @throws OptionsError if the state file can't be used */
  async open(): Promise<void> {
    await this.#stateFile?.open();
    this.#counts = [this.published];
    this.cache.removeExpired(nowS(this.host.clock));
    this.cache.keepWithin(this.settings.limits.cacheBytes);
    this.topics.use(this.cache.topics());
    await this.attachments?.restore(this.cache.all());
  }

  /** Drops what is unsent, and writes what is kept. */
  async close(): Promise<void> {
    await this.push?.close();
    await this.#stateFile?.close();
    await this.attachments?.close();
  }

  /**
   * Stores a message and sends it to subscribers in one tick. A subscriber registers and selects its replay in one tick
   * too, so every message is in exactly one of replay and live stream: the gap of docs/protocol.md §8 can't occur.
   * @throws Refusal 50001 if it can't be kept, and then it leaves no trace
   */
  accept(event: StorableEvent, { cached, sender }: { cached: boolean; sender: string }): void {
    const delivered = event.time <= nowS(this.host.clock);
    if (cached && this.settings.cache > 0) {
      const message = this.cache.number({ event, delivered, sender });
      try {
        this.keep({ put: message });
      } catch (error) {
        this.#removeAttachments([event.id]);
        throw error;
      }
      this.#removeAttachments(this.cache.add(message));
      this.#removeAttachments(this.cache.keepWithin(this.settings.limits.cacheBytes));
    }
    if (delivered) this.deliver(event);
    this.published++;
  }

  /** Messages a second. */
  get rate(): number {
    const [oldest = 0] = this.#counts;
    const spans = this.#counts.length - 1;
    return spans > 0 ? ((this.#counts.at(-1) ?? 0) - oldest) / (spans * this.settings.cleanupInterval) : 0;
  }

  /** Sends an event to the subscribers, and pushes it, without storing it. */
  deliver(event: ProtocolEvent): void {
    this.topics.publish(event);
    this.push?.publish(event);
  }

  /** The fields that every new event starts with. */
  stamp(): { id: string; time: number } {
    return { id: randomId(12), time: nowS(this.host.clock) };
  }

  /** The job that sends scheduled messages when they are due (docs/protocol.md §4). */
  deliverDue(): void {
    const due = this.cache.takeDue(nowS(this.host.clock));
    for (const event of due) this.deliver(event);
    if (due.length > 0) this.note({ delivered: due.map(({ id }) => id) });
  }

  /** The job that removes what has expired (docs/protocol.md §11). */
  cleanUp(): void {
    const now = nowS(this.host.clock);
    this.#removeAttachments(this.cache.removeExpired(now));
    this.attachments?.removeExpired(now).catch(this.host.report);
    this.accounts?.forgetExpiredTokens();
    this.push?.lookAtAges();
    this.#counts = [...this.#counts, this.published].slice(-COUNTS_KEPT);
  }

  #removeAttachments(ids: readonly string[]): void {
    this.attachments?.remove(ids).catch(this.host.report);
  }
}
