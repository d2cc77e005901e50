import type { ProtocolEvent, StorableEvent } from "../protocol";
import type { Accounts } from "./accounts";
import type { Attachments } from "./attachments";
import { type HostClock, nowS } from "./clock";
import type { MessageCache } from "./message-cache";
import type { ResolvedOptions } from "./options";
import { randomMessageId } from "./random-id";
import type { Keep } from "./state-file";
import type { Statistics } from "./statistics";
import { Topics } from "./topics";
import type { Turns } from "./keyed-queue";
import { Visitors } from "./visitors";
import type { WebPush } from "./web-push";

/** Parts that need files, opened before. */
export interface Keepers {
  cache: MessageCache;
  accounts: Accounts | undefined;
  attachments: Attachments | undefined;
  push: WebPush | undefined;
  /** Keeps changes over a restart. */
  keep: Keep;
}

/** All state of one server, and what happens to it apart from requests. */
export class Core {
  readonly topics: Topics;
  readonly visitors: Visitors;
  readonly cache: MessageCache;
  readonly accounts: Accounts | undefined;
  readonly attachments: Attachments | undefined;
  readonly push: WebPush | undefined;
  private readonly keep: Keep;

  constructor(
    readonly settings: ResolvedOptions,
    readonly clock: HostClock,
    readonly statistics: Statistics,
    readonly turns: Turns,
    /** Called with errors that occur outside of requests. */
    readonly report: (error: unknown) => void,
    keepers: Keepers,
  ) {
    this.topics = new Topics(settings.limits.topics);
    this.visitors = new Visitors(settings, clock);
    this.cache = keepers.cache;
    this.topics.use([...this.cache.topics()], nowS(clock));
    this.accounts = keepers.accounts;
    this.attachments = keepers.attachments;
    this.push = keepers.push;
    this.keep = keepers.keep;
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
      await this.keep({ put: message });
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
      this.keep({ delivered: event.id }).catch(this.report);
    }
  }

  /** The job that removes what has expired (docs/protocol.md §11). */
  cleanUp(): void {
    const now = nowS(this.clock);
    this.#removeAttachments(this.cache.removeExpired(now));
    this.attachments?.removeExpired(now).catch(this.report);
    this.accounts?.forgetExpiredTokens();
    this.push?.lookAtAges();
    this.topics.forgetIdle(now);
    this.visitors.forgetIdle();
    this.statistics.remember();
  }

  #removeAttachments(ids: readonly string[]): void {
    this.attachments?.remove(ids).catch(this.report);
  }
}
