// What a device of a group does: it listens to the group's topic, takes what others tell, and tells what changed here,
// rationed. Only the leading hub does; without a group nothing is asked of anybody.
import {
  type CommandError,
  type GroupDevice,
  type GroupState,
  nameOf,
  oneAtATime,
  type Register,
  rowsEvent,
  SHARE_KINDS,
  type ShareKind,
} from "../../contract";
import {
  DAY_MS,
  decodeBase64Url,
  encodeBase64Url,
  ERROR_CODES,
  fail,
  type Failure,
  guards,
  isJsonObject,
  type MessageEvent,
  ok,
  type Result,
} from "../../protocol";
import { type GroupRecord, isStoreFailure } from "../../store";
import { failed, unwrap, type CommandContext } from "../commands/context";
import type { HostRules } from "../commands/settings-commands";
import { MAX_TIMER_MS, type Timer } from "../environment";
import { isOutage, reactionTo } from "../requests/classify";
import { afterFailure, NO_TRIES } from "../requests/retry-policy";
import { encryptingKey, idOf, IV_BYTES, KEY_BYTES, TOPIC_BYTES, unwrapFor, wrap } from "./keys";
import { Listening, publishPacket } from "./listening";
import { open, type Packet, type Statement, seal } from "./packets";
import { dayOf, GATHERED_MS, MOST_A_DAY, nextSendAtMs, type Sent, sentToday } from "./ration";
import { compareCatalogue } from "./shared-catalogue";

/** How many registers are read to be told at once: more than fit into a few packets. */
const MOST_REGISTERS = 500;

/** How many packets go at once, for each reason; those that the user asks for aren't rationed. */
const PACKETS = { change: 3, answer: 20, user: 100 };

/** Why something is told now. */
type Due = { kind: "change" } | { kind: "answer" | "user"; to?: string };

/** A device that asks is answered after a random part of this, ms, unless another one was faster. */
const ANSWER_WITHIN_MS = 5_000;

/** A newcomer first compares when nothing more was answered for this long, or nothing at all for that long, ms. */
const ANSWERED_AFTER_MS = 3_000;
const UNANSWERED_AFTER_MS = 30_000;

/** Servers keep messages for 12 h by default: after a longer silence, ms, something may be missed. */
const MISSED_AFTER_MS = 11 * 3_600_000;

/** What the server will forget is told again this often, ms, from the last week, in a few packets. */
const SNAPSHOT_EVERY_MS = 6 * 3_600_000;
const SNAPSHOT_OF_MS = 7 * DAY_MS;
const SNAPSHOT_PACKETS = 6;

/** What was missed is asked for this often, ms, until somebody answers. */
const ASK_EVERY_MS = 3_600_000;

/** How far others were heard is told alone at most this often, ms. */
const HEARD_EVERY_MS = 3_600_000;

/** After a day's messages are used up, and after a refusal, the next try comes after this, ms. */
const USED_UP_FOR_MS = 3_600_000;
const REFUSED_FOR_MS = 600_000;

/** For this long, ms, those who haven't followed are told where the group is. */
const FOLLOWED_WITHIN_MS = 60 * DAY_MS;

type Trouble = { why: Failure; nextTryAtMs: number };

const NOTHING_SENT = { day: 0, count: 0, atMs: 0 };

/** What a device says of itself. */
export function ownRegister({ deviceId, name, publicKey, shares }: GroupRecord) {
  return { key: `device ${deviceId}`, value: { name, publicKey, shares } };
}

export class Member {
  /** Does what there is to do, one round at a time. */
  readonly look: () => Promise<void>;
  /** Whether somebody looks at a page. */
  isInSight = false;
  #listening: Listening | undefined;
  #place: { topic: string; key: CryptoKey } | undefined;
  #timer: Timer | undefined;
  /** Devices that asked, and when they are answered. */
  readonly #asked = new Map<string, Timer>();
  #due: Due | undefined;
  /** When this device last asked for what it missed, device clock, ms. */
  #askedAtMs = -Infinity;
  /** How much waits to be told, and since when, device clock, ms. */
  #waiting = 0;
  #waitsSinceMs: number | undefined;
  /** Others don't know yet that this device heard them. */
  #owesHeard = false;
  #compares = true;
  #compareFromMs = 0;
  /** When the topic's stream last showed a sign of life, device clock, ms. */
  #aliveAtMs: number | undefined;
  #tries = NO_TRIES;
  /** Why nothing can be told, and why nothing can be heard. */
  #mute: Trouble | undefined;
  #deaf: Trouble | undefined;

