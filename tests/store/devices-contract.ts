import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import {
  MARK_KINDS,
  type Mark,
  MAX_MUTE_MS,
  markKey,
  type MarkKind,
  type MessageKey,
  type Register,
  stampAt,
  type StoredMessage,
} from "../../src/contract";
import type { SequenceEvent } from "../../src/protocol";
import type { GroupRecord, Store } from "../../src/store";
import { checkConsistency, recordsIn, snapshot } from "./check-consistency";
import {
  control,
  ADDRESS,
  DAY_S,
  feedIds,
  groupOf,
  message,
  must,
  NOW_MS,
  NOW_S,
  receive,
  storeWith,
  type Engine,
} from "./samples";
import { runs } from "../long";

/** When nothing can be undone any more. */
const LATER_MS = NOW_MS + 60_000;

const keyOf = (kind: MarkKind, id: string, time = NOW_S) =>
  markKey(kind, { address: ADDRESS, topic: "backups", time, id });

/** A register that another device set then. */
const told = (key: string, value: unknown, ms = NOW_MS): Register => ({ key, value, stamp: stampAt(ms, "desk") });

async function take(store: Store, registers: readonly Register[], nowMs = NOW_MS) {
  return must(await store.takeRegisters(registers, NOW_MS, nowMs));
}

/** What a device has yet to tell, by key. */
async function unsent(store: Store): Promise<Record<string, unknown>> {
  const registers = must(await store.unsentRegisters(10_000, LATER_MS)).registers;
  return Object.fromEntries(registers.map(({ key, value }) => [key, value]));
}

