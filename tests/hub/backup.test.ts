import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  checkViews,
  type Mark,
  markKey,
  type MessageKey,
  stampAt,
  type Sounds,
  type StoredMessage,
} from "../../src/contract";
import { type BACKED_UP_SETTINGS, openStore, SCHEMA_VERSION, type Store } from "../../src/store";
import { partLink } from "../../src/ui/state/navigation/route";
import type { ColumnFeed } from "../../src/ui/state/navigation/view";
import { checkConsistency, snapshot } from "../store/check-consistency";
import { memoryEngine } from "../store/memory-engine";
import {
  ADDRESS,
  control,
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
} from "../store/samples";
import { viewPages } from "../../src/ui/backup/write-backup";
import { asked, backupOf, bring, CHOICE, importing, read, reads } from "./backup-profile";
import { runs } from "../long";

/** Time limit for many runs on a busy machine, ms. */
const LONG_MS = 60_000;

/** What a message is to the user, on any device: not the numbers that the device gave it, nor how it came there. */
async function told(store: Store, engine: Engine) {
  const { messages, subscriptions } = await snapshot(engine);
  const names = new Map(subscriptions.map(({ subId, topic }) => [subId, topic]));
  const rows = messages
    .map(
      ({
        subId,
        arrival: _,
        listed: _listed,
        rank: _rank,
        unsettled: _unsettled,
        supersededBy,
        via: _via,
        noAlert: _why,
        alertedAtMs: _alerted,
        ...row
      }) => ({
        topic: names.get(subId),
        // Any newer version may be named.
        ...(supersededBy !== undefined && { isSuperseded: true }),
        ...row,
      }),
    )
    .sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1));
  const lists = [];
  for (const list of ["feed", "starred", "done", "snoozed", "scheduled"] as const) {
    const ids = await feedIds(store, { list });
    // Those that return in the same moment stand in the order in which they came, which a backup doesn't tell.
    lists.push(list === "snoozed" ? ids.sort() : ids);
  }
  const { subscriptions: topics, settings, views } = await store.reader.catalogue();
  return {
    rows,
    lists,
    settings,
    views: views.map(({ name, link }) => ({ name, link })),
    topics: topics.map(({ topic, displayName, group, unread, starred, total }) => ({
      ...{ topic, displayName, group, unread, starred, total },
    })),
  };
}

async function emptyStore(): Promise<{ store: Store; engine: Engine }> {
  const engine = memoryEngine();
  return { store: must(await openStore(engine)), engine };
}

const PUBLISHED = [
  ...Array.from({ length: 8 }, (_, at) => message(`p${at}`, NOW_S - 40 + at * 5, { priority: at % 2 ? 5 : 3 })),
  ...Array.from({ length: 4 }, (_, at) => message(`v${at}`, NOW_S - 38 + at * 6, { sequence_id: "job" })),
  ...Array.from({ length: 3 }, (_, at) => message(`u${at}`, NOW_S - 20 + at * 6, { sequence_id: "p1" })),
  message("same-b", NOW_S - 7),
  message("same-a", NOW_S - 7),
  message("later", NOW_S + 500),
  control("clear", "c1", "p3", NOW_S - 3),
  control("delete", "d2", "p2", NOW_S - 5),
];

const mark: fc.Arbitrary<Mark | { kind: "delete" }> = fc.oneof(
  fc.record({ kind: fc.constantFrom("read" as const, "done" as const, "starred" as const), on: fc.boolean() }),
  fc.constant({ kind: "snooze", untilMs: NOW_MS + 5_000 } as const),
  fc.constant({ kind: "delete" } as const),
);

