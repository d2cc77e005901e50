import { beforeEach, describe, expect, test } from "vitest";
import { topicHue } from "../../src/contract";
import type { ServerAddress } from "../../src/protocol";
import type { Store } from "../../src/store";
import { ADDRESS, must, NOW_MS, storeWith, type Engine } from "./samples";

export function describeTables(makeEngine: () => Engine): void {
  describe("servers, accounts, topics, gaps, settings and views", () => {
    let store: Store;
    let subIds: number[];
    const token = (name: string) => ({ kind: "token", token: `tk_${name}` }) as const;

    beforeEach(async () => {
      const made = await storeWith(makeEngine(), ["backups", "doors"]);
      store = made.store;
      subIds = made.subIds;
    });

    test("an address has only one server", async () => {
      const [again] = [must(await store.addServer(ADDRESS))];
      expect(again.serverId).toBe(1);
      const elsewhere = must(await store.addServer("http://other.example:8080" as ServerAddress));
      expect(elsewhere.serverId).not.toBe(1);
      expect(must(await store.findServer(ADDRESS))?.serverId).toBe(1);
      expect(must(await store.findServer("https://nowhere.example" as ServerAddress))).toBeUndefined();
    });

    test("a patch sets and removes properties", async () => {
      must(await store.patchServer(1, { name: "Home", keepaliveMs: 45_000 }));
      expect(must(await store.patchServer(1, { name: null, retentionS: 0 }))).toEqual({
        serverId: 1,
        address: ADDRESS,
        keepaliveMs: 45_000,
        retentionS: 0,
      });
      expect(must(await store.patchServer(99, { name: "x" }))).toBeUndefined();
      expect(must(await store.patchSubscription(subIds[0] ?? 0, { displayName: "B", keepDays: 7 }))).toMatchObject({
        displayName: "B",
        keepDays: 7,
      });
    });

    test("each new topic gets the least used colour, also among those that are added together", async () => {
      must(await store.addSubscriptions({ serverId: 1, accountId: 0, topics: ["a", "b", "c", "d"] }));
      must(await store.addSubscriptions({ serverId: 1, accountId: 0, topics: ["e", "f", "g", "h"] }));
      const all = must(await store.subscriptions());
      expect(new Set(all.map(({ topic, colour }) => topicHue(topic, colour))).size).toBe(10);
    });

    test("an arrangement sets groups and order, and loses no topic that it does not name", async () => {
      const [backups = 0, doors = 0] = subIds;
      await store.addSubscriptions({ serverId: 1, accountId: 0, topics: ["ci"] });
      const groups = [{ name: "Home", collapsed: true as const }];
      must(
        await store.arrange({
          groups,
          topics: [
            { subId: doors, group: "Home" },
            { subId: backups, group: null },
          ],
        }),
      );
      const list = async () => must(await store.subscriptions()).map(({ topic, group }) => [topic, group]);
      expect(await list()).toEqual([
        ["doors", "Home"],
        ["backups", undefined],
        ["ci", undefined],
      ]);
      expect(must(await store.settings()).groups).toEqual(groups);
      // Topic 99 doesn't exist, so nothing changes for it; the topic that left its group is in none.
      must(
        await store.arrange({
          groups: [],
          topics: [
            { subId: 99, group: "x" },
            { subId: doors, group: null },
          ],
        }),
      );
      expect(await list()).toEqual([
        ["doors", undefined],
        ["backups", undefined],
        ["ci", undefined],
      ]);
    });

    test("a topic is added once, at the end", async () => {
      const added = must(await store.addSubscriptions({ serverId: 1, accountId: 0, topics: ["doors", "ci", "ci"] }));
      expect(added.map(({ topic, order }) => [topic, order])).toEqual([
        ["doors", 1],
        ["ci", 3],
        ["ci", 3],
      ]);
      expect(must(await store.subscriptions())).toHaveLength(3);
    });

    test("topics can't be added to a server that is gone", async () => {
      const result = await store.addSubscriptions({ serverId: 99, accountId: 0, topics: ["x"] });
      expect(result).toMatchObject({ ok: false, error: { kind: "failed" } });
    });

    test("other credentials take topics out of their group; the same ones do not", async () => {
      const [first = 0, second = 0] = subIds;
      const move = (time: number) =>
        store.ingest({
          arrivals: [],
          nowMs: NOW_MS,
          serverNowS: time,
          alerts: false,
          cursors: {
            joined: subIds,
            group: { serverId: 1, accountId: 0, id: "m", time, expires: time + 1 },
          },
        });
      must(await move(5));
      must(await store.patchSubscription(first, { refusedCode: 40301 }));
      const set = must(await store.setAccount({ serverId: 1, subIds: [first], signIn: { credentials: token("a") } }));
      const all = must(await store.subscriptions());
      expect(all.filter(({ accountId }) => accountId === set.accountId).map(({ subId }) => subId)).toEqual([first]);
      expect(all.map(({ subId, joined, refusedCode }) => [subId, joined, refusedCode])).toEqual([
        [first, 0, undefined],
        [second, 1, undefined],
      ]);
      must(await move(6));
      const same = must(await store.setAccount({ serverId: 1, subIds: [first], signIn: { credentials: token("a") } }));
      expect(same.accountId).toBe(set.accountId);
      expect(must(await store.subscriptions())[0]?.joined).toBe(1);
      expect(must(await store.cursor([1, 0]))?.time).toBe(6);
    });

    test("an account that is no longer used is removed; a refused one is tried again when it is entered again", async () => {
      const { accountId } = must(await store.setAccount({ serverId: 1, signIn: { credentials: token("a") } }));
      must(await store.patchAccount(accountId, { refusedAtMs: NOW_MS, expires: 99 }));
      const anew = must(await store.addAccount(1, { credentials: token("a") }));
      expect(anew).toEqual({ accountId, serverId: 1, credentials: token("a"), expires: 99 });
      must(
        await store.setAccount({ serverId: 1, signIn: { credentials: { kind: "basic", user: "u", password: "p" } } }),
      );
      expect(must(await store.accounts()).map(({ credentials }) => credentials.kind)).toEqual(["basic"]);
      const none = must(await store.setAccount({ serverId: 1, signIn: null }));
      expect(none.accountId).toBe(0);
      expect(must(await store.accounts())).toEqual([]);
    });

    test("a topic can be taken out of its group's cursor", async () => {
      const cursors = { joined: subIds };
      must(await store.ingest({ arrivals: [], nowMs: NOW_MS, serverNowS: 5, alerts: false, cursors }));
      must(await store.unjoin([subIds[0] ?? 0, 99]));
      expect(must(await store.subscriptions()).map(({ joined }) => joined)).toEqual([0, 1]);
    });

    test("how long messages are kept is noted for each topic that exists", async () => {
      const [subId = 0, other = 0] = subIds;
      const learnt = new Map([
        [subId, { leastS: 60, day: 20_000, nextS: 90 }],
        [99, { leastS: 1, day: 1 }],
      ]);
      must(await store.noteKeptFor(learnt));
      must(await store.patchSubscription(subId, { displayName: "B" }));
      const noted = must(await store.subscriptions()).map(({ subId, keptFor }) => [subId, keptFor]);
      expect(noted).toEqual([
        [subId, { leastS: 60, day: 20_000, nextS: 90 }],
        [other, undefined],
      ]);
    });

    test("gaps that touch become one, of which the server forgot something if it forgot some of a part", async () => {
      const [subId = 0] = subIds;
      must(await store.addGap({ subId, from: 10, to: 20 }));
      must(await store.addGap({ subId, from: 30, to: 40, forgot: 1 }));
      must(await store.addGap({ subId, from: 50, to: 60 }));
      must(await store.addGap({ subId, from: 15, to: 30 }));
      expect(await store.reader.gaps([subId])).toEqual([
        { subId, from: 10, to: 40, forgot: 1 },
        { subId, from: 50, to: 60 },
      ]);
    });

    test("gaps that touch become one", async () => {
      const [subId = 0, other = 0] = subIds;
      for (const [from, to] of [
        [10, 20],
        [40, 50],
        [20, 30],
        [28, 41],
      ] as const)
        must(await store.addGap({ subId, from, to }));
      must(await store.addGap({ subId: other, from: 1, to: 2 }));
      expect(await store.reader.gaps([subId])).toEqual([{ subId, from: 10, to: 50 }]);
      expect(await store.reader.gaps()).toEqual([
        { subId, from: 10, to: 50 },
        { subId: other, from: 1, to: 2 },
      ]);
    });

    test("settings have defaults and keep what was set", async () => {
      must(await store.setSetting("keepDays", 7));
      must(await store.setSetting("allowedRemote", [1, 2]));
      expect(must(await store.settings())).toMatchObject({ keepDays: 7, allowedRemote: [1, 2], theme: "system" });
      expect(must(await store.settings())).not.toHaveProperty("counters");
    });

    test("views are set in their order; each keeps its number, and a new one gets one never used before", async () => {
      const views = async () => (await store.reader.catalogue()).views;
      must(
        await store.setViews([
          { name: "One", link: "#/a" },
          { name: "Two", link: "#/b" },
        ]),
      );
      const [one, two] = await views();
      if (!one || !two) throw new Error("not kept");
      must(await store.setViews([two, { ...one, name: "Uno" }]));
      expect((await views()).map(({ viewId, name }) => [viewId, name])).toEqual([
        [two.viewId, "Two"],
        [one.viewId, "Uno"],
      ]);
      must(await store.setViews([two]));
      must(await store.setViews([two, { name: "Three", link: "#/c" }]));
      const [, three] = await views();
      expect(three?.name).toBe("Three");
      expect(three?.viewId).toBeGreaterThan(Math.max(one.viewId, two.viewId));
      must(await store.setViews([one, two]));
      expect((await views()).map(({ viewId, link }) => [viewId, link])).toEqual([
        [one.viewId, "#/a"],
        [two.viewId, "#/b"],
      ]);
    });
  });
}