  /** @param changed called when pages should ask again */
  constructor(
    private readonly context: CommandContext,
    private readonly host: HostRules,
    private readonly changed: () => void,
  ) {
    // What can't be read or stored now is done in a later round.
    const look = () =>
      this.#look().catch((problem: unknown) => (isStoreFailure(problem) ? undefined : Promise.reject(problem)));
    this.look = oneAtATime(look, context.environment.report);
  }

  stop(): void {
    const { clearTimer } = this.context.environment;
    this.#listening?.stop();
    for (const timer of [this.#timer, ...this.#asked.values()]) clearTimer(timer);
    this.#asked.clear();
    this.#listening = this.#place = this.#timer = this.#mute = this.#deaf = undefined;
    this.#tries = NO_TRIES;
    this.#askedAtMs = -Infinity;
    this.#compares = true;
  }

  /** The page came back, or the network. */
  wake(): void {
    this.#listening?.wake();
    this.#speakAgain();
  }

  /** Something of the catalogue changed. */
  compareSoon(): void {
    this.#compares = true;
    void this.look();
  }

  /** Marks may be to tell. */
  async rowsChanged(): Promise<void> {
    if (this.#place) await this.look();
  }

  /** This device has just joined: the group's catalogue comes first. */
  joined(): Promise<void> {
    this.#compareFromMs = this.context.environment.now() + UNANSWERED_AFTER_MS;
    return this.look();
  }

  /** Tells now what waits, although it is less than usual after the last. */
  tell(due: Due = { kind: "change" }): Promise<void> {
    if (!this.#due || PACKETS[due.kind] >= PACKETS[this.#due.kind]) this.#due = due;
    return this.look();
  }

  /** Tells everything, because a device has joined. */
  async tellAll(deviceId: string): Promise<void> {
    unwrap(await this.context.environment.store.tellAgain(0));
    await this.tell({ kind: "user", to: deviceId });
  }

  async state(group: GroupRecord): Promise<GroupState & { kind: "member" }> {
    const { store, now } = this.context.environment;
    const waiting = unwrap(await store.unsentCount());
    const devices = (await this.#devices()).map(({ deviceId, name, shares }): GroupDevice => {
      const { atMs, ofMe = 0 } = group.heard?.[deviceId] ?? {};
      const isThis = deviceId === group.deviceId;
      const isInStep = waiting === 0 && (isThis || ofMe >= group.counter);
      return { deviceId, name, isThis, isInStep, shares, ...(atMs !== undefined && { seenAtMs: atMs }) };
    });
    const why = this.#mute ?? this.#deaf;
    const trouble = why && { trouble: { ...why, why: failed(why.why) } };
    const count = sentToday(group.sent ?? NOTHING_SENT, now());
    return { kind: "member", address: group.address, devices, waiting, sentToday: count, ...trouble };
  }

  /** Puts a device out: the others follow to a new topic and key. */
  async putOut(deviceId: string): Promise<Result<null, CommandError>> {
    const { store, randomBytes, now } = this.context.environment;
    const group = unwrap(await store.group());
    const devices = await this.#devices();
    if (!group || !devices.some((one) => one.deviceId === deviceId)) return fail({ kind: "not-found" });
    const place = {
      topic: encodeBase64Url(randomBytes(TOPIC_BYTES)),
      key: encodeBase64Url(randomBytes(KEY_BYTES)),
    };
    const to: Record<string, string> = {};
    for (const one of devices) {
      if (one.deviceId === deviceId || one.deviceId === group.deviceId) continue;
      const wrapped = await wrap(place, group, one.publicKey, randomBytes(IV_BYTES));
      if (wrapped) to[one.deviceId] = wrapped;
    }
    const said = await this.#say(group, { kind: "moved", from: group.publicKey, to });
    if (!said.ok) return fail(failed(said.error));
    const left = { topic: group.topic, text: said.value.text, atMs: now() };
    unwrap(await store.patchGroup({ ...place, since: null, left }));
    unwrap(await store.setRegisters([{ key: `device ${deviceId}`, value: null }], now()));
    await this.tell({ kind: "user" });
    return ok(null);
  }

  /** Tells the others that this device leaves, if they can be reached, and forgets the group. */
  async leave(): Promise<void> {
    const { store, now } = this.context.environment;
    const group = unwrap(await store.group());
    if (group && !group.ended) {
      unwrap(await store.setRegisters([{ key: ownRegister(group).key, value: null }], now()));
      await this.tell({ kind: "user" });
    }
    await this.forget();
  }

  async forget(): Promise<void> {
    this.stop();
    unwrap(await this.context.environment.store.setGroup(null));
  }

  async #devices() {
    const registers = unwrap(await this.context.environment.store.registersOf("device"));
    return registers.flatMap(({ key, value }) => {
      if (!isJsonObject(value) || !guards.text(value["name"]) || !guards.text(value["publicKey"])) return [];
      const given = Array.isArray(value["shares"]) ? value["shares"] : [];
      const shares = SHARE_KINDS.filter((one: ShareKind) => given.includes(one));
      const { name, publicKey } = value as { name: string; publicKey: string };
      return [{ deviceId: key.slice("device ".length), name: name.slice(0, 60), publicKey, shares }];
    });
  }

  async #look(): Promise<void> {
    const { store, now } = this.context.environment;
    const group = this.context.isLeading() ? unwrap(await store.group()) : undefined;
    if (!group || group.ended) return this.stop();
    await this.#listen(group);
    if (this.#compares && (group.here || now() >= this.#compareFromMs)) {
      this.#compares = false;
      await compareCatalogue(this.context, this.host, group);
    }
    const due = this.#due;
    this.#due = undefined;
    if (due) await this.#flush(due);
    await this.#snapshot();
    const waiting = await this.#plan();
    if (due || waiting !== this.#waiting) this.changed();
    this.#waiting = waiting;
  }

  async #listen(group: GroupRecord): Promise<void> {
    if (this.#place?.topic === group.topic) return;
    this.#listening?.stop();
    this.#place = { topic: group.topic, key: await keyOf(group) };
    this.#askedAtMs = -Infinity;
    const heardAt = Object.values(group.heard ?? {}).map(({ atMs }) => atMs);
    this.#aliveAtMs = Math.max(group.sent?.atMs ?? 0, ...heardAt) || undefined;
    const { address, topic } = group;
    let { since } = group;
    this.#listening = new Listening(this.context, {
      address,
      topic,
      since: () => (since === undefined ? { kind: "all" } : { kind: "id", id: since }),
      hear: async (events) => {
        await this.#hear(topic, events);
        since = events.at(-1)?.id;
      },
      alive: () => this.#alive(),
      failed: (trouble) => {
        this.#deaf = trouble;
        this.changed();
      },
    });
  }