describe("a backup", () => {
  test(
    "of any state, brought to an empty profile, shows the same, message for message",
    () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.nat(1), fc.nat(PUBLISHED.length - 1)), { minLength: 1, maxLength: 30 }),
          fc.array(fc.tuple(fc.nat(40), mark), { maxLength: 8 }),
          async (arrived, marks) => {
            const engine = memoryEngine();
            const { store, subIds } = await storeWith(engine, ["backups", "doors"]);
            for (const [sub, at] of arrived) {
              const event = PUBLISHED[at];
              const topic = sub === 0 ? "backups" : "doors";
              if (event) await receive(store, subIds[sub] ?? 0, [{ ...event, topic }], { via: "poll" });
            }
            for (const [pick, one] of marks) {
              const { messages } = await snapshot(engine);
              const row = messages[pick % Math.max(1, messages.length)];
              if (!row) continue;
              const key: MessageKey = [row.subId, row.time, row.id];
              if (one.kind === "delete") must(await store.mark([key], { kind: "deleted", on: true }, NOW_MS - 120_000));
              else must(await store.mark([key], one, NOW_MS));
            }
            while (must(await store.prune(NOW_MS)).more);

            const other = await emptyStore();
            await bring(other.store, await backupOf(store));
            await checkConsistency(other.engine);
            expect(await told(other.store, other.engine)).toEqual(await told(store, engine));
            // Both get the same from their server again: what was deleted stays so, and nothing comes twice.
            const [first = 0, second = 0] = (await other.store.reader.catalogue()).subscriptions.map(
              ({ subId }) => subId,
            );
            for (const [profile, own] of [
              [store, subIds],
              [other.store, [first, second]],
            ] as const) {
              for (const [sub, at] of arrived) {
                const event = PUBLISHED[at];
                const topic = sub === 0 ? "backups" : "doors";
                const rest = { via: "poll", alerts: false } as const;
                if (event) await receive(profile, own[sub] ?? 0, [{ ...event, topic }], rest);
              }
            }
            await checkConsistency(other.engine);
            expect(await told(other.store, other.engine), "after a poll of everything").toEqual(
              await told(store, engine),
            );
            store.close();
            other.store.close();
          },
        ),
        { numRuns: runs(25) },
      ),
    LONG_MS,
  );

  test("of a view leaves out what arrives after the press", async () => {
    const { store, subIds } = await storeWith(memoryEngine(), ["backups"]);
    const [subId = 0] = subIds;
    await receive(store, subId, [message("before", NOW_S - 5)]);
    const { lastArrival } = await store.reader.catalogue();
    await receive(store, subId, [message("after", NOW_S - 4)]);
    const ids: string[] = [];
    for await (const { rows } of viewPages(reads(store), { list: "feed", nowMs: NOW_MS }, lastArrival))
      ids.push(...rows.map(({ id }) => id));
    expect(ids).toEqual(["before"]);
  });

  test("keeps how topics look, views, groups and settings, and leaves consents behind", async () => {
    const { store, subIds } = await storeWith(memoryEngine(), ["backups", "doors"]);
    const [backups = 0] = subIds;
    must(
      await store.patchSubscription(backups, {
        ...{ displayName: "Nightly", colour: 4, icon: "💾", minPriority: 3, keepDays: 90, mutedUntilMs: Infinity },
        quietHours: { on: true, urgentAlerts: true, spans: [{ days: [1], from: "22:00", to: "07:00" }] },
      }),
    );
    must(await store.arrange({ groups: [{ name: "Home" }], topics: [{ subId: backups, group: "Home" }] }));
    must(await store.setViews([{ name: "Urgent", link: "#/?priority=urgent" }]));
    must(await store.setSetting("theme", "dark"));
    must(await store.setSetting("alertRules", { mutedUntilMs: Infinity }));
    must(await store.setSetting("allowedRemote", [backups]));
    const other = await emptyStore();
    const preview = await bring(other.store, await backupOf(store));
    expect(preview.settings.map(({ name }) => name).sort()).toEqual(["alertRules", "groups", "theme"]);
    const { subscriptions, settings, views } = await other.store.reader.catalogue();
    expect(subscriptions[0]).toMatchObject({
      ...{ topic: "backups", displayName: "Nightly", colour: 4, icon: "💾", minPriority: 3, keepDays: 90 },
      ...{ mutedUntilMs: Infinity, group: "Home" },
      quietHours: { on: true, urgentAlerts: true, spans: [{ days: [1], from: "22:00", to: "07:00" }] },
    });
    expect(settings).toMatchObject({ theme: "dark", groups: [{ name: "Home" }], allowedRemote: [] });
    expect(settings.alertRules.mutedUntilMs).toBe(Infinity);
    expect(views.map(({ name }) => name)).toEqual(["Urgent"]);
  });

  test("holds nothing of the group of devices that this one belongs to", async () => {
    const { store, subIds } = await storeWith(memoryEngine());
    must(await store.setGroup(groupOf("this-device", { key: "group-key", topic: "state-topic" })));
    await receive(store, subIds[0] ?? 0, [message("a")]);
    must(await store.mark([[subIds[0] ?? 0, NOW_S, "a"]], { kind: "starred", on: true }, NOW_MS));
    expect(await backupOf(store)).not.toMatch(/this-device|group-key|state-topic/);
  });

  test("renames views whose name is taken so that they can be stored, and brings as many groups as topics", async () => {
    const name = `${"n".repeat(56)}😀n`;
    const { store } = await emptyStore();
    const topics = Array.from({ length: 600 }, (_, at) => `t${at}`);
    const lines = [
      { kind: "header", format: "earshot-backup", version: 1, scope: "everything", madeAtMs: 1 },
      ...topics.map((topic) => ({ kind: "topic", server: ADDRESS, topic, group: `Group ${topic}` })),
      ...["a", "b", "c"].map((link) => ({ kind: "view", name, link: `#/${link}` })),
      { kind: "end", messages: 0, lines: 605 },
    ];
    await bring(store, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const { views, settings } = await store.reader.catalogue();
    expect(new Set(views.map((view) => view.name)).size).toBe(3);
    expect(checkViews(views)).toEqual({ ok: true, value: null });
    expect(settings.groups).toHaveLength(600);
    const other = await emptyStore();
    const preview = must(await read(other.store, await backupOf(store)));
    expect(preview).toMatchObject({ badSettings: [], unreadable: 0, newViews: views.map((view) => view.name) });
  });

  test("has servers' extra headers only if they were unsealed, and doesn't change those of a server that is here", async () => {
    const { store } = await storeWith(memoryEngine(), ["backups"]);
    must(await store.patchServer(1, { headers: { "X-Key": "canary-header" } }));
    const text = await backupOf(store);
    expect(text).not.toContain("canary-header");
    const [before, other] = [await emptyStore(), await emptyStore()];
    await bring(before.store, text);
    expect((await before.store.reader.catalogue()).servers[0]?.headers).toBeUndefined();
    const credentials = [{ server: ADDRESS, topics: [], headers: { "X-Key": "abc" } }];
    await bring(other.store, text, true, credentials);
    expect((await other.store.reader.catalogue()).servers[0]?.headers).toEqual({ "X-Key": "abc" });
    await bring(store, text, true, credentials);
    expect((await store.reader.catalogue()).servers[0]?.headers).toEqual({ "X-Key": "canary-header" });
  });

  test("merges with what is here: nothing twice, nothing here changes, what was deleted here stays so", async () => {
    const source = await storeWith(memoryEngine(), ["backups"]);
    const [from = 0] = source.subIds;
    await receive(source.store, from, [message("a", NOW_S - 30), message("b", NOW_S - 20), message("c", NOW_S - 10)]);
    must(await source.store.mark([[from, NOW_S - 30, "a"]], { kind: "starred", on: true }, NOW_MS));
    const engine = memoryEngine();
    const { store, subIds } = await storeWith(engine, ["backups", "other"]);
    const [backups = 0] = subIds;
    await receive(store, backups, [message("a", NOW_S - 30), message("b", NOW_S - 20)]);
    must(await store.mark([[backups, NOW_S - 20, "b"]], { kind: "deleted", on: true }, NOW_MS - 100_000));
    while (must(await store.prune(NOW_MS)).more);
    const preview = await bring(store, await backupOf(source.store));
    expect(preview).toMatchObject({ messages: { added: 1, known: 1, deleted: 1 }, newTopics: [], knownTopics: 1 });
    expect(await feedIds(store)).toEqual(["c", "a"]);
    const { messages } = await checkConsistency(engine);
    expect(messages.map(({ id, starred }) => [id, starred])).toEqual([
      ["a", undefined],
      ["c", undefined],
    ]);
    // A second time changes nothing at all.
    const again = await bring(store, await backupOf(source.store));
    expect(again.messages).toEqual({ added: 0, known: 2, deleted: 1 });
  });

  test("brings newer versions of a message that is here, and older ones of one that is newer here", async () => {
    const version = (id: string, at: number) => message(id, NOW_S - at, { sequence_id: "job" });
    const source = await storeWith(memoryEngine(), ["backups"]);
    await receive(source.store, source.subIds[0] ?? 0, [version("v1", 50), version("v2", 40), version("v4", 20)]);
    const engine = memoryEngine();
    const { store, subIds } = await storeWith(engine, ["backups"]);
    await receive(store, subIds[0] ?? 0, [version("v1", 50), version("v3", 30)]);
    await bring(store, await backupOf(source.store));
    expect(await feedIds(store)).toEqual(["v4"]);
    const versions = await store.reader.versions(subIds[0] ?? 0, "job");
    expect(versions.map(({ id }) => id)).toEqual(["v3", "v2", "v1"]);
    await checkConsistency(engine);
  });

  test("alerts nobody, moves no cursor, and lets a scheduled message alert when it is due", async () => {
    const source = await storeWith(memoryEngine(), ["backups"]);
    const [from = 0] = source.subIds;
    await receive(source.store, from, [message("now", NOW_S - 5, { priority: 5 }), message("due", NOW_S + 60)], {
      via: "poll",
    });
    const engine = memoryEngine();
    const { store, subIds } = await storeWith(engine, ["backups"]);
    await bring(store, await backupOf(source.store));
    expect(must(await store.takeClaims(NOW_MS, NOW_MS + 1_000)).taken).toBeUndefined();
    const [subscription] = must(await store.subscriptions());
    expect(subscription).not.toHaveProperty("timeCursor");
    expect(subscription).not.toHaveProperty("joined");
    expect(must(await store.cursor([1, 0]))).toBeUndefined();
    const due = must(
      await store.settleDue({ serverNowS: NOW_S + 60, nowMs: NOW_MS + 60_000, alerts: true, serverId: 1 }),
    );
    expect(due.alerts.map(({ id }) => id)).toEqual(["due"]);
    expect(subIds).toHaveLength(1);
  });

  test("adds no topic where the app's host forbids it, and changes no setting that it has locked", async () => {
    const source = await storeWith(memoryEngine(), ["backups"]);
    await receive(source.store, source.subIds[0] ?? 0, [message("a")]);
    must(await source.store.setSetting("theme", "dark"));
    must(await source.store.setSetting("density", "compact"));
    const { store, engine } = await emptyStore();
    const config = { topics: [], settings: {}, locked: ["theme" as const] };
    const host = { config, problems: [], home: "https://app.example", allowed: [], applied: {} };
    must(await store.setSetting("host", host as never));
    const preview = await bring(store, await backupOf(source.store));
    expect(preview).toMatchObject({ newTopics: [], newServers: [], messages: { added: 0 } });
    expect(preview.settings.map(({ name }) => name)).toEqual(["density"]);
    const { messages, subscriptions } = await checkConsistency(engine);
    expect([messages, subscriptions]).toEqual([[], []]);
  });

  test("is shown along with what retention would remove", async () => {
    const source = await storeWith(memoryEngine(), ["backups"]);
    await receive(source.store, source.subIds[0] ?? 0, [message("old", NOW_S - 40 * DAY_S), message("new")]);
    must(await source.store.setSetting("keepDays", 365));
    const { store } = await emptyStore();
    const preview = must(await read(store, await backupOf(source.store)));
    expect(preview.outdated).toEqual({ here: 1, there: 0 });
  });
});

