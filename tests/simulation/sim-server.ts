import {
  sequenceOf,
  type MessageEvent,
  type ProtocolEvent,
  type SequenceEvent,
  type ServerAddress,
} from "../../src/protocol";
import { Bans, cutReplay, sentAgain } from "../newer-server";
import type { Random } from "./random";
import type { Schedule } from "./schedule";
import { SimCache } from "./sim-cache";

/** Of the reference server (docs/protocol.md §11). */
const DELIVER_EVERY_MS = 10_000;
const CLEAN_UP_EVERY_MS = 60_000;
const BUCKET = 60;
const REFILL_MS = 5_000;
const MAX_STREAMS = 30;
const ADMIT_EVERY_MS = 60_000;

/** How far back a node of a cluster goes that sends again what it delivered, ms. */
const AGAIN_MS = 3_600_000;

const ID_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Faults of the server itself, by probability. */
export interface ServerManners {
  retentionS: number;
  /** Some messages are kept several times as long, as their senders have a higher tier. */
  longer: number;
  keepaliveMs: number;
  /** Writes are collected up to this long, ms; 0 = each at once. */
  batchMs: number;
  /** A live message is delivered twice, or late, so that two messages swap. */
  duplicated: number;
  swapped: number;
  /** A live message is not delivered, as the reader is too slow. */
  dropped: number;
  /** Polls are answered by one of several replicas, each up to this far behind, ms; 0 = there are none. */
  lagMs: number;
  /** A replay holds the newest messages of a topic, of so many bytes; Infinity = all. */
  replayBytes: number;
  /** So many topics that don't exist yet may be asked for at once, then one a minute; Infinity = any number. */
  newTopics: number;
}

/** A registered subscriber. */
export interface Subscriber {
  topics: readonly string[];
  send(event: ProtocolEvent): void;
  cut(): void;
}

/** A published event, and what happened to it on the server. */
export interface Published {
  event: MessageEvent | SequenceEvent;
  /** Its stamp lies this far before its acceptance, ms. */
  uploadMs: number;
  /** True time, ms, when it was accepted; absent = the upload was lost with a restart. */
  acceptedAtMs?: number;
  storedAtMs?: number;
  /** Row number in the cache, which orders events of the same second. */
  row?: number;
  deliveredAtMs?: number;
  /** Cancelled, replaced, or lost with the server's cache, true time, ms. */
  lostAtMs?: number;
  /** Whether the server lost it with its cache. */
  isForgotten?: true;
  /** It outlived its time in the cache, true time, ms. */
  expiredAtMs?: number;
}

export interface PublishFields extends Partial<MessageEvent> {
  delayS?: number;
  uncached?: boolean;
  uploadMs?: number;
}

export type Refusal = { status: number; code: number };

/** A topic server in virtual time, by the rules of the reference (docs/protocol.md §4, 8, 11, 12, 17 and 18). */
export class SimServer {
  readonly address = "https://topics.example" as ServerAddress;
  readonly manners: ServerManners;
  readonly cache = new SimCache();
  readonly published = new Map<string, Published>();
  readonly subscribers = new Set<Subscriber>();
  /** Server clock minus true time, ms. */
  skewMs = 0;
  /** True time, ms, of the last time that the clock was set back. */
  setBackAtMs = -Infinity;
  /** True time, ms, of the last time that the clock was set forward. */
  setOnAtMs = -Infinity;
  /** Server times, seconds, at which something was lost that it had delivered and was to keep. */
  readonly lossesS: number[] = [];
  /** What `skewMs` was before the clock was set back. */
  skewBeforeMs = 0;
  isDown = false;
  /** Topics that are refused to everyone at present. */
  readonly forbidden = new Set<string>();
  /** Who may read a topic, as `Authorization` values; topics without an entry are open. */
  readonly readers = new Map<string, ReadonlySet<string>>();
  /** `Authorization` values that are right at present. */
  readonly logins = new Set<string>();
  /** True times, ms, of all requests that cost a token. */
  readonly requestTimes: number[] = [];
  /** True times, ms, at which the device learnt the server's time. */
  readonly signalsHeardMs: number[] = [];
  refusedByRation = 0;
  /** How many messages visitors may still publish today. */
  messagesLeft = Infinity;
  /** Counts the errors that the device causes. */
  readonly bans = new Bans();
  readonly #schedule: Schedule;
  readonly #random: Random;
  readonly #count: (fault: string) => void;
  readonly #note: (line: string) => void;
  #pending: (() => void)[] = [];
  /** Delivered and on the way into the cache. */
  #unwritten = 0;
  #tokens = BUCKET;
  #refilledMs: number;
  #life = 0;
  /** Topics that exist: somebody asked for them or published there, or the cache has messages of them. */
  readonly #topics = new Set<string>();
  #admissions: number;
  #admittedMs: number;
  /** Intervals, ms, of the jobs that are under way. */
  readonly #working = new Set<number>();