export function describeDevices(makeEngine: () => Engine): void {
  /** A device of a group with three messages. */
  async function device(deviceId: string, rest: Partial<GroupRecord> = {}) {
    const engine = makeEngine();
    const { store, subIds } = await storeWith(engine);
    const [subId = 0] = subIds;
    must(await store.setGroup(groupOf(deviceId, rest)));
    await receive(store, subId, [message("a", NOW_S - 2, { priority: 5 }), message("b", NOW_S - 1), message("c")]);
    const row = (id: string, time = NOW_S) => store.reader.get([subId, time, id]);
    return { engine, store, subId, row };
  }

  describe("marks for other devices", () => {
    let engine: Engine;
    let store: Store;
    let c: MessageKey;

    beforeEach(async () => {
      const phone = await device("phone");
      ({ engine, store } = phone);
      c = [phone.subId, NOW_S, "c"];
    });

    test("are noted when the user sets them, and when that is undone", async () => {
      must(await store.mark([c], { kind: "read", on: true }, NOW_MS));
      must(await store.mark([c], { kind: "starred", on: true }, NOW_MS));
      must(await store.mark([c], { kind: "snooze", untilMs: NOW_MS + 9 }, NOW_MS));
      const { inverse } = must(await store.mark([c], { kind: "done", on: true }, NOW_MS));
      expect(await unsent(store)).toEqual({
        [keyOf("read", "c")]: NOW_MS,
        [keyOf("starred", "c")]: 1,
        [keyOf("snoozed", "c")]: NOW_MS + 9,
        [keyOf("done", "c")]: NOW_MS,
      });
      must(await store.mark([c], inverse[0]?.mark as Mark, NOW_MS));
      expect(await unsent(store)).toMatchObject({ [keyOf("done", "c")]: null });
    });

    test("are noted when the user deletes messages and brings them back", async () => {
      must(await store.mark([c], { kind: "deleted", on: true }, NOW_MS));
      expect(await unsent(store)).toEqual({ [keyOf("deleted", "c")]: NOW_MS });
      must(await store.mark([c], { kind: "deleted", on: false }, NOW_MS));
      expect(await unsent(store)).toEqual({ [keyOf("deleted", "c")]: null });
    });

    test("are not noted when nothing changes, a snooze ends, retention removes messages or a button is pressed", async () => {
      await receive(store, c[0], [message("old", NOW_S - 1_000)], { nowMs: NOW_MS, readBefore: NOW_S - 500 });
      must(await store.mark([c], { kind: "read", on: false }, NOW_MS));
      must(await store.notePressed(c, { id: "x", ok: true, atMs: NOW_MS }));
      await take(store, [told(keyOf("snoozed", "c"), NOW_MS + 1)]);
      must(await store.wakeSnoozed(NOW_MS + 2));
      must(await store.patchSubscription(c[0], { keepMessages: 1 }));
      must(await store.prune(NOW_MS));
      expect(await unsent(store)).toEqual({});
    });

    test("are not noted by a device that is alone, was removed or keeps its marks", async () => {
      for (const group of [null, groupOf("phone", { ended: "removed" }), groupOf("phone", { shares: ["topics"] })]) {
        must(await store.setGroup(group));
        must(await store.mark([c], { kind: "starred", on: true }, NOW_MS));
        must(await store.mark([c], { kind: "starred", on: false }, NOW_MS));
        expect(await recordsIn(engine, "shared")).toEqual([]);
      }
    });

    test("are told once, unless they changed meanwhile", async () => {
      must(await store.mark([c], { kind: "read", on: true }, NOW_MS));
      must(await store.mark([c], { kind: "done", on: true }, NOW_MS));
      const sent = must(await store.unsentRegisters(100, LATER_MS)).registers;
      must(await store.mark([c], { kind: "done", on: false }, NOW_MS));
      must(await store.noteSent(sent));
      expect(await unsent(store)).toEqual({ [keyOf("done", "c")]: null });
      must(await store.tellAgain(NOW_MS + 1));
      expect(must(await store.unsentRegisters(1, LATER_MS)).waiting).toBe(1);
      must(await store.tellAgain(NOW_MS));
      expect(must(await store.unsentRegisters(1, LATER_MS)).waiting).toBe(2);
    });

    test("are later than what this device has heard of the same, by the server's clock", async () => {
      must(await store.patchGroup({ aheadMs: -5_000 }));
      await take(store, [told(keyOf("read", "c"), null, NOW_MS + 30_000)]);
      must(await store.mark([c], { kind: "read", on: true }, NOW_MS));
      must(await store.mark([c], { kind: "done", on: true }, NOW_MS));
      const stamps = must(await store.unsentRegisters(100, LATER_MS)).registers.map(({ key, stamp }) => [key, stamp]);
      expect(Object.fromEntries(stamps)).toEqual({
        [keyOf("read", "c")]: stampAt(NOW_MS + 30_001, "phone"),
        [keyOf("done", "c")]: stampAt(NOW_MS - 5_000, "phone"),
      });
    });

    test("go before the many that are told again", async () => {
      const many = Array.from({ length: 1_200 }, (_, at) => told(keyOf("done", `m${at}`), NOW_MS));
      await take(store, [...many, told("view A", "#/a")]);
      must(await store.mark([c], { kind: "starred", on: true }, NOW_MS));
      must(await store.tellAgain(0));
      const [first, second] = must(await store.unsentRegisters(3, LATER_MS)).registers;
      expect([first?.key, second?.key]).toEqual([keyOf("starred", "c"), "view A"]);
      expect(must(await store.unsentRegisters(1, LATER_MS)).waiting).toBe(1_202);
    });

    test("of messages older than 30 days aren't told to a newcomer, but for stars", async () => {
      const old = NOW_S - 31 * DAY_S;
      const keys = [keyOf("read", "old", old), keyOf("starred", "old", old), keyOf("read", "new")];
      await take(
        store,
        keys.map((key) => told(key, NOW_MS)),
      );
      must(await store.tellAgain(0, NOW_MS));
      expect(Object.keys(await unsent(store)).sort()).toEqual(keys.slice(1).sort());
      must(await store.tellAgain(0));
      expect(Object.keys(await unsent(store))).toHaveLength(3);
    });

    test("of very many deletions are told bit by bit, until none waits", async () => {
      const many = Array.from({ length: 600 }, (_, at) => message(`m${at}`));
      await receive(store, c[0], many);
      const keys = many.map(({ id, time }): MessageKey => [c[0], time, id]);
      must(await store.mark(keys, { kind: "deleted", on: true }, NOW_MS));
      expect(must(await store.unsentRegisters(9, NOW_MS))).toMatchObject({ waiting: 600, registers: [] });
      for (let left = 600; left > 0;) {
        const { registers: told, waiting } = must(await store.unsentRegisters(250, LATER_MS));
        expect(waiting).toBe(left);
        must(await store.noteSent(told));
        left -= told.length;
        expect(told.length).toBeGreaterThan(0);
      }
      expect(must(await store.unsentRegisters(9, LATER_MS))).toMatchObject({ waiting: 0, registers: [] });
    });

    test("of a clock that was years ahead are told as of now", async () => {
      must(await store.mark([c], { kind: "read", on: true }, NOW_MS + 9e10));
      must(await store.patchGroup({ aheadMs: 0 }));
      const sent = must(await store.unsentRegisters(100, LATER_MS)).registers;
      must(await store.noteSent(sent, NOW_MS));
      must(await store.tellAgain(0));
      expect(must(await store.unsentRegisters(100, LATER_MS)).registers[0]?.stamp).toBe(stampAt(NOW_MS, "phone"));
      await take(store, [told(keyOf("read", "c"), null, NOW_MS + 1)]);
      expect((await store.reader.get(c))?.readAtMs).toBeUndefined();
      must(await store.mark([c], { kind: "read", on: true }, NOW_MS + 2));
      expect(must(await store.unsentRegisters(100, LATER_MS)).registers[0]?.stamp).toBe(stampAt(NOW_MS + 2, "phone"));
    });

    test("a group that ends leaves nothing of it", async () => {
      must(await store.mark([c], { kind: "read", on: true }, NOW_MS));
      must(await store.setGroup(null));
      expect([await recordsIn(engine, "group"), await recordsIn(engine, "shared")]).toEqual([[], []]);
    });

    test("the server that carries the group stays when its last topic goes, until the group ends", async () => {
      const { servers, subscriptions } = await store.reader.catalogue();
      const [{ serverId } = { serverId: 0 }] = servers;
      must(await store.setAccount({ serverId, signIn: { credentials: { kind: "token", token: "tk_1" } } }));
      for (const { subId } of subscriptions) must(await store.removeSubscription(subId, NOW_MS));
      must(await store.purgeRemoved(LATER_MS));
      expect(await store.reader.catalogue()).toMatchObject({ servers, subscriptions: [], accounts: [{ serverId }] });
      must(await store.setGroup(null));
      expect(await store.reader.catalogue()).toMatchObject({ servers: [], accounts: [] });
    });

    test("marks from before the group are shared as of their time, and lose to later ones", async () => {
      must(await store.setGroup(null));
      must(await store.mark([c], { kind: "read", on: true }, NOW_MS - 9));
      must(await store.mark([c], { kind: "starred", on: true }, NOW_MS - 9));
      must(await store.setGroup(groupOf("phone")));
      must(await store.shareStored(NOW_MS));
      must(await store.shareStored(NOW_MS));
      expect(await unsent(store)).toEqual({ [keyOf("read", "c")]: NOW_MS - 9, [keyOf("starred", "c")]: 1 });
      await take(store, [told(keyOf("read", "c"), null, NOW_MS - 10)]);
      expect((await store.reader.get(c))?.readAtMs).toBe(NOW_MS - 9);
      await take(store, [told(keyOf("read", "c"), null, NOW_MS - 8)]);
      expect((await store.reader.get(c))?.readAtMs).toBeUndefined();
    });
  });

  describe("marks of other devices", () => {
    let engine: Engine;
    let store: Store;
    let subId: number;
    let row: (id: string, time?: number) => Promise<StoredMessage | undefined>;

    beforeEach(async () => {
      ({ engine, store, subId, row } = await device("phone"));
    });

    test("aren't told again with what is stored, even if the clock was set meanwhile", async () => {
      await take(store, [told(keyOf("read", "a", NOW_S - 2), NOW_MS - 5)]);
      must(await store.patchGroup({ aheadMs: 1_000 }));
      must(await store.shareStored(NOW_MS));
      expect(await unsent(store)).toEqual({});
    });

    test("are set as if they were set here, and aren't told on", async () => {
      const changes = await take(store, [
        told(keyOf("read", "a", NOW_S - 2), NOW_MS - 5),
        told(keyOf("done", "b", NOW_S - 1), NOW_MS - 5),
        told(keyOf("starred", "c"), 1),
      ]);
      expect(changes.flatMap(({ changed }) => changed.map(({ id }) => id)).sort()).toEqual(["a", "b", "c"]);
      expect(changes.at(-1)?.counts).toMatchObject([{ subId, unread: 1, unreadUrgent: 0, starred: 1, inFeed: 2 }]);
      expect(await row("a", NOW_S - 2)).toMatchObject({ readAtMs: NOW_MS - 5 });
      expect(await feedIds(store)).toEqual(["c", "a"]);
      expect(await unsent(store)).toEqual({});
      await checkConsistency(engine);
    });

    test("move the search index and remove the snapshots like one's own", async () => {
      while (must(await store.updateIndex()).more);
      must(await store.keepSnapshot({ view: "#/", conditions: "", height: 1, root: {}, tree: "" }, []));
      await take(store, [told(keyOf("read", "c"), NOW_MS)]);
      expect((await snapshot(engine)).unindexed).toEqual([[NOW_S, NOW_S]]);
      expect(await recordsIn(engine, "snapshots")).toEqual([]);
      while (must(await store.updateIndex()).more);
      await checkConsistency(engine);
    });

    test("deleted messages are gone, come back if that is undone, and stay away once purged", async () => {
      const changes = await take(store, [told(keyOf("deleted", "c"), NOW_MS - 1_000_000)]);
      expect(changes.flatMap(({ removed }) => removed)).toEqual([[subId, NOW_S, "c"]]);
      expect(await feedIds(store)).toEqual(["b", "a"]);
      await take(store, [told(keyOf("deleted", "c"), null, NOW_MS + 1)], NOW_MS + 1);
      expect(await feedIds(store)).toEqual(["c", "b", "a"]);
      await take(store, [told(keyOf("deleted", "c"), NOW_MS, NOW_MS + 2)], NOW_MS + 2);
      must(await store.prune(NOW_MS + 100_000));
      await receive(store, subId, [message("c")]);
      expect(await feedIds(store)).toEqual(["b", "a"]);
      await checkConsistency(engine);
    });

    test("a snooze holds the message back until then; one that is over brought it back", async () => {
      const until = NOW_MS + 1_000;
      await take(store, [told(keyOf("snoozed", "b", NOW_S - 1), until), told(keyOf("read", "b", NOW_S - 1), NOW_MS)]);
      expect(await feedIds(store)).toEqual(["c", "a"]);
      must(await store.wakeSnoozed(until));
      expect(await row("b", NOW_S - 1)).toMatchObject({ wokenAtMs: until });
      // The same, heard only after it was over: then it counts as unread, unless it was read since.
      await take(store, [told(keyOf("read", "c"), NOW_MS), told(keyOf("snoozed", "c"), until)], until + 9);
      expect(await row("c")).not.toHaveProperty("readAtMs");
      await take(store, [told(keyOf("read", "a", NOW_S - 2), until + 1, until + 1)], until + 9);
      await take(store, [told(keyOf("snoozed", "a", NOW_S - 2), until)], until + 9);
      expect(await row("a", NOW_S - 2)).toMatchObject({ readAtMs: until + 1 });
      await checkConsistency(engine);
    });

    test("the earlier mark loses, whichever is heard first", async () => {
      const [early, late] = [told(keyOf("done", "c"), 1, NOW_MS - 2), told(keyOf("done", "c"), null, NOW_MS - 1)];
      await take(store, [late]);
      expect(await take(store, [early])).toEqual([]);
      await take(store, [early, late, early]);
      expect(await row("c")).not.toHaveProperty("doneAtMs");
    });

    test("a device years ahead wins only until somebody marks the message again", async () => {
      await take(store, [told(keyOf("starred", "c"), 1, NOW_MS + 9e10)]);
      expect(await row("c")).toMatchObject({ starred: 1 });
      must(await store.mark([[subId, NOW_S, "c"]], { kind: "starred", on: false }, NOW_MS + 1));
      const later = must(await store.unsentRegisters(9, LATER_MS)).registers;
      const desk = await device("desk");
      await take(desk.store, [told(keyOf("starred", "c"), 1, NOW_MS + 9e10)]);
      await take(desk.store, later);
      expect(await desk.row("c")).not.toHaveProperty("starred");
    });

    test("of messages that come later are set as these come, and ring nowhere", async () => {
      const late = Array.from({ length: 700 }, (_, at) => message(`m${at}`, NOW_S + 1 + at, { priority: 5 }));
      const all = late.map(({ id, time }, at) => told(keyOf(at === 0 ? "deleted" : "read", id, time), NOW_MS));
      expect(await take(store, all)).toEqual([]);
      const came = await receive(store, subId, [...late, message("new", NOW_S + 9_000)], { alerts: true });
      expect(came.alerts.map(({ id }) => id)).toEqual(["new"]);
      expect(came.added.map(({ id }) => id)).not.toContain("m0");
      expect(came.counts).toMatchObject([{ unread: 4, inFeed: 703 }]);
      await checkConsistency(engine);
    });

    test("are set again on messages that were removed with their topic and come again", async () => {
      await take(store, [told(keyOf("read", "c"), NOW_MS)]);
      must(await store.removeSubscription(subId, NOW_MS));
      must(await store.purgeRemoved(NOW_MS + 9e6));
      const { serverId } = must(await store.addServer(ADDRESS));
      const [again] = must(await store.addSubscriptions({ serverId, accountId: 0, topics: ["backups"] }));
      await receive(store, again?.subId ?? 0, [message("b", NOW_S - 1), message("c")]);
      const rows = await recordsIn(engine, "messages");
      expect(rows.filter(({ readAtMs }) => readAtMs !== undefined).map(({ id }) => id)).toEqual(["c"]);
    });

    test("read after a snooze, by a clock that is slow, stays read", async () => {
      const until = NOW_MS + 1_000;
      await take(store, [told(keyOf("snoozed", "c"), until)]);
      must(await store.wakeSnoozed(until));
      await take(store, [told(keyOf("read", "c"), until - 600_000, until + 5)], until + 9);
      expect(await row("c")).toMatchObject({ readAtMs: until - 600_000 });
    });

    test("of a device that names the server by its former address are set, too", async () => {
      const { serverId = 0 } = must(await store.servers())[0] ?? {};
      must(
        await store.moveServer({ serverId, address: "https://new.example.org" as typeof ADDRESS, keepsSignIn: true }),
      );
      await take(store, [told(keyOf("read", "c"), NOW_MS)]);
      expect(await row("c")).toMatchObject({ readAtMs: NOW_MS });
    });

    test("that are known already leave alone what another app cleared since", async () => {
      const unread = told(keyOf("read", "c"), null);
      await take(store, [unread]);
      await receive(store, subId, [control("clear", "k", "c", NOW_S + 10)]);
      expect((await row("c"))?.readAtMs).toBeDefined();
      await take(store, [unread]);
      expect((await row("c"))?.readAtMs).toBeDefined();
    });

    test("and what other apps clear count as of their times, whichever is heard first", async () => {
      const clear = control("clear", "k", "c", NOW_S + 10);
      const earlier = told(keyOf("read", "c"), null, NOW_MS + 5_000);
      const later = told(keyOf("read", "c"), null, NOW_MS + 15_000);
      const heard = [
        [clear, earlier],
        [earlier, clear],
        [clear, later],
        [later, clear],
      ];
      const isRead: boolean[] = [];
      for (const order of heard) {
        const { store: other, subId: topic, row: rowOf } = await device("x");
        for (const one of order)
          if ("event" in one) await receive(other, topic, [one]);
          else must(await other.takeRegisters([one], NOW_MS + 20_000, NOW_MS + 20_000));
        isRead.push((await rowOf("c"))?.readAtMs !== undefined);
      }
      expect(isRead).toEqual([true, true, false, false]);
    });

    test("win over what another app cleared in the message's own second, though that order is known only later", async () => {
      const clear = control("clear", "k", "c");
      await receive(store, subId, [clear]);
      await take(store, [told(keyOf("read", "c"), null, NOW_MS + 5_000)], NOW_MS + 5_000);
      await receive(store, subId, [message("c"), clear], { isOrdered: true, via: "poll" });
      expect((await row("c"))?.readAtMs).toBeUndefined();
    });

    test("lose to a later clear that was heard while this device's clock was wrong, once it is right", async () => {
      const clear = control("clear", "k", "c", NOW_S + 60);
      await take(store, [told(keyOf("read", "c"), null, NOW_MS + 5_000)], NOW_MS + 5_000);
      await receive(store, subId, [clear], { nowMs: NOW_MS - DAY_S * 1_000 });
      await receive(store, subId, [clear], { nowMs: NOW_MS + 60_000 });
      expect((await row("c"))?.readAtMs).toBeDefined();
    });

    test("aren't told again because they are set again", async () => {
      await take(store, [told(keyOf("read", "c"), NOW_MS)]);
      must(await store.setToldMarks(NOW_MS + 1_000));
      must(await store.tellAgain(NOW_MS + 1_000));
      expect(must(await store.unsentRegisters(10, NOW_MS + 1_000)).waiting).toBe(0);
    });

    test("aren't set by a device that keeps its own, and are once it shares them", async () => {
      must(await store.patchGroup({ shares: [] }));
      expect(await take(store, [told(keyOf("read", "c"), NOW_MS)])).toEqual([]);
      must(await store.patchGroup({ shares: ["marks"] }));
      expect(must(await store.setToldMarks(NOW_MS))).toHaveLength(1);
      expect(await row("c")).toMatchObject({ readAtMs: NOW_MS });
    });

    test("a snooze longer than any changes nothing", async () => {
      await take(store, [told(keyOf("snoozed", "c"), NOW_MS + MAX_MUTE_MS + 1)]);
      expect(await feedIds(store)).toEqual(["c", "b", "a"]);
      await checkConsistency(engine);
    });

    test("registers of a newer version are kept and passed on", async () => {
      const newer = told("mood of the day", { is: "good" });
      await take(store, [newer]);
      must(await store.tellAgain(0));
      expect(must(await store.unsentRegisters(10, LATER_MS)).registers).toEqual([newer]);
    });

    test("are forgotten 90 days later, unlike other registers", async () => {
      await take(store, [told(keyOf("read", "c"), NOW_MS), told(keyOf("starred", "other"), 1), told("view A", "#/a")]);
      must(await store.prune(NOW_MS + 89 * 86_400_000));
      expect(await recordsIn(engine, "shared")).toHaveLength(3);
      must(await store.prune(NOW_MS + 91 * 86_400_000));
      expect(await recordsIn(engine, "shared")).toMatchObject([{ key: "view A" }]);
    });
  });

  describe("own registers", () => {
    test("are told once, and again only if they change", async () => {
      const { store } = await device("phone");
      const view = { key: "view A", value: "#/a" };
      must(await store.setRegisters([view, { key: "setting keepDays", value: 7 }], NOW_MS));
      const first = must(await store.unsentRegisters(10, LATER_MS)).registers;
      must(await store.noteSent(first));
      must(await store.setRegisters([view, { key: "setting keepDays", value: 8 }], NOW_MS + 1));
      expect(await unsent(store)).toEqual({ "setting keepDays": 8 });
      must(await store.setRegisters([{ key: "setting keepDays", value: null }], NOW_MS + 2));
      expect(must(await store.registersOf("setting"))).toMatchObject([{ key: "setting keepDays", value: null }]);
      expect(must(await store.registersOf("view"))).toMatchObject(first.filter(({ key }) => key === "view A"));
    });
  });

  const agree = "devices that heard the same agree, in whatever order, pieces and repetitions they heard it";
  test(agree, { timeout: 120_000 }, async () => {
    const step = fc.record({
      by: fc.nat({ max: 2 }),
      id: fc.constantFrom("a", "b", "c"),
      kind: fc.constantFrom(...MARK_KINDS, "read", "cleared by another app"),
      on: fc.boolean(),
    });
    const run = fc.tuple(fc.array(step, { maxLength: 12 }), fc.array(fc.nat(), { minLength: 40, maxLength: 40 }));
    await fc.assert(
      fc.asyncProperty(run, async ([steps, draws]) => {
        const devices = [await device("x"), await device("y"), await device("z")] as const;
        const heard: (Register | SequenceEvent)[] = [];
        let nowMs = NOW_MS;
        for (const { by, id, kind, on } of steps) {
          const { store, subId } = devices[by] ?? devices[0];
          const key: MessageKey = [subId, NOW_S - "cba".indexOf(id), id];
          nowMs += 500;
          if (kind === "cleared by another app") {
            heard.push(control("clear", `k${heard.length}`, id, Math.floor(nowMs / 1_000) + 1));
            continue;
          }
          if (kind === "snoozed")
            must(await store.mark([key], { kind: "snooze", untilMs: on ? NOW_MS + 9e8 : null }, nowMs));
          else must(await store.mark([key], { kind, on }, nowMs));
          heard.push(...must(await store.unsentRegisters(100, LATER_MS)).registers);
        }
        for (const { store, subId } of devices) {
          const order = heard.map((one, at) => ({ one, draw: draws[at % 40] ?? 0 }));
          order.sort((a, b) => a.draw - b.draw);
          draws.reverse();
          for (const { one } of [...order, ...order.slice(0, 3)])
            if ("event" in one) await receive(store, subId, [one]);
            else await take(store, [one], nowMs);
        }
        const states = await Promise.all(
          devices.map(async ({ engine }) => {
            const { messages } = await checkConsistency(engine);
            const shared = await recordsIn(engine, "shared");
            return [
              messages.map(({ id, readAtMs, doneAtMs, starred, snoozedUntilMs, deletedAtMs }) => ({
                ...{ id, doneAtMs, starred, snoozedUntilMs },
                isRead: readAtMs !== undefined,
                isDeleted: deletedAtMs !== undefined,
              })),
              shared.map(({ key, value, stamp }) => ({ key, value, stamp })),
            ];
          }),
        );
        expect(states[1]).toEqual(states[0]);
        expect(states[2]).toEqual(states[0]);
      }),
      { numRuns: runs(30) },
    );
  });
}