/** A backup with some parts, of a topic that is here and of one that isn't. */
let long: Promise<string> | undefined;
function longBackup(): Promise<string> {
  return (long ??= makeLongBackup());
}

async function makeLongBackup(): Promise<string> {
  const source = await storeWith(memoryEngine(), ["backups", "doors"]);
  const [backups = 0, doors = 0] = source.subIds;
  const many = (topic: string, count: number) =>
    Array.from({ length: count }, (_, at) => message(`${topic}-${at}`, NOW_S - 5_000 + at, { topic }));
  await receive(source.store, backups, many("backups", 900));
  await receive(source.store, doors, many("doors", 700));
  await receive(source.store, doors, [message("v2", NOW_S - 9, { topic: "doors", sequence_id: "doors-1" })]);
  must(await source.store.setViews([{ name: "Doors", link: "#/?q=door" }]));
  must(await source.store.setSetting("density", "compact"));
  return backupOf(source.store);
}

/** Everything in the database but the numbers that were given, and what the segments don't cover yet. */
async function everything({ indexedDB }: Engine): Promise<Record<string, unknown[]>> {
  const database = await settled(indexedDB.open("earshot"));
  const names = [...database.objectStoreNames];
  const transaction = database.transaction(names);
  const stores = await Promise.all(
    names.map((name) => settled(transaction.objectStore(name).getAll() as IDBRequest<object[]>)),
  );
  database.close();
  const without = (record: object) =>
    Object.fromEntries(
      Object.entries(record).filter(
        ([name]) => !["nextArrival", "nextNumber", "unindexed", "joined", "timeCursor"].includes(name),
      ),
    );
  return Object.fromEntries(
    names.map((name, at) => [name, (stores[at] ?? []).map((one) => (typeof one === "object" ? without(one) : one))]),
  );
}