  #alive(): void {
    const nowMs = this.context.environment.now();
    const lastMs = this.#aliveAtMs ?? nowMs;
    this.#aliveAtMs = nowMs;
    if (this.#deaf) this.#speakAgain();
    this.#deaf = undefined;
    if (nowMs - lastMs > MISSED_AFTER_MS) void this.#missed(lastMs);
  }

  /** The server may be back. */
  #speakAgain(): void {
    if (this.#mute && isOutage(this.#mute.why)) this.#mute.nextTryAtMs = 0;
    void this.look();
  }

  // Hearing

  async #hear(topic: string, events: readonly MessageEvent[]): Promise<void> {
    const { store } = this.context.environment;
    for (const event of events) {
      const group = unwrap(await store.group());
      // The group has moved, or ended.
      if (!group || group.topic !== topic || group.ended || !this.#place) return;
      const packet = await open(this.#place.key, event.message);
      if (packet && packet.deviceId !== group.deviceId) await this.#take(group, packet, event);
    }
    const after = unwrap(await store.group());
    const last = events.at(-1);
    if (after?.topic === topic && last) unwrap(await store.patchGroup({ since: last.id }));
    this.changed();
  }

  async #take(group: GroupRecord, packet: Packet, event: MessageEvent): Promise<void> {
    const { store, now, random, setTimer, clearTimer } = this.context.environment;
    const { deviceId, counter, said } = packet;
    const sentAtMs = Math.min(now(), event.time * 1_000 - (group.aheadMs ?? 0));
    const before = group.heard?.[deviceId];
    if (before && counter > before.counter + 1) void this.#missed(before.atMs);
    const others = { ...group.heard };
    for (const [id, heard] of Object.entries(packet.heard)) {
      const known = group.heard?.[id];
      if (!known || id === deviceId || heard <= known.counter) continue;
      void this.#missed(known.atMs);
      others[id] = { ...known, counter: heard };
    }
    const isNew = !before || counter > before.counter;
    const ofMe = Math.max(before?.ofMe ?? 0, packet.heard[group.deviceId] ?? 0);
    const heard = isNew ? { counter, atMs: sentAtMs, ofMe } : { ...before, ofMe };
    // The server counts the messages of all, if they share an address or an account.
    const sent = isNew ? { sent: counted(group, sentAtMs, now()) } : {};
    unwrap(await store.patchGroup({ heard: { ...others, [deviceId]: heard }, ...sent }));
    switch (said.kind) {
      case "changes":
      case "snapshot":
      case "answer": {
        const { won, changes } = unwrap(await store.takeRegisters(said.registers, event.time * 1_000, now()));
        // What another device has told needn't be told again.
        unwrap(await store.noteSent(said.registers));
        for (const one of changes) this.context.announce(rowsEvent(one));
        if (said.kind === "snapshot") unwrap(await store.patchGroup({ snapshotAtMs: sentAtMs }));
        if (said.kind === "answer") {
          clearTimer(this.#asked.get(said.to));
          this.#asked.delete(said.to);
          if (said.to === group.deviceId) unwrap(await store.patchGroup({ missedSinceS: null }));
          this.#compareFromMs = now() + ANSWERED_AFTER_MS;
        }
        this.#owesHeard ||= isNew && said.registers.length > 0;
        if (won.some(isOfCatalogue)) this.compareSoon();
        else void this.look();
        return;
      }
      case "ask":
        clearTimer(this.#asked.get(deviceId));
        this.#asked.set(
          deviceId,
          setTimer(() => void this.#answer(deviceId, said.sinceS), random() * ANSWER_WITHIN_MS),
        );
        return;
      case "moved":
        return this.#follow(group, deviceId, said, sentAtMs);
      default:
        return;
    }
  }

  async #missed(sinceMs: number): Promise<void> {
    const { store } = this.context.environment;
    const group = await store.group();
    if (!group.ok || !group.value) return;
    const { aheadMs = 0, missedSinceS = Infinity } = group.value;
    await store.patchGroup({ missedSinceS: Math.min(Math.floor((sinceMs + aheadMs) / 1_000), missedSinceS) });
    await this.tell();
  }

  async #answer(deviceId: string, sinceS: number): Promise<void> {
    const { store } = this.context.environment;
    this.#asked.delete(deviceId);
    const group = await store.group();
    if (!group.ok || !group.value) return;
    await store.tellAgain(sinceS * 1_000 - (group.value.aheadMs ?? 0) - DAY_MS);
    await this.tell({ kind: "answer", to: deviceId });
  }

