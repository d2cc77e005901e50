// What a device of a group does: it listens to the group's topic, takes what others tell, and tells what changed here,
// rationed. Only the leading hub does; without a group nothing is asked of anybody.
import {
  CLOCK_SLACK_MS,
  type CommandError,
  type DeviceGroup,
  type GroupDevice,
  type GroupState,
  markOf,
  oneAtATime,
  type Register,
  SHARE_KINDS,
  stampAt,
} from "../../contract";
import { DAY_MS, ERROR_CODES, fail, type Failure, guards, type MessageEvent, ok, type Result } from "../../protocol";
import { type GroupPatch, type GroupRecord, isStoreFailure } from "../../store";
import { failed, unwrap, type CommandContext } from "../commands/context";
import { MAX_TIMER_MS, type Timer } from "../environment";
import { isOutage, reactionTo } from "../requests/classify";
import { MAX_DELAY_MS, MIN_DELAY_MS, restored } from "../requests/retry-policy";
import { idOf, IV_BYTES, keyOf, unwrapFor, wrap } from "./keys";
import { listenTo, publishPacket, REFUSED_FOR_MS } from "./listening";
import { open, type Packet, seal, type Statement, toldBy } from "./packets";
import { isPlace, newPlace } from "./pairing";
import { type CatalogueRules, compareCatalogue, isNewcomer } from "./shared-catalogue";

const HOUR_MS = 3_600_000;

/** How many registers are read to be told at once: more than fit into a few packets. */
const MOST_REGISTERS = 500;

/** What is done at the same time goes together: a change waits for others this long, ms. */
const GATHERED_MS = 600;

/**
 * So many may go before they have to wait, and after how long one more, ms: 40 a day, of the 250 that servers give a
 * visitor. One packet of what the user asked for, and what answers a device, takes none of it.
 */
const RATION = 20;
const ONE_MORE_MS = 1.2 * HOUR_MS;

/** The last ones are kept for when the page is hidden. */
const KEPT_BACK = 2;

/** After what was told, the next news wait so long, ms; with less than plenty left, twice as long for each three. */
const EVERY_MS = 30_000;
const PLENTY = 14;

/** An answer comes after a random part of this, ms, where others answer too. A long one pauses as long. */
const ANSWER_WITHIN_MS = 10_000;

/** So many packets of an answer go at once: servers allow a household 60 requests, and one more each 5 s. */
const ANSWERED_AT_ONCE = 5;

/** A newcomer that hears another newcomer's question, and no answer for so long, ms, knows as much as anybody. */
const ANSWERED_WITHIN_MS = 30_000;

/**
 * Servers keep messages for 12 h by default. So after a longer silence, ms, something may be missed; a question is
 * asked again, and what was new within a day is told again, this often.
 */
const KEPT_MS = 11 * HOUR_MS;

/** After a day's messages are used up, the next try comes after this, ms. */
const USED_UP_FOR_MS = HOUR_MS;

/** For this long, ms, those who were away are told where the group is, or that they were removed. */
const FOLLOWED_WITHIN_MS = 60 * DAY_MS;

/** Where the group is, as this device listens to it. */
type Place = { topic: string; key: Promise<CryptoKey>; stream?: ReturnType<typeof listenTo> };

const { fields, list, text } = guards;

/** What a device says of itself. */
const isDevice = fields({ name: text, publicKey: text, shares: list(text) });

/** What this device says of itself. */
export function ownRegister({ deviceId, name, publicKey, shares }: GroupRecord) {
  return { key: `device ${deviceId}`, value: { name, publicKey, shares } };
}