function settled<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("request failed"));
  });
}

async function profileWithTopic() {
  const engine = memoryEngine();
  const { store, subIds } = await storeWith(engine, ["backups"]);
  await receive(store, subIds[0] ?? 0, [message("backups-7", NOW_S - 4_993), message("own", NOW_S - 4_000)]);
  return { engine, store, subId: subIds[0] ?? 0 };
}

describe("an import", () => {
  afterEach(() => vi.restoreAllMocks());

  test.each([1, 2, 3, 4])("cut when its tab is killed after %i parts leaves nothing behind", async (parts) => {
    const { engine, store } = await profileWithTopic();
    const before = await everything(engine);
    // A browser that ends undoes the open transaction; here the body of it fails instead.
    let told = 0;
    const commands = importing(store, ({ kind }) => {
      if (kind === "importing" && ++told === parts) throw new Error("killed");
    });
    const killed = commands.takeBackup({ ...asked(await longBackup()), ...CHOICE });
    await expect(killed).rejects.toThrow("killed");
    expect(await everything(engine)).toEqual(before);
    await checkConsistency(engine);
  });

  test.each([1, 400, 800, 1_200, 1_599, 1_600])("cut by a full disk at write %i leaves nothing behind", async (at) => {
    const backup = await longBackup();
    const { engine, store } = await profileWithTopic();
    const before = await everything(engine);
    let writes = 0;
    // fake-indexeddb has no quota: the write itself fails, as the browser's does.
    const put = IDBObjectStore.prototype.put;
    const failing = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (
      this: IDBObjectStore,
      ...args
    ) {
      if (this.name === "messages" && ++writes === at) throw new DOMException("full", "QuotaExceededError");
      return put.apply(this, args);
    });
    const taken = await importing(store).takeBackup({ ...asked(backup), ...CHOICE });
    failing.mockRestore();
    expect(writes, "the write that fails is reached").toBeGreaterThanOrEqual(at);
    expect(taken).toMatchObject({ ok: false, error: { kind: "quota" } });
    expect(await everything(engine)).toEqual(before);
    await checkConsistency(engine);
  });

  test("isn't cut by a newer version that needs the database: that waits, and finds all of it", async () => {
    const { engine, store } = await profileWithTopic();
    let newer = undefined as Promise<IDBDatabase> | undefined;
    const commands = importing(store, ({ kind }) => {
      if (kind === "importing") newer ??= settled(engine.indexedDB.open("earshot", SCHEMA_VERSION + 1));
    });
    const taken = must(await commands.takeBackup({ ...asked(await longBackup()), ...CHOICE }));
    const database = await newer;
    const messages = database && (await settled(database.transaction("messages").objectStore("messages").count()));
    expect(taken.added).toBeGreaterThan(1_000);
    expect(messages).toBe(taken.added + 2);
    database?.close();
    await checkConsistency(engine);
  });

  test("cut while it was read leaves nothing behind", async () => {
    const backup = await longBackup();
    const { engine, store } = await profileWithTopic();
    const before = await everything(engine);
    const cut = backup.slice(0, backup.length / 2);
    expect(await read(store, cut)).toEqual({ ok: false, error: { kind: "cut-backup" } });
    expect(await everything(engine)).toEqual(before);
  });

  test("cut by the user, in the middle, leaves nothing behind", async () => {
    const backup = await longBackup();
    const { engine, store } = await profileWithTopic();
    const before = await everything(engine);
    const commands = importing(store, (event) => {
      if (event.kind === "importing") void commands.dropBackup({ importId: "one" });
    });
    for (const work of [commands.readBackup(asked(backup)), commands.takeBackup({ ...asked(backup), ...CHOICE })])
      expect(await work).toEqual({ ok: false, error: { kind: "ended-import" } });
    expect(await everything(engine)).toEqual(before);
  });

  test("cut by a file that is changed meanwhile leaves nothing behind", async () => {
    const { engine, store } = await profileWithTopic();
    const before = await everything(engine);
    const { file } = asked(await longBackup());
    const chunks = file.stream().getReader();
    const stream = () =>
      new ReadableStream({
        async pull(controller) {
          const { value } = await chunks.read();
          controller.enqueue(value);
          controller.error(new DOMException("changed", "NotReadableError"));
        },
      });
    const changed = { size: file.size, stream } as unknown as Blob;
    const taken = await importing(store).takeBackup({ importId: "one", file: changed, ...CHOICE });
    expect(taken).toEqual({ ok: false, error: { kind: "cut-backup" } });
    expect(await everything(engine)).toEqual(before);
  });
});