  constructor(
    schedule: Schedule,
    random: Random,
    manners: ServerManners,
    count: (fault: string) => void,
    note: (line: string) => void,
  ) {
    this.#schedule = schedule;
    this.#random = random;
    this.#count = count;
    this.#note = note;
    this.manners = manners;
    this.#refilledMs = schedule.nowMs;
    this.#admissions = manners.newTopics;
    this.#admittedMs = schedule.nowMs;
  }

  get nowS(): number {
    return Math.floor((this.#schedule.nowMs + this.skewMs) / 1_000);
  }

  nextId(): string {
    return Array.from({ length: 12 }, () => ID_CHARACTERS[this.#random.int(0, ID_CHARACTERS.length - 1)]).join("");
  }

  /** Takes a message; its stamp is of now, its acceptance may come later. */
  publish(topic: string, { delayS = 0, uncached = false, uploadMs = 0, ...fields }: PublishFields = {}): MessageEvent {
    const id = this.nextId();
    const time = this.nowS + delayS;
    const event: MessageEvent = { id, time, event: "message", topic, message: `text of ${id}`, ...fields };
    const isLonger = this.#random.chance(this.manners.longer);
    if (!uncached) event.expires = time + this.manners.retentionS * (isLonger ? this.#random.int(2, 6) : 1);
    this.#takeIn(event, { isScheduled: delayS > 0, uploadMs, isCached: !uncached });
    return event;
  }

  /** Deletes or clears a sequence; a scheduled version is cancelled by a delete (docs/protocol.md §17). */
  control(kind: "delete" | "clear", topic: string, sequence: string): void {
    const time = this.nowS;
    const event: SequenceEvent = {
      id: this.nextId(),
      time,
      expires: time + this.manners.retentionS,
      event: `message_${kind}`,
      topic,
      sequence_id: sequence,
    };
    this.#takeIn(event, { isScheduled: false, uploadMs: 0, isCached: true });
  }

  /** Whether the request may pass; a refusal is counted. */
  admit(topics: readonly string[], isStream: boolean, authorization?: string): Refusal | undefined {
    const refusal = this.#refusal(topics, isStream, authorization);
    if (refusal) this.bans.note(this.#schedule.nowMs, refusal.code);
    return refusal;
  }

  /** Takes one of the day's messages, if any is left (docs/protocol.md §11). */
  spend(): Refusal | undefined {
    if (this.messagesLeft < 1) return { status: 429, code: 42908 };
    this.messagesLeft -= 1;
    return undefined;
  }

  /** The order of the checks is the protocol's (docs/protocol.md §10). */
  #refusal(topics: readonly string[], isStream: boolean, authorization?: string): Refusal | undefined {
    const nowMs = this.#schedule.nowMs;
    // On open topics too (docs/protocol.md §9).
    if (authorization !== undefined && !this.logins.has(authorization)) return { status: 401, code: 40101 };
    const refill = Math.floor((nowMs - this.#refilledMs) / REFILL_MS);
    this.#tokens = Math.min(BUCKET, this.#tokens + refill);
    this.#refilledMs += refill * REFILL_MS;
    this.requestTimes.push(nowMs);
    if (this.#tokens < 1) {
      this.refusedByRation += 1;
      return { status: 429, code: 42901 };
    }
    this.#tokens -= 1;
    if (topics.some((topic) => !this.#mayRead(topic, authorization))) return { status: 403, code: 40301 };
    if (!this.#create(topics)) return { status: 429, code: 42911 };
    if (isStream && this.subscribers.size >= MAX_STREAMS) return { status: 429, code: 42903 };
    return undefined;
  }

  /** Creates those that don't exist, or none if there are too many. */
  #create(topics: readonly string[]): boolean {
    const refill = Math.floor((this.#schedule.nowMs - this.#admittedMs) / ADMIT_EVERY_MS);
    this.#admissions = Math.min(this.manners.newTopics, this.#admissions + refill);
    this.#admittedMs += refill * ADMIT_EVERY_MS;
    const missing = topics.filter((topic) => !this.#topics.has(topic));
    if (missing.length > this.#admissions) return false;
    this.#admissions -= missing.length;
    for (const topic of missing) this.#topics.add(topic);
    return true;
  }

  #mayRead(topic: string, authorization: string | undefined): boolean {
    if (this.forbidden.has(topic)) return false;
    const readers = this.readers.get(topic);
    return !readers || (authorization !== undefined && readers.has(authorization));
  }

  /** Someone else behind the same address uses up the request limit. */
  useUpRation(): void {
    this.#tokens = 0;
    this.#refilledMs = this.#schedule.nowMs;
  }

  /**
   * Reads the topics one after the other, so that messages can be stored in between. Merges them only by time, so
   * messages of one second come in any order. The end is called with whether some were left out.
   */
  replay(
    topics: readonly string[],
    since: string,
    scheduled: boolean,
    done: (events: ProtocolEvent[], isCut: boolean) => void,
  ): void {
    const events: ProtocolEvent[] = [];
    let isCut = false;
    const life = this.#life;
    const { lagMs } = this.manners;
    const replica = lagMs > 0 ? { untilMs: this.#schedule.nowMs - this.#random.int(0, lagMs) } : undefined;
    const read = (at: number): void => {
      if (life !== this.#life) return;
      const topic = topics[at];
      if (topic === undefined) return done(topics.length > 1 ? this.#merged(events) : events, isCut);
      const selected = this.cache.select(topic, since, scheduled, replica);
      const sent = cutReplay(selected, this.manners.replayBytes);
      isCut ||= sent.length < selected.length;
      events.push(...sent);
      const pauseMs = topics.length > 1 && this.#random.chance(0.5) ? this.#random.int(0, 400) : 0;
      if (pauseMs > 0) this.#schedule.after("server", pauseMs, () => read(at + 1));
      else read(at + 1);
    };
    read(0);
  }

  /** Having lost touch with its cluster, it sends again what it delivered in the last hour. */
  sendAgain(subscriber: Subscriber): void {
    const lately = this.cache.rows.filter(
      ({ event, delivered, storedAtMs }) =>
        delivered && subscriber.topics.includes(event.topic) && storedAtMs > this.#schedule.nowMs - AGAIN_MS,
    );
    for (const event of sentAgain(lately.map(({ event }) => event))) subscriber.send(event);
    this.#count("sent again");
  }

  #merged(events: readonly ProtocolEvent[]): ProtocolEvent[] {
    const drawn = events.map((event) => ({ event, chance: this.#random.next() }));
    return drawn.sort((a, b) => a.event.time - b.event.time || a.chance - b.chance).map(({ event }) => event);
  }

  /** Goes down at once. Unwritten messages are lost, and the cache too if it is not kept. */
  stop(keepsCache: boolean): void {
    this.isDown = true;
    this.#life += 1;
    this.#pending = [];
    for (const subscriber of [...this.subscribers]) subscriber.cut();
    this.subscribers.clear();
    const isLossy = this.#unwritten > 0 || (!keepsCache && this.cache.rows.some(({ delivered }) => delivered));
    if (isLossy) this.lossesS.push(this.nowS);
    this.#unwritten = 0;
    this.#topics.clear();
    if (keepsCache) {
      for (const { event } of this.cache.rows) this.#topics.add(event.topic);
      return;
    }
    for (const { event, delivered } of this.cache.rows) {
      this.#lose(event.id);
      const published = this.published.get(event.id);
      if (delivered && published) published.isForgotten = true;
    }
    this.cache.rows = [];
  }

  start(): void {
    this.isDown = false;
  }

  setClock(byMs: number): void {
    if (byMs < 0) {
      this.setBackAtMs = this.#schedule.nowMs;
      this.skewBeforeMs = this.skewMs;
    } else this.setOnAtMs = this.#schedule.nowMs;
    this.skewMs += byMs;
  }

  #takeIn(
    event: MessageEvent | SequenceEvent,
    { isScheduled, uploadMs, isCached }: { isScheduled: boolean; uploadMs: number; isCached: boolean },
  ): void {
    const published: Published = { event, uploadMs };
    this.published.set(event.id, published);
    const life = this.#life;
    const accept = (): void => {
      if (life !== this.#life || this.isDown) return;
      published.acceptedAtMs = this.#schedule.nowMs;
      this.#topics.add(event.topic);
      const dueInS = event.time - this.nowS;
      this.#note(
        `accepted ${event.event} ${event.id} of ${event.topic}/${sequenceOf(event)}, time ${dueInS} s from now`,
      );
      if (event.event !== "message_clear") this.#replaceScheduled(event);
      if (!isScheduled) {
        published.deliveredAtMs = this.#schedule.nowMs;
        this.#broadcast(event);
      }
      if (!isCached || this.manners.retentionS === 0) return;
      this.#store(() => {
        published.storedAtMs = this.#schedule.nowMs;
        published.row = this.cache.add(event, !isScheduled, this.#schedule.nowMs);
        this.#work();
      }, isScheduled);
    };
    if (uploadMs > 0) this.#schedule.after("server", uploadMs, accept);
    else accept();
  }

  /** After it was handed to subscribers, and with batched writes later still (docs/protocol.md §8). */
  #store(write: () => void, atOnce: boolean): void {
    if (atOnce) return write();
    const life = this.#life;
    this.#unwritten += 1;
    const written = (): void => {
      this.#unwritten -= 1;
      write();
    };
    if (this.manners.batchMs === 0) {
      const lagMs = this.#random.chance(0.5) ? 0 : this.#random.int(1, 60);
      this.#schedule.after("server", lagMs, () => life === this.#life && written());
      return;
    }
    this.#pending.push(written);
    if (this.#pending.length > 1) return;
    this.#schedule.after("server", this.manners.batchMs, () => {
      if (life !== this.#life) return;
      const writes = this.#pending;
      this.#pending = [];
      for (const one of writes) one();
    });
  }

  #replaceScheduled(event: MessageEvent | SequenceEvent): void {
    const sequence = sequenceOf(event);
    this.cache.rows = this.cache.rows.filter((row) => {
      const isReplaced = !row.delivered && row.event.topic === event.topic && sequenceOf(row.event) === sequence;
      if (isReplaced) this.#lose(row.event.id);
      return !isReplaced;
    });
  }

  /** Delivers to each subscriber in a separate task, so that two quick messages may swap. */
  #broadcast(event: ProtocolEvent): void {
    for (const subscriber of this.subscribers) {
      if (!subscriber.topics.includes(event.topic)) continue;
      if (this.#random.chance(this.manners.dropped)) {
        this.#count("live message dropped");
        continue;
      }
      const copies = this.#random.chance(this.manners.duplicated) ? 2 : 1;
      if (copies > 1) this.#count("live message doubled");
      for (let copy = 0; copy < copies; copy++) {
        const isLate = this.#random.chance(this.manners.swapped);
        if (isLate) this.#count("live message swapped");
        this.#schedule.after("server", isLate ? this.#random.int(1, 1_500) : 0, () => {
          if (this.subscribers.has(subscriber)) subscriber.send(event);
        });
      }
    }
  }

  #deliverDue(): void {
    if (this.isDown) return;
    for (const row of this.cache.rows) {
      if (row.delivered || row.event.time > this.nowS) continue;
      row.delivered = true;
      const published = this.published.get(row.event.id);
      if (published) published.deliveredAtMs = this.#schedule.nowMs;
      this.#broadcast(row.event);
    }
  }

  #cleanUp(): void {
    if (this.isDown) return;
    this.cache.rows = this.cache.rows.filter(({ event, delivered }) => {
      const isKept = !delivered || (event.expires ?? 0) > this.nowS;
      const published = this.published.get(event.id);
      if (!isKept && published) published.expiredAtMs = this.#schedule.nowMs;
      return isKept;
    });
  }

  #lose(id: string): void {
    const published = this.published.get(id);
    if (published) published.lostAtMs = this.#schedule.nowMs;
  }

  /** Its jobs run so long as there is something for them to do. */
  #work(): void {
    this.#repeat(DELIVER_EVERY_MS, () => {
      this.#deliverDue();
      return this.cache.rows.some(({ delivered }) => !delivered);
    });
    this.#repeat(CLEAN_UP_EVERY_MS, () => {
      this.#cleanUp();
      return this.cache.rows.length > 0;
    });
  }

  /** At whole multiples of the interval, until there is nothing left to do. */
  #repeat(everyMs: number, run: () => boolean): void {
    if (this.#working.has(everyMs)) return;
    this.#working.add(everyMs);
    this.#schedule.after("server", everyMs - (this.#schedule.nowMs % everyMs), () => {
      this.#working.delete(everyMs);
      if (run()) this.#repeat(everyMs, run);
    });
  }
}