export class Member {
  /** Does what there is to do, one round at a time. */
  readonly look: () => Promise<void>;
  #place: Place | undefined;
  #timer: Timer | undefined;
  /** What is said is said one after the other, because each has its number. */
  #saying: Promise<unknown> = Promise.resolve();
  /** Questions nobody has answered yet: of each device the last. Its own turn, or to go on unanswered: device clock, ms. */
  readonly #questions = new Map<string, number>();
  #answersAtMs = 0;
  #goesOnAtMs: number | undefined;
  /** What waits is told in the next round; `user`: whether or not anything may be told now. */
  #due: "change" | "hidden" | "user" | undefined;
  /** How much waits to be told, and since when, device clock, ms. */
  #waiting = 0;
  #waitsSinceMs: number | undefined;
  /** When this device last sent news that nobody had asked for, device clock, ms. */
  #toldAtMs = -Infinity;
  /** Others don't know yet that this device heard them. */
  #owesHeard = false;
  #lookedAtMs = -Infinity;
  #compares = true;
  /** When the topic's stream last showed a sign of life, device clock, ms. */
  #aliveAtMs: number | undefined;
  #cantTell: DeviceGroup["trouble"];
  #cantHear: DeviceGroup["trouble"];

  constructor(
    private readonly context: CommandContext,
    private readonly rules: CatalogueRules,
  ) {
    const look = () =>
      this.#look().catch((problem: unknown) => {
        this.#compares = true;
        // What can't be read or stored now is done in a later round.
        this.#timer = context.environment.setTimer(() => void this.look(), MAX_TIMER_MS);
        if (!isStoreFailure(problem)) throw problem;
      });
    this.look = oneAtATime(look, context.environment.report);
  }

  /** Pages should ask again. */
  changed(): void {
    this.context.announce({ kind: "devices" });
  }

  stop(): void {
    this.#place?.stream?.stop();
    this.context.environment.clearTimer(this.#timer);
    this.#place = this.#timer = this.#goesOnAtMs = this.#cantTell = this.#cantHear = this.#due = undefined;
    this.#questions.clear();
    this.#compares = true;
  }

  /** The page came back, or the network. */
  wake(): void {
    this.#place?.stream?.wake();
    this.#speakAgain();
  }

  /** Something of the catalogue changed. */
  compareSoon(): void {
    this.#compares = true;
    void this.look();
  }

  /** Marks may be to tell. */
  rowsChanged(): void {
    if (this.#place) void this.look();
  }

  /** The page is hidden, as it says again and again: what waits is told sooner than usual after the last. */
  hide(): void {
    if (this.#waiting === 0) return;
    this.#due ??= "hidden";
    void this.look();
  }

  /** Tells now what waits, because the user asked for it. */
  tell(): Promise<void> {
    this.#due = "user";
    this.changed();
    return this.look();
  }

  /** Why nothing can be told, else why nothing can be heard. */
  get trouble(): DeviceGroup["trouble"] {
    return this.#cantTell ?? this.#cantHear;
  }

  async state(group: GroupRecord): Promise<GroupState & { kind: "member" }> {
    const { store, now } = this.context.environment;
    const { waiting } = unwrap(await store.unsentRegisters(1, now()));
    const all = await this.#devices();
    const devices = all.map(({ deviceId, name, shares }): GroupDevice => {
      const { atMs, ofMe = 0 } = group.heard?.[deviceId] ?? {};
      const isThis = deviceId === group.deviceId;
      const isInStep = waiting === 0 && (isThis || ofMe >= (group.toldCounter ?? 0));
      return { deviceId, name, isThis, isInStep, shares, ...(atMs !== undefined && { seenAtMs: atMs }) };
    });
    const trouble = this.trouble && { trouble: this.trouble };
    return { kind: "member", address: group.address, devices, waiting, ...trouble };
  }

  /** Removes a device: all others, this one too, follow to a new topic and key once they hear it. */
  async removeDevice(deviceId: string): Promise<Result<null, CommandError>> {
    const { store, randomBytes } = this.context.environment;
    const group = unwrap(await store.group());
    const devices = await this.#devices();
    // A newcomer doesn't know yet whom else a move would leave behind.
    if (!group || isNewcomer(group) || !devices.some((one) => one.deviceId === deviceId))
      return fail({ kind: "not-found" });
    const place = newPlace(this.context.environment);
    const to: Record<string, string> = {};
    for (const one of devices.filter((each) => each.deviceId !== deviceId)) {
      const wrapped = await wrap(place, group, one.publicKey, randomBytes(IV_BYTES));
      if (wrapped) to[one.deviceId] = wrapped;
    }
    const said = await this.#say({ kind: "moved", from: group.publicKey, out: deviceId, to });
    return said.ok ? ok(null) : fail(failed(said.error));
  }

  /** Tells the others that this device leaves, if they can be reached, and forgets the group. */
  async leave(): Promise<void> {
    const { store, now } = this.context.environment;
    const group = unwrap(await store.group());
    if (group && !group.ended) {
      const { key } = ownRegister(group);
      unwrap(await store.setRegisters([{ key, value: null }], now()));
      const all = unwrap(await store.registersOf("device"));
      await this.#say({ kind: "changes", registers: all.filter((one) => one.key === key) });
    }
    await this.forget();
  }

  async forget(): Promise<void> {
    unwrap(await this.context.environment.store.setGroup(null));
    await this.context.catalogueChanged();
    await this.look();
    this.changed();
  }

  async #devices() {
    const registers = unwrap(await this.context.environment.store.registersOf("device"));
    return registers.flatMap(({ key, value }) => {
      if (!isDevice(value)) return [];
      const shares = SHARE_KINDS.filter((one) => value.shares.includes(one));
      return [{ ...value, deviceId: key.slice("device ".length), name: value.name.slice(0, 60), shares }];
    });
  }

  /** How many are there to be told what waits: by a newcomer none, as it first learns what the others know. */
  async #others(group: GroupRecord): Promise<number> {
    return isNewcomer(group) ? 0 : (await this.#devices()).filter((one) => one.deviceId !== group.deviceId).length;
  }

  async #look(): Promise<void> {
    const { store, now } = this.context.environment;
    const group = this.context.isLeading() ? unwrap(await store.group()) : undefined;
    if (!group || group.ended) return this.stop();
    // After a clock was set back, by more than clocks are adjusted, nothing waits for times that lie ahead.
    if (now() < this.#lookedAtMs - 1_000) {
      this.#toldAtMs = this.#answersAtMs = this.#waitsSinceMs = -Infinity;
      if (this.#cantTell) this.#cantTell.nextTryAtMs = 0;
    }
    this.#lookedAtMs = now();
    const lateMs = now() - (this.#goesOnAtMs ?? Infinity);
    // Who was asleep or couldn't hear doesn't know that nobody has answered.
    if (lateMs >= 0 && (this.#cantHear || lateMs > ANSWER_WITHIN_MS)) this.#goesOnAtMs = now() + ANSWERED_WITHIN_MS;
    else if (lateMs >= 0) {
      this.#goesOnAtMs = undefined;
      unwrap(await store.patchGroup({ missedSinceS: null, asked: null, snapshotAtMs: now() }, group.topic));
      return this.compareSoon();
    }
    await this.#listen(group);
    const compares = this.#compares;
    this.#compares = false;
    if (compares) await compareCatalogue(this.context, this.rules, group);
    const due = this.#due;
    this.#due = undefined;
    if (due) await this.#flush(due);
    const after = due ? unwrap(await store.group()) : group;
    if (!after) return;
    await this.#tellAgain(after);
    const waiting = await this.#plan(after);
    if (due || waiting !== this.#waiting) this.changed();
    this.#waiting = waiting;
  }

  async #listen(group: GroupRecord): Promise<void> {
    const { store, now } = this.context.environment;
    if (this.#place?.topic === group.topic) return;
    if (group.counter === 0) unwrap(await store.shareStored(now()));
    this.#place?.stream?.stop();
    this.#aliveAtMs = group.aliveAtMs;
    const { address, topic, since } = group;
    const place: Place = { topic, key: keyOf(group) };
    this.#place = place;
    place.stream = listenTo(this.context, {
      address,
      topic,
      since,
      hear: (...heard) => this.#hear(place, ...heard),
      alive: () => this.#alive(),
      failed: (trouble) => {
        this.#cantHear = trouble;
        this.changed();
      },
    });
    unwrap(await store.setRegisters([ownRegister(group)], now()));
  }

  #alive(): void {
    const nowMs = this.context.environment.now();
    const lastMs = this.#aliveAtMs ?? nowMs;
    this.#aliveAtMs = nowMs;
    if (this.#cantHear) this.#speakAgain();
    this.#cantHear = undefined;
    if (nowMs - lastMs > KEPT_MS) void this.#missed(lastMs);
  }

  /** The server may be back. */
  #speakAgain(): void {
    if (this.#cantTell && isOutage(this.#cantTell.why)) this.#cantTell.nextTryAtMs = 0;
    void this.look();
  }

  // Hearing

  async #hear(place: Place, events: readonly MessageEvent[], since: string | undefined): Promise<void> {
    const { store, now } = this.context.environment;
    for (const event of events) {
      // Another hub leads now, or the group has moved: these are heard again, or not at all.
      if (this.#place !== place) return;
      const packet = await open(await place.key, event.message);
      const group = packet && unwrap(await store.group());
      // The group has moved, or ended.
      if (group && (group.topic !== place.topic || group.ended)) break;
      if (!packet || !group) continue;
      await this.#take(group, packet, event);
      if (packet.said.kind === "moved") await this.#follow(group, packet.deviceId, packet.said, event);
    }
    unwrap(await store.patchGroup({ since: since ?? null, aliveAtMs: now() }, place.topic));
    this.changed();
  }

  async #take(group: GroupRecord, packet: Packet, event: MessageEvent): Promise<void> {
    const { store, now, random } = this.context.environment;
    const { deviceId, counter, heard, said } = packet;
    const { asks, isLast } = said.kind === "changes" ? said : {};
    const toldAtMs = event.time * 1_000;
    const registers = toldBy(packet, group, toldAtMs);
    const changes = unwrap(await store.takeRegisters(registers, toldAtMs, now()));
    for (const one of changes) this.context.written(one);
    if (registers.some(({ key }) => !markOf(key))) this.compareSoon();
    if (deviceId === group.deviceId) {
      // This device said it itself, or a copy of its profile did.
      if (counter > group.counter) unwrap(await store.patchGroup({ counter }));
      return;
    }
    const before = group.heard?.[deviceId];
    if (before && counter <= before.counter) return;
    // What another device has told needn't be told again.
    unwrap(await store.noteSent(registers));
    if (before && counter > before.counter + 1) await this.#missed(before.atMs);
    const patch: GroupPatch = {};
    const wasAsked = this.#questions.size > 0;
    for (const [id, asked] of this.#questions) {
      if ((heard[id] ?? 0) < asked) continue;
      if (isLast) this.#questions.delete(id);
      // Whoever answers goes on after its pause.
      else this.#answersAtMs = now() + (1 + random()) * ANSWER_WITHIN_MS;
    }
    // The server counts the messages of all, if they share an address or an account.
    const isUnasked = !wasAsked && group.missedSinceS === undefined && asks === undefined;
    if (isUnasked) patch.ration = withOneLess(group, now());
    this.#owesHeard ||= registers.length > 0;
    if (asks !== undefined) {
      // All that it may have missed is told again; what others tell first isn't any more.
      unwrap(await store.tellAgain(asks * 1_000 - mostAheadOf(group), asks > 0 ? undefined : toldAtMs));
      const withinMs = (await this.#others(group)) > 1 ? ANSWER_WITHIN_MS : 0;
      if (this.#questions.size === 0) this.#answersAtMs = now() + random() * withinMs;
      this.#questions.set(deviceId, counter);
    }
    // The answer to a question may be here before the server has confirmed that.
    if (group.missedSinceS !== undefined) await this.#saying;
    const { asked } = unwrap(await store.group()) ?? {};
    const isAnswer = asked !== undefined && (heard[group.deviceId] ?? 0) >= asked.counter;
    const knowsAll = isAnswer && isLast === true;
    const isBothNew = asked !== undefined && isNewcomer(group) && asks !== undefined && asks <= 0;
    if (isBothNew || (isAnswer && this.#goesOnAtMs))
      this.#goesOnAtMs = knowsAll ? undefined : now() + ANSWERED_WITHIN_MS;
    // What was just learnt needn't be told again.
    if (knowsAll) Object.assign(patch, { missedSinceS: null, asked: null, snapshotAtMs: now() });
    else if (isAnswer) patch.asked = { ...asked, atMs: now() };
    const ofMe = Math.max(before?.ofMe ?? 0, heard[group.deviceId] ?? 0);
    const atMs = Math.min(now(), toldAtMs - (group.aheadMs ?? 0));
    unwrap(await store.patchGroup({ ...patch, heard: { ...group.heard, [deviceId]: { counter, atMs, ofMe } } }));
    this.#compares ||= knowsAll;
    void this.look();
  }

  async #missed(sinceMs: number): Promise<void> {
    const { store } = this.context.environment;
    const group = await store.group();
    if (!group.ok || !group.value) return;
    const { aheadMs = 0, missedSinceS: beforeS = Infinity } = group.value;
    // It may have been an answer that was missed: a second more makes another question, even of one on its way.
    const missedSinceS = Math.min(beforeS - 1, Math.floor((sinceMs + aheadMs) / 1_000));
    await store.patchGroup({ missedSinceS, asked: null });
    void this.look();
  }

  /** The group moves. Of two moves, all follow the one that the server has first. */
  async #follow(
    group: GroupRecord,
    deviceId: string,
    said: Statement & { kind: "moved" },
    event: MessageEvent,
  ): Promise<void> {
    const { store, now } = this.context.environment;
    const isKnown = (await this.#devices()).some((one) => one.deviceId === deviceId);
    const wrapped = said.to[group.deviceId];
    if (!isKnown || (await idOf(said.from)) !== deviceId) return;
    // A device that wasn't known to the one that moved the group has to join anew.
    const told = wrapped && (await unwrapFor(group, said.from, wrapped));
    if (isPlace(told)) {
      const atMs = now();
      const left = [...(group.left ?? []), { topic: group.topic, text: event.message, atMs }];
      unwrap(await store.patchGroup({ topic: told.topic, key: told.key, since: null, asked: null, left }));
      const toldAtMs = event.time * 1_000;
      const out = { key: `device ${said.out}`, value: null, stamp: stampAt(toldAtMs + CLOCK_SLACK_MS, deviceId) };
      unwrap(await store.takeRegisters([out], toldAtMs, atMs));
      // What was told to the old topic since then, nobody heard.
      unwrap(await store.tellAgain(atMs - DAY_MS));
    } else if (!wrapped) unwrap(await store.patchGroup({ ended: "removed" }));
    void this.look();
  }

  // Telling

  /** Tells what waits, as far as it may. */
  async #flush(due: "change" | "hidden" | "user"): Promise<void> {
    const { store, now } = this.context.environment;
    const isByUser = due === "user";
    const kept = due === "hidden" ? 0 : KEPT_BACK;
    this.#waitsSinceMs = undefined;
    if (!isByUser && now() < (this.#cantTell?.nextTryAtMs ?? 0)) return;
    for (let isAsked = isByUser, packets = 1; this.context.isLeading(); isAsked = false, packets++) {
      const group = unwrap(await store.group());
      if (!group) return;
      const hasOthers = (await this.#others(group)) > 0;
      const answered = hasOthers && now() >= this.#answersAtMs ? [...this.#questions] : [];
      const answers = answered.length > 0;
      const asks = isQuestionDue(group, now()) ? group.missedSinceS : undefined;
      const isRationed = !isAsked && !answers && asks === undefined;
      const isPausing = packets > 1 && this.#questions.size > 0;
      if (isRationed && (isPausing || rationOf(group, now()) < kept + 1)) return;
      const own = unwrap(await store.registersOf("device")).filter(({ key }) => key === ownRegister(group).key);
      const unsent = unwrap(await store.unsentRegisters(MOST_REGISTERS, now()));
      const registers = hasOthers ? unsent.registers : own;
      const isNews = hasOthers ? registers.length > 0 || this.#mayConfirm(group) : isByUser;
      if (!isNews && !answers && asks === undefined) return;
      const last = hasOthers && registers.length < MOST_REGISTERS && { isLast: true as const };
      const asking = asks !== undefined && { asks };
      const said = await this.#say({ kind: "changes", registers, ...asking, ...last });
      // What a topic was told that the group has left, nobody heard.
      if (!said.ok || unwrap(await store.group())?.topic !== group.topic) return;
      const { left, event } = said.value;
      const told = registers.slice(0, registers.length - left.length);
      if (isRationed && registers.length > 0) this.#toldAtMs = now();
      if (isRationed) unwrap(await store.patchGroup({ ration: withOneLess(group, now()) }));
      unwrap(await store.noteSent(told, event.time * 1_000, now()));
      const hasMore = registers.length === MOST_REGISTERS || left.length > 0;
      if (hasMore && answers && packets >= ANSWERED_AT_ONCE) return void (this.#answersAtMs = now() + ANSWER_WITHIN_MS);
      if (hasMore) continue;
      for (const [id, asked] of answered) if (this.#questions.get(id) === asked) this.#questions.delete(id);
      return;
    }
  }

  /** Resolves to the packet as the server has it, and which registers didn't fit into it. */
  #say(said: Statement) {
    const saying = this.#saying.then(() => this.#sayNow(said));
    this.#saying = saying.catch(() => undefined);
    return saying;
  }

  async #sayNow(said: Statement): Promise<Result<{ event: MessageEvent; left: Register[] }, Failure>> {
    const { store, now, random, randomBytes } = this.context.environment;
    const group = unwrap(await store.group());
    if (!group) return fail({ kind: "ended" });
    const { deviceId } = group;
    const counter = group.counter + 1;
    const heard = Object.fromEntries(Object.entries(group.heard ?? {}).map(([id, one]) => [id, one.counter]));
    const { text, left } = await seal(await keyOf(group), { deviceId, counter, heard, said }, randomBytes(IV_BYTES));
    const answer = await publishPacket(this.context, group, text);
    const nowMs = now();
    if (!answer.ok) {
      const reaction = reactionTo(answer.error);
      const isUsedUp = answer.error.kind === "busy" && answer.error.code === ERROR_CODES.noMessageLeft;
      const afterMs = isUsedUp ? USED_UP_FOR_MS : reaction.kind === "retry" ? reaction.afterMs : REFUSED_FOR_MS;
      const delayMs = random() * (this.#cantTell ? MAX_DELAY_MS : 2 * MIN_DELAY_MS);
      this.#cantTell = { why: answer.error, nextTryAtMs: nowMs + Math.max(afterMs, delayMs) };
      return answer;
    }
    this.#cantTell = undefined;
    this.#owesHeard = false;
    const { registers = [], asks } = said.kind === "changes" ? said : {};
    const told = registers.length > 0 ? { toldCounter: counter } : {};
    const aheadMs = answer.value.time * 1_000 + 500 - nowMs;
    const mostAheadMs = Math.max(mostAheadOf(group), aheadMs);
    const after = unwrap(await store.patchGroup({ counter, ...told, aheadMs, mostAheadMs }));
    const asked = { atMs: nowMs, counter };
    if (asks !== undefined && asks === after?.missedSinceS) unwrap(await store.patchGroup({ asked }, group.topic));
    return ok({ event: answer.value, left });
  }

  /** Sets the timer for what waits. Resolves to how much that is. */
  async #plan(group: GroupRecord): Promise<number> {
    const { store, now, setTimer, clearTimer } = this.context.environment;
    clearTimer(this.#timer);
    const { waiting, registers, nextAtMs } = unwrap(await store.unsentRegisters(1, now()));
    const isReady = registers.length > 0;
    const nowMs = now();
    const freeAtMs = this.#toldAtMs + gapOf(group, nowMs);
    const rationAtMs = Math.ceil(nowMs + Math.max(0, KEPT_BACK + 1 - rationOf(group, nowMs)) * ONE_MORE_MS) + 1;
    const due = [isQuestionDue(group, nowMs) ? nowMs : Infinity];
    const isAskedFor = this.#questions.size > 0;
    if ((isReady || isAskedFor || this.#owesHeard) && (await this.#others(group)) > 0) {
      // What comes meanwhile doesn't hold it back.
      if (isReady) this.#waitsSinceMs ??= nowMs;
      const gatheredAtMs = (this.#waitsSinceMs ?? nowMs) + GATHERED_MS;
      // Of what is told again, another device may be faster.
      if (isAskedFor) due.push(this.#answersAtMs);
      else if (isReady) due.push(Math.max(gatheredAtMs, freeAtMs, rationAtMs));
      // An answer confirms anyway.
      if (!isAskedFor && this.#mayConfirm(group)) due.push(Math.max(freeAtMs, rationAtMs));
    }
    const dueAtMs = this.context.isOnline() ? Math.min(...due) : Infinity;
    const tellsAtMs = Math.max(dueAtMs, this.#cantTell?.nextTryAtMs ?? 0);
    const run = (): void => {
      if (now() >= tellsAtMs) this.#due ??= "change";
      void this.look();
    };
    const waitMs = Math.min(tellsAtMs - nowMs, (this.#goesOnAtMs ?? nextAtMs) - nowMs, nextAtMs - nowMs, MAX_TIMER_MS);
    this.#timer = setTimer(run, Math.max(0, waitMs));
    return waiting;
  }

  /** Whether how far others were heard may be told alone: only while there is plenty to send. */
  #mayConfirm(group: GroupRecord): boolean {
    const isPlenty = rationOf(group, this.context.environment.now()) > PLENTY;
    return this.#owesHeard && isPlenty && this.context.isInSight();
  }

  /** Now and then, what the server will have forgotten soon, and where the group went, or that one was removed. */
  async #tellAgain(group: GroupRecord): Promise<void> {
    const { store, now, random } = this.context.environment;
    const nowMs = now();
    if (!this.#place || this.#cantTell) return;
    const aliveAtMs = this.#aliveAtMs ?? 0;
    if (aliveAtMs > (group.aliveAtMs ?? 0) + HOUR_MS) unwrap(await store.patchGroup({ aliveAtMs }));
    if (Math.abs(nowMs - (group.snapshotAtMs ?? 0)) < KEPT_MS) return;
    for (const { topic, text, atMs } of group.left ?? []) {
      if (nowMs - atMs > FOLLOWED_WITHIN_MS) continue;
      const told = await publishPacket(this.context, { address: group.address, topic }, text);
      if (!told.ok && isOutage(told.error))
        return void unwrap(await store.patchGroup({ snapshotAtMs: nowMs - KEPT_MS + HOUR_MS }));
    }
    // Not all at the same time.
    unwrap(await store.patchGroup({ snapshotAtMs: nowMs - random() * HOUR_MS }));
    // Otherwise somebody else knows more.
    if (group.missedSinceS === undefined && (await this.#others(group)) > 0)
      unwrap(await store.tellAgain(nowMs - DAY_MS));
  }
}

const mostAheadOf = ({ mostAheadMs, aheadMs = 0 }: GroupRecord): number => mostAheadMs ?? aheadMs;

/** Who has joined and knows nothing yet asks more often. */
const isQuestionDue = (group: GroupRecord, nowMs: number): boolean =>
  group.missedSinceS !== undefined &&
  Math.abs(nowMs - (group.asked?.atMs ?? -Infinity)) >= (isNewcomer(group) ? HOUR_MS : KEPT_MS);

/** How many packets may go now without waiting. */
const rationOf = ({ ration = { left: RATION, atMs: 0 } }: GroupRecord, nowMs: number): number =>
  restored(ration.left, Math.abs(nowMs - ration.atMs), { most: RATION, everyMs: ONE_MORE_MS });

const gapOf = (group: GroupRecord, nowMs: number) => EVERY_MS * 2 ** (Math.max(0, PLENTY - rationOf(group, nowMs)) / 3);

const withOneLess = (group: GroupRecord, atMs: number) => ({ left: Math.max(0, rationOf(group, atMs) - 1), atMs });