test("a token that a server issued to the app is known as such where it is imported", async () => {
  const { store: elsewhere } = await profileWithTopic();
  const token = { kind: "token", token: "tk_1" } as const;
  const issued = { credentials: token, user: "ada", issued: 1, expires: NOW_S + DAY_S } as const;
  const { store } = await emptyStore();
  await bring(store, await backupOf(elsewhere), true, [{ server: ADDRESS, topics: ["backups"], ...issued }]);
  expect((await store.reader.catalogue()).accounts).toMatchObject([issued]);
});

test("what the user's other devices told of an imported message holds", async () => {
  const { store: elsewhere, subId } = await profileWithTopic();
  await receive(
    elsewhere,
    subId,
    ["deleted", "kept"].map((id, at) => message(id, NOW_S - 9 + at)),
  );
  must(await elsewhere.mark([[subId, NOW_S - 8, "kept"]], { kind: "starred", on: true }, NOW_MS));
  const backup = await backupOf(elsewhere);
  const { store } = await emptyStore();
  must(await store.setGroup(groupOf("phone")));
  const key = markKey("deleted", { address: ADDRESS, topic: "backups", time: NOW_S - 9, id: "deleted" });
  must(await store.takeRegisters([{ key, value: NOW_MS, stamp: stampAt(NOW_MS, "desk") }], NOW_MS, NOW_MS));
  await bring(store, backup);
  expect(await feedIds(store)).toEqual(["kept", "own", "backups-7"]);
  const { registers } = must(await store.unsentRegisters(9, NOW_MS));
  expect(registers.map((one) => one.key)).toEqual([
    markKey("starred", { address: ADDRESS, topic: "backups", time: NOW_S - 8, id: "kept" }),
  ]);
});

test("a message that arrives during an import is stored once", async () => {
  const { engine, store, subId } = await profileWithTopic();
  let arrived: ReturnType<typeof receive> | undefined;
  const commands = importing(store, (event) => {
    if (event.kind === "importing")
      arrived ??= receive(store, subId, [message("backups-3", NOW_S - 4_997), message("live", NOW_S)]);
  });
  const taken = await commands.takeBackup({ ...asked(await longBackup()), ...CHOICE });
  expect(must(taken).added).toBe(1_600);
  expect((await arrived)?.added.map(({ id }) => id)).toEqual(["live"]);
  await checkConsistency(engine);
});

describe("two imports", () => {
  test("come one after the other, and the second finds everything here", async () => {
    const backup = await longBackup();
    const { engine, store } = await profileWithTopic();
    const commands = importing(store);
    const both = await Promise.all(
      ["one", "two"].map((importId) => commands.takeBackup({ ...asked(backup, importId), ...CHOICE })),
    );
    expect(both.map((taken) => must(taken).added)).toEqual([1_600, 0]);
    expect(must(await read(store, backup))).toMatchObject({ messages: { added: 0, known: 1_601 } });
    await checkConsistency(engine);
  });

  test("messages go to a topic that was added by hand before the decision", async () => {
    const { engine, store } = await profileWithTopic();
    must(await read(store, await longBackup()));
    const [doors] = must(await store.addSubscriptions({ serverId: 1, accountId: 0, topics: ["doors"] }));
    const taken = await importing(store).takeBackup({ ...asked(await longBackup()), ...CHOICE });
    expect(must(taken).added).toBe(1_600);
    expect(must(await store.subscriptions()).find(({ topic }) => topic === "doors")).toMatchObject({
      ...{ subId: doors?.subId, inFeed: 700 },
    });
    await checkConsistency(engine);
  });
});