  async #follow(
    group: GroupRecord,
    deviceId: string,
    said: Statement & { kind: "moved" },
    atMs: number,
  ): Promise<void> {
    const { store } = this.context.environment;
    const isKnown = (await this.#devices()).some((one) => one.deviceId === deviceId);
    if (!isKnown || (await idOf(said.from)) !== deviceId) return;
    const wrapped = said.to[group.deviceId];
    const place = wrapped && (await unwrapFor(group, said.from, wrapped));
    if (isJsonObject(place) && guards.text(place["topic"]) && guards.text(place["key"])) {
      unwrap(await store.patchGroup({ topic: place["topic"], key: place["key"], since: null }));
      // What was told to the old topic since then, nobody heard.
      unwrap(await store.tellAgain(atMs - 60_000));
    } else if (!wrapped) unwrap(await store.patchGroup({ ended: "put-out" }));
    void this.look();
  }

  // Telling

  /** Tells what waits, as far as the ration for this reason goes. */
  async #flush(due: Due): Promise<void> {
    const { store, now } = this.context.environment;
    this.#waitsSinceMs = undefined;
    if (due.kind !== "user" && now() < this.#muteUntilMs(now())) return;
    for (let packets = 0; packets < PACKETS[due.kind]; packets++) {
      const group = unwrap(await store.group());
      if (!group || (due.kind !== "user" && sentToday(group.sent ?? NOTHING_SENT, now()) >= MOST_A_DAY)) return;
      const { missedSinceS: sinceS } = group;
      if (sinceS !== undefined && now() >= this.#askedAtMs + ASK_EVERY_MS) {
        if (!(await this.#say(group, { kind: "ask", sinceS })).ok) return;
        this.#askedAtMs = now();
        continue;
      }
      const registers = unwrap(await store.unsentRegisters(MOST_REGISTERS, now()));
      if (registers.length === 0 && !this.#isHeardDue(group)) return;
      const to = due.kind === "change" ? undefined : due.to;
      const said = await this.#say(group, to ? { kind: "answer", registers, to } : { kind: "changes", registers });
      if (!said.ok) return;
      unwrap(await store.noteSent(registers.slice(0, registers.length - said.value.left.length)));
    }
  }

  async #say(group: GroupRecord, said: Statement): Promise<Result<{ text: string; left: Register[] }, Failure>> {
    const { store, now, random, randomBytes } = this.context.environment;
    const { deviceId, counter } = group;
    const key = await keyOf(group);
    const heard = Object.fromEntries(Object.entries(group.heard ?? {}).map(([id, one]) => [id, one.counter]));
    const sealed = await seal(key, { deviceId, counter: counter + 1, heard, said }, randomBytes(IV_BYTES));
    const answer = await publishPacket(this.context, group, sealed.text);
    const nowMs = now();
    if (!answer.ok) {
      const reaction = reactionTo(answer.error);
      const isUsedUp = answer.error.kind === "busy" && answer.error.code === ERROR_CODES.noMessageLeft;
      const afterMs = isUsedUp ? USED_UP_FOR_MS : reaction.kind === "retry" ? reaction.afterMs : REFUSED_FOR_MS;
      const next = afterFailure(this.#tries, { nowMs, chance: random() }, afterMs);
      this.#tries = next.tries;
      this.#mute = { why: answer.error, nextTryAtMs: nowMs + next.afterMs };
      return answer;
    }
    this.#tries = NO_TRIES;
    this.#mute = undefined;
    this.#owesHeard = false;
    const aheadMs = answer.value.time * 1_000 + 500 - nowMs;
    const after = { ...counted(group, nowMs, nowMs), atMs: nowMs };
    unwrap(await store.patchGroup({ counter: counter + 1, sent: after, aheadMs }));
    return ok(sealed);
  }

  /** Sets the timer for what waits. Resolves to how much that is. */
  async #plan(): Promise<number> {
    const { store, now, setTimer, clearTimer } = this.context.environment;
    clearTimer(this.#timer);
    this.#timer = undefined;
    const group = unwrap(await store.group());
    const waiting = unwrap(await store.unsentCount());
    if (!group) return waiting;
    const nowMs = now();
    const sent = group.sent ?? NOTHING_SENT;
    // What comes meanwhile doesn't hold it back.
    if (waiting > 0) this.#waitsSinceMs ??= nowMs;
    const gatheredAtMs = Math.min(this.#waitsSinceMs ?? nowMs, nowMs) + GATHERED_MS;
    const soonestMs = Math.max(gatheredAtMs, nextSendAtMs(sent, nowMs), this.#muteUntilMs(nowMs));
    let tellsAtMs = Infinity;
    if (this.#owesHeard && this.isInSight) tellsAtMs = Math.max(soonestMs, sent.atMs + HEARD_EVERY_MS);
    if (group.missedSinceS !== undefined) tellsAtMs = Math.max(soonestMs, this.#askedAtMs + ASK_EVERY_MS);
    if (waiting > 0) tellsAtMs = soonestMs;
    if (!this.context.isOnline()) tellsAtMs = Infinity;
    const atMs = Math.min(tellsAtMs, this.#compares ? this.#compareFromMs : Infinity);
    if (atMs === Infinity) return waiting;
    const run = (): void => {
      this.#timer = undefined;
      if (now() >= tellsAtMs) this.#due ??= { kind: "change" };
      void this.look();
    };
    this.#timer = setTimer(run, Math.min(Math.max(0, atMs - nowMs), MAX_TIMER_MS));
    return waiting;
  }

  /** Until when nothing is tried, device clock, ms. A later time is from before the clock was set back. */
  #muteUntilMs(nowMs: number): number {
    const untilMs = this.#mute?.nextTryAtMs ?? 0;
    return untilMs > nowMs + USED_UP_FOR_MS ? 0 : untilMs;
  }

  /** Whether how far others were heard may be told alone. */
  #isHeardDue({ sent = NOTHING_SENT }: GroupRecord): boolean {
    return this.#owesHeard && this.isInSight && this.context.environment.now() >= sent.atMs + HEARD_EVERY_MS;
  }

  /** Tells again what the server will have forgotten soon, and those who haven't followed where the group is. */
  async #snapshot(): Promise<void> {
    const { store, now } = this.context.environment;
    const nowMs = now();
    const group = unwrap(await store.group());
    const lastMs = group?.snapshotAtMs ?? 0;
    if (!group || !this.#place || Math.abs(nowMs - lastMs) < SNAPSHOT_EVERY_MS || this.#mute) return;
    // Somebody else knows more.
    if (group.missedSinceS !== undefined) return;
    const hasNews = unwrap(await store.registersChangedSince(lastMs, 1)).length > 0;
    const left = group.left;
    const others = (await this.#devices()).filter(({ deviceId }) => deviceId !== group.deviceId);
    const isMissing = left && others.some(({ deviceId }) => (group.heard?.[deviceId]?.atMs ?? 0) < left.atMs);
    if (left && isMissing && nowMs - left.atMs < FOLLOWED_WITHIN_MS) {
      await publishPacket(this.context, { address: group.address, topic: left.topic }, left.text);
    }
    unwrap(await store.patchGroup({ snapshotAtMs: nowMs }));
    if (!hasNews || others.length === 0) return;
    let registers = unwrap(await store.registersChangedSince(nowMs - SNAPSHOT_OF_MS, 4 * MOST_REGISTERS));
    for (let packets = 0; packets < SNAPSHOT_PACKETS && registers.length > 0; packets++) {
      const before = unwrap(await store.group());
      if (!before || sentToday(before.sent ?? NOTHING_SENT, now()) >= MOST_A_DAY) return;
      const said = await this.#say(before, { kind: "snapshot", registers });
      if (!said.ok) return;
      registers = said.value.left;
    }
  }
}

const keyOf = ({ key }: GroupRecord) => encryptingKey(decodeBase64Url(key) ?? new Uint8Array(), "group");

/** The day's messages with one more, sent at that time, device clock, ms. */
function counted({ sent = NOTHING_SENT }: GroupRecord, atMs: number, nowMs: number): Sent {
  const isOfToday = dayOf(atMs) === dayOf(nowMs);
  return { ...sent, day: dayOf(nowMs), count: sentToday(sent, nowMs) + (isOfToday ? 1 : 0) };
}

function isOfCatalogue({ key }: Register): boolean {
  const kind = nameOf(key)?.kind;
  return kind === "topic" || kind === "views" || kind === "setting";
}