describe("a file that isn't a readable backup", () => {
  const header = (more: object = {}) =>
    `${JSON.stringify({ kind: "header", format: "earshot-backup", version: 1, scope: "everything", madeAtMs: 1, ...more })}\n`;
  const topic = '{"kind":"topic","server":"https://a.example","topic":"t"}\n';

  test.each([
    ["another program's", '{"magic":"other"}\n', { kind: "not-a-backup" }],
    ["an empty file", "", { kind: "not-a-backup" }],
    ["a picture", "\u0089PNG\r\n\u001a\n\u0000\u0001", { kind: "not-a-backup" }],
    ["a line without end", `{"kind":"${"x".repeat(3_000_000)}`, { kind: "not-a-backup" }],
    ["a newer version's", header({ version: 2 }), { kind: "newer-backup", version: 2 }],
    ["one without its end", header() + topic, { kind: "cut-backup" }],
    ["one that lost lines", `${header()}{"kind":"end","messages":0,"lines":9}\n`, { kind: "bad-line", line: 2 }],
    [
      "one with a hostile address",
      `${header()}{"kind":"topic","server":"javascript:alert(1)","topic":"t"}\n`,
      { kind: "bad-line", line: 2 },
    ],
    [
      "one with credentials in an address",
      `${header()}{"kind":"server","address":"https://u:p@a.example"}\n`,
      { kind: "bad-line", line: 2 },
    ],
    [
      "one with a topic that can't be",
      `${header()}{"kind":"topic","server":"https://a.example","topic":"a/b"}\n`,
      { kind: "bad-line", line: 2 },
    ],
    [
      "one with a topic twice",
      `${header()}${topic}{"kind":"topic","server":"https://A.example/","topic":"t"}\n`,
      { kind: "bad-line", line: 3 },
    ],
    [
      "one with a setting twice",
      `${header()}${'{"kind":"setting","name":"theme","value":"dark"}\n'.repeat(2)}`,
      { kind: "bad-line", line: 3 },
    ],
  ])("%s is refused", async (_, text, fault) => {
    const { engine, store } = await emptyStore();
    const before = await everything(engine);
    expect(await read(store, text)).toEqual({ ok: false, error: fault });
    expect(await importing(store).takeBackup({ ...asked(text), ...CHOICE })).toEqual({ ok: false, error: fault });
    expect(await everything(engine)).toEqual(before);
  });

  /** A file of 500 MB that begins so and then repeats a text, and how many bytes of it were read. */
  function huge(begin: string, again: string): { file: Blob; bytes(): number } {
    const size = 500_000_000;
    const encoder = new TextEncoder();
    const chunk = encoder.encode(again.repeat(Math.ceil(65_536 / again.length)));
    let bytes = 0;
    const stream = () =>
      new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            if (bytes >= size) return controller.close();
            const next = bytes === 0 ? encoder.encode(begin) : chunk;
            bytes += next.length;
            controller.enqueue(next);
          },
        },
        { highWaterMark: 0 },
      );
    return { file: { size, stream } as unknown as Blob, bytes: () => bytes };
  }

  test.each([
    ["of another program", "x", "x", { kind: "not-a-backup" }],
    [
      "with more views than can be",
      header(),
      '{"kind":"view","name":"v","link":"#/"}\n',
      { kind: "bad-line", line: 1_002 },
    ],
  ])("500 MB %s are refused after a hundredth", async (_, begin, again, error) => {
    const { store } = await emptyStore();
    const { file, bytes } = huge(begin, again);
    expect(await importing(store).readBackup({ importId: "one", file })).toEqual({ ok: false, error });
    expect(bytes()).toBeLessThan(5_000_000);
  });

  test("one whose disk disappears while it is read is refused, and leaves nothing behind", async () => {
    const { store } = await emptyStore();
    const { file } = huge(header() + topic, '{"kind":"deleted","topic":0,"time":1,"id":"a","until":2}\n');
    const source = file.stream().getReader();
    let chunks = 0;
    const stream = () =>
      new ReadableStream({
        async pull(controller) {
          if (++chunks > 3) throw new DOMException("gone", "NotReadableError");
          controller.enqueue((await source.read()).value);
        },
      });
    const cut = { size: file.size, stream } as unknown as Blob;
    const refused = await importing(store).readBackup({ importId: "one", file: cut });
    expect(refused).toEqual({ ok: false, error: { kind: "cut-backup" } });
  });

  test("invisible names are left out, so that every topic and group has a name", async () => {
    const { store } = await emptyStore();
    const names = ["", "  ", "\u200b\u202e", "half \ud83d", "x".repeat(201)].map((name, at) =>
      JSON.stringify({
        kind: "topic",
        server: "https://a.example",
        topic: `t${at}`,
        displayName: name,
        icon: name,
        group: name,
      }),
    );
    const server = JSON.stringify({ kind: "server", address: "https://a.example", name: " " });
    const end = JSON.stringify({ kind: "end", messages: 0, lines: names.length + 3 });
    await bring(store, `${header()}${[server, ...names, end].join("\n")}\n`);
    const { subscriptions, servers, settings } = await store.reader.catalogue();
    const named = subscriptions.map(({ displayName, icon, group }) => displayName ?? icon ?? group);
    expect([named, servers[0]?.name, settings.groups]).toEqual([names.map(() => undefined), undefined, []]);
  });

  test("messages with impossible values are left out and counted", async () => {
    const { store, engine } = await emptyStore();
    const event = { id: "a", time: 1_000, event: "message", topic: "t", message: "hello" };
    const line = (more: object, changed: object = {}) =>
      `${JSON.stringify({ kind: "message", topic: 0, event: { ...event, ...changed }, via: "poll", receivedAtMs: 1, ...more })}\n`;
    const bad = [
      line({ topic: 7 }),
      line({ topic: -1 }),
      line({ via: "magic" }),
      line({ receivedAtMs: "yesterday" }),
      line({ readAtMs: 1e20 }),
      line({ starred: true }),
      line({ noAlert: { kind: "quiet", untilMs: "x" } }),
      line({}, { time: 1e300 }),
      line({}, { priority: 9 }),
      line({}, { topic: "another" }),
      line({}, { event: "message_delete", sequence_id: "x" }),
      '{"kind":"deleted","topic":0,"time":-1,"id":"x","until":1}\n',
      '{"kind":"gap","topic":0,"from":9,"to":1}\n',
      '{"kind":"nonsense"}\n',
      "not json\n",
      `"${"x".repeat(2_000_000)}"\n`,
    ];
    const text = `${header()}${topic}${bad.join("")}${line({ starred: 1 })}${line({})}${JSON.stringify({ kind: "end", messages: 1, lines: bad.length + 5 })}\n`;
    const preview = must(await read(store, text));
    expect(preview.unreadable).toBe(bad.length);
    const commands = importing(store);
    expect(must(await commands.takeBackup({ ...asked(text), ...CHOICE })).added).toBe(1);
    const { messages } = await checkConsistency(engine);
    expect(
      messages.map(({ id, starred }): Pick<StoredMessage, "id" | "starred"> => ({ id, ...(starred && { starred }) })),
    ).toEqual([{ id: "a", starred: 1 }]);
  });

  test(
    "any bytes are read without an exception",
    () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.oneof(fc.json(), fc.string(), fc.constantFrom(header(), topic))),
          async (lines) => {
            const { store } = await emptyStore();
            const result = await read(store, lines.join("\n"));
            expect(typeof result.ok).toBe("boolean");
            store.close();
          },
        ),
        { numRuns: runs(60) },
      ),
    LONG_MS,
  );

  const file = (scope: string, ...lines: object[]) =>
    [
      { kind: "header", format: "earshot-backup", version: 1, scope, madeAtMs: 1 },
      { kind: "topic", server: "https://a.example", topic: "t" },
      ...lines,
      { kind: "end", messages: 0, lines: lines.length + 3 },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join("");
  const event = { id: "a", time: NOW_S - 5, event: "message", topic: "t", message: "hello" };
  const LINES = {
    message: { kind: "message", topic: 0, event, via: "stream", receivedAtMs: 1 },
    deleted: { kind: "deleted", topic: 0, time: 1, id: "x", until: 2 },
    sequence: { kind: "sequence", topic: 0, sequence: "s", deleted: { time: 1, id: "x" }, until: 2 },
    gap: { kind: "gap", topic: 0, from: 1, to: 2 },
    setting: { kind: "setting", name: "theme", value: "dark" },
    view: { kind: "view", name: "v", link: "#/" },
    credentials: { kind: "credentials", iterations: 1, salt: "AAAA", iv: "AAAA", data: "AAAA" },
  };

  test.each([
    ["setup", ["message", "deleted", "sequence", "gap"]],
    ["view", ["deleted", "sequence", "gap", "setting", "view", "credentials"]],
    ["everything", []],
  ] as const)("of the scope %s is refused whole with a line that can't stand in it", async (scope, refused) => {
    for (const [kind, line] of Object.entries(LINES)) {
      const { store } = await emptyStore();
      const isRefused = (refused as readonly string[]).includes(kind);
      const expected = isRefused ? { ok: false, error: { kind: "bad-line", line: 3 } } : { ok: true };
      expect(await read(store, file(scope, line)), kind).toMatchObject(expected);
      store.close();
    }
  });

  test.each([
    ["a message", { ...LINES.message, event: { ...event, time: NOW_S + 2 * DAY_S } }],
    ["a version of a message", { ...LINES.message, event: { ...event, time: 253_402_300_799, sequence_id: "s" } }],
    [
      "a delivery in a hundred years",
      { ...LINES.message, scheduled: 1, event: { ...event, time: 100 * 365 * DAY_S + NOW_S } },
    ],
    ["a mark", { ...LINES.message, readAtMs: NOW_MS + 2 * DAY_S * 1_000 }],
    ["a snooze in a hundred years", { ...LINES.message, snoozedUntilMs: NOW_MS + 100 * 365 * DAY_S * 1_000 }],
    ["a deletion", { ...LINES.sequence, deleted: { time: NOW_S + 2 * DAY_S, id: "x" } }],
    ["a newest version", { ...LINES.sequence, newest: { time: 253_402_300_799, id: "x" } }],
    ["a gap", { ...LINES.gap, to: NOW_S + 2 * DAY_S }],
  ])("leaves out %s that lies ahead", async (_, line) => {
    const { store } = await emptyStore();
    expect(must(await read(store, file("everything", line)))).toMatchObject({ unreadable: 1, messages: { added: 0 } });
  });

  test.each(["fromTime", "readBefore"])("makes no topic deaf by %s", async (name) => {
    const { store } = await emptyStore();
    const topics = `{"kind":"topic","server":"https://a.example","topic":"t","${name}":253402300799}\n`;
    const end = '{"kind":"end","messages":0,"lines":3}\n';
    await bring(store, header({ scope: "setup" }) + topics + end);
    const [subscription] = must(await store.subscriptions());
    await receive(store, subscription?.subId ?? 0, [message("new", NOW_S + 1, { topic: "t" })], {
      serverNowS: NOW_S + 1,
    });
    const { subscriptions } = await store.reader.catalogue();
    expect(subscriptions[0]).toMatchObject({ total: 1, unread: 1 });
    const tooLate = topics.replace("253402300799", "9007199254740991");
    const refused = await read(store, header({ scope: "setup" }) + tooLate + end);
    expect(refused).toEqual({ ok: false, error: { kind: "bad-line", line: 2 } });
  });

  test("marks each message as imported, whatever the file says", async () => {
    const { store, engine } = await emptyStore();
    const claim = { ...LINES.message, alertedAtMs: NOW_MS };
    await bring(store, file("everything", claim).replace('"messages":0', '"messages":1'));
    const { messages } = await snapshot(engine);
    expect(messages[0]).toMatchObject({ via: "import", noAlert: "imported" });
    expect(messages[0]).not.toHaveProperty("alertedAtMs");
  });
});

describe("whatever deletes or silences messages", () => {
  const line = (kind: string, more: object) => `${JSON.stringify({ kind, ...more })}\n`;
  const text = [
    line("header", { format: "earshot-backup", version: 1, scope: "everything", madeAtMs: 1 }),
    line("topic", {
      server: ADDRESS,
      topic: "new",
      mutedUntilMs: "forever",
      minPriority: 5,
      keepMessages: 1,
      sound: "none",
    }),
    line("setting", { name: "keepMessages", value: 1 }),
    line("setting", { name: "alertRules", value: { mutedUntilMs: "forever" } }),
    line("setting", { name: "theme", value: "dark" }),
    line("setting", { name: "density", value: "no such" }),
    line("end", { messages: 0, lines: 7 }),
  ].join("");

  test("comes from a file only if chosen, and is shown beforehand with the present value", async () => {
    const { store } = await storeWith(memoryEngine(), ["backups"]);
    const commands = importing(store);
    const preview = must(await commands.readBackup(asked(text)));
    expect(preview.settings).toEqual([
      { name: "keepMessages", from: 100_000, to: 1, isByHand: true },
      { name: "alertRules", from: {}, to: { mutedUntilMs: Infinity }, isByHand: true },
      { name: "theme", from: "system", to: "dark" },
    ]);
    expect(preview.badSettings).toEqual(["density"]);
    expect(preview.newTopics[0]?.rules.map(({ name }) => name).sort()).toEqual([
      ...["keepMessages", "minPriority", "mutedUntilMs", "sound"],
    ]);
    must(await commands.takeBackup({ ...asked(text), ...CHOICE, settings: ["theme"] }));
    const { settings, subscriptions } = await store.reader.catalogue();
    expect(settings).toMatchObject({ keepMessages: 100_000, alertRules: {}, sounds: {}, theme: "dark" });
    expect(subscriptions.find(({ topic }) => topic === "new")).not.toHaveProperty("mutedUntilMs");
  });
});

const spans = fc.record({
  on: fc.boolean(),
  urgentAlerts: fc.boolean(),
  spans: fc.constant([{ days: [1], from: "22:00", to: "07:00" }]),
});
const untilMs = fc.constantFrom(NOW_MS + 5_000, Infinity);
const sound = fc.constantFrom("chime", "siren", "none");
const swipe = fc.constantFrom("none", "done", "read", "star", "snooze", "delete");

/** Values of every setting that a backup holds; one that is missing here doesn't compile. */
const SETTINGS: Record<(typeof BACKED_UP_SETTINGS)[number], fc.Arbitrary<unknown>> = {
  keepDays: fc.nat(4_000),
  keepMessages: fc.nat(1_000_000),
  theme: fc.constantFrom("system", "light", "dark"),
  density: fc.constantFrom("comfortable", "compact"),
  display: fc.record(
    { textSize: fc.integer({ min: 50, max: 300 }), times: fc.constant("relative") },
    { requiredKeys: [] },
  ),
  language: fc.constantFrom("system", "de", "pt-BR"),
  keepFiles: fc.record({ eachMb: fc.constantFrom(0, 5), allMb: fc.constantFrom(1, 500) }),
  markRead: fc.constantFrom("open", "seen", "never"),
  historyRead: fc.boolean(),
  alerts: fc.boolean(),
  alertRules: fc.record(
    {
      mutedUntilMs: untilMs,
      repeatUrgent: fc.constant(true),
      outageAfterMin: fc.constantFrom(1, 5, 15, 60),
      quietHours: spans,
    },
    { requiredKeys: [] },
  ),
  sounds: fc.record({ urgent: sound, high: sound, others: sound, topics: fc.record({ 2: sound }) }),
  swipeLeft: swipe,
  swipeRight: swipe,
  singleKeys: fc.boolean(),
  groups: fc.uniqueArray(fc.record({ name: fc.constantFrom("Home", "Work") }), { selector: ({ name }) => name }),
  columns: fc
    .array(
      fc.record(
        {
          view: fc.constantFrom<ColumnFeed["view"]>({ kind: "urgent" }, { kind: "everything" }, { kind: "starred" }),
          width: fc.integer({ min: 20, max: 60 }),
        },
        { requiredKeys: ["view"] },
      ),
      { maxLength: 3 },
    )
    .map((columns) =>
      columns.map(({ view, ...width }) => ({ link: partLink({ view, filter: { terms: [] } }, ADDRESS), ...width })),
    ),
};

const TOPIC = fc.record(
  {
    displayName: fc.constant("Nightly"),
    colour: fc.nat(9),
    icon: fc.constant("💾"),
    mutedUntilMs: untilMs,
    minPriority: fc.constantFrom(1, 3, 5),
    quietHours: spans,
    fromTime: fc.constant(NOW_S - 100),
    keepDays: fc.nat(100),
    keepMessages: fc.nat(100),
    keepFilesMb: fc.nat(100),
    showsRepeats: fc.constant(true),
    tellsRead: fc.constantFrom("on", "refused"),
    hides: fc.array(fc.constantFrom('title~"a"', "message:b"), { minLength: 1 }),
  },
  { requiredKeys: [] },
);

test(
  "every setting and every choice of a topic goes out and in again",
  () =>
    fc.assert(
      fc.asyncProperty(fc.record(SETTINGS, { requiredKeys: [] }), TOPIC, async (settings, topic) => {
        const { store, subIds } = await storeWith(memoryEngine(), ["backups", "doors"]);
        const [subId = 0] = subIds;
        must(await store.patchSubscription(subId, topic as never));
        const stored = { ...settings };
        if (stored.sounds)
          stored.sounds = { ...stored.sounds, topics: { [subId]: (stored.sounds as Sounds).topics[2] } };
        for (const [name, value] of Object.entries(stored))
          must(await store.setSetting(name as "theme", value as never));
        const other = await emptyStore();
        await bring(other.store, await backupOf(store));
        const [from, to] = [await store.reader.catalogue(), await other.store.reader.catalogue()];
        const choices = ({ settings: { sounds, ...rest }, subscriptions }: typeof from) => ({
          ...rest,
          sounds: { ...sounds, topics: undefined },
          topics: subscriptions.map(({ subId: id, serverId: _, order: _order, ...one }) => [
            // What a server refused one device is tried by another.
            { ...one, tellsRead: one.tellsRead && "on" },
            sounds.topics?.[id],
          ]),
        });
        expect(choices(to)).toEqual(choices(from));
        expect(to.subscriptions.map(({ tellsRead }) => tellsRead)).not.toContain("refused");
        store.close();
        other.store.close();
      }),
      { numRuns: runs(60) },
    ),
  LONG_MS,
);
