import { existsSync, readFileSync } from "node:fs";
import { IDBFactory } from "fake-indexeddb";
import { describe, expect, test } from "vitest";
import { rowFilter } from "../contract/filter/row-filter";
import { openStore, SCHEMA_VERSION } from "../../src/store";
import { migrate, MIGRATIONS } from "../../src/store/migrations";
import { readArray } from "./fixtures/typed-arrays";
import { memoryEngine } from "./memory-engine";
import { checkConsistency, snapshot } from "./check-consistency";
import { type Engine, must } from "./samples";

/** Everything in a database of one version: store → [key, value] pairs. */
type Dump = Record<string, [key: IDBValidKey | null, value: unknown][]>;

/** The file with real data of a version: a dump of a database that this version of the app filled. */
const dumpOf = (version: number) => new URL(`fixtures/version-${version}.json`, import.meta.url);

function openAt({ indexedDB }: Engine, version: number, fill?: (transaction: IDBTransaction) => void) {
  return new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open("earshot", version);
    request.onupgradeneeded = ({ oldVersion }) => {
      if (!request.transaction) return;
      migrate(request.result, request.transaction, oldVersion, version);
      fill?.(request.transaction);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("can't open"));
  });
}

/** Makes a database of a version with its real data. @param change is given the data before */
async function fillFrom(engine: Engine, version: number, change?: (dump: Dump) => void): Promise<Dump> {
  const dump = JSON.parse(readFileSync(dumpOf(version), "utf8"), readArray) as Dump;
  change?.(dump);
  const database = await openAt(engine, version);
  // Only now all stores of that version are there: some steps of the migration wait for their reads.
  const filling = database.transaction(Object.keys(dump), "readwrite");
  for (const [name, records] of Object.entries(dump)) {
    const store = filling.objectStore(name);
    for (const [key, value] of records) store.put(value, key ?? undefined);
  }
  await new Promise((resolve) => (filling.oncomplete = resolve));
  database.close();
  return dump;
}

/** A text for each store, which changes with its keys and indexes. */
function layoutOf(database: IDBDatabase): string[] {
  const names = [...database.objectStoreNames];
  const transaction = database.transaction(names);
  return names.map((name) => {
    const store = transaction.objectStore(name);
    const indexes = [...store.indexNames].map((index) => {
      const { keyPath, multiEntry, unique } = store.index(index);
      return `${index}(${String(keyPath)}${multiEntry ? " each" : ""}${unique ? " unique" : ""})`;
    });
    return `${name}(${String(store.keyPath)}) ${indexes.join(" ")}`.trim();
  });
}

test("every version has a migration step", () => {
  expect(MIGRATIONS).toHaveLength(SCHEMA_VERSION);
});

test("version 1 stays as it was released", async () => {
  const database = await openAt(memoryEngine(), 1);
  expect(layoutOf(database)).toMatchInlineSnapshot(`
    [
      "accounts(accountId) server(serverId)",
      "attachments(subId,id)",
      "counts(subId,day)",
      "cursors(serverId,accountId)",
      "gaps(subId,from)",
      "leases(name)",
      "messages(subId,time,id) listed(listed each) time(time)",
      "packs(pack)",
      "push(serverId)",
      "sequences(subId,sequence) until(until)",
      "servers(serverId) address(address)",
      "settings(null)",
      "subscriptions(subId) serverTopic(serverId,topic)",
      "tombstones(subId,time,id) until(until)",
      "views(viewId)",
    ]
  `);
  database.close();
});

test("version 2 begins a new search index, and keeps claimed alerts", async () => {
  const database = await openAt(memoryEngine(), 2);
  expect(layoutOf(database)).toContain("claims(claimId) until(until)");
  expect(layoutOf(database).filter((line) => line.startsWith("pack"))).toEqual(["packTexts(from)", "packs(from)"]);
  expect(layoutOf(database)).toContain("signatures(kind,from)");
  database.close();
});

test("version 2 counts the starred, scheduled and snoozed messages and those in the feed", async () => {
  const engine = memoryEngine();
  const row = (id: string, fields: object, ...lists: unknown[]) => ({
    subId: 1,
    time: 1,
    id,
    ...fields,
    listed: lists,
  });
  const old = await openAt(engine, 1, (transaction) => {
    transaction.objectStore("subscriptions").put({ subId: 1, serverId: 1, topic: "a" });
    for (const [day, count] of [
      [0, 3],
      [7, 2],
    ])
      transaction.objectStore("counts").put({ subId: 1, day, count });
    const messages = transaction.objectStore("messages");
    messages.put(row("both", { starred: 1, snoozedUntilMs: 5 }, ["starred", 1], ["snoozed", 5]));
    messages.put(row("done", { doneAtMs: 1, snoozedUntilMs: 6 }, ["done", 1], ["snoozed", 6]));
    messages.put(row("older", { starred: 1, supersededBy: "both" }, ["starred", 1]));
    messages.put(row("due", { scheduled: 1 }, ["scheduled", 1]));
    messages.put(row("gone", { scheduled: 1, deletedAtMs: 1 }, ["scheduled", 1], ["deleted", 1]));
  });
  old.close();
  const database = await openAt(engine, 2);
  const request = database.transaction("subscriptions").objectStore("subscriptions").get(1);
  await new Promise((resolve) => (request.onsuccess = resolve));
  expect(request.result).toMatchObject({ starred: 1, scheduled: 1, snoozed: 1, inFeed: 5 });
  database.close();
});

test("version 3 counts unread messages of priority 4 apart from those of priority 5", async () => {
  const engine = memoryEngine();
  const old = await openAt(engine, 2, (transaction) => {
    const subscriptions = transaction.objectStore("subscriptions");
    subscriptions.put({ subId: 1, serverId: 1, topic: "a", unread: 4, unreadUrgent: 3 });
    subscriptions.put({ subId: 2, serverId: 1, topic: "b", unread: 1, unreadUrgent: 0 });
    const messages = transaction.objectStore("messages");
    const put = (subId: number, time: number, priority: number | undefined, fields: object = {}) =>
      messages.put({ subId, time, id: `m${time}`, event: { ...(priority && { priority }) }, ...fields });
    put(1, 1, 5);
    put(1, 2, 4);
    put(1, 3, 4);
    put(1, 4, undefined);
    put(1, 5, 5, { readAtMs: 1 });
    put(1, 6, 4, { doneAtMs: 1 });
    put(1, 7, 5, { snoozedUntilMs: 1 });
    put(1, 8, 5, { deletedAtMs: 1 });
    put(1, 9, 4, { supersededBy: "m8" });
    put(1, 10, 5, { scheduled: 1 });
    put(2, 1, 3);
  });
  old.close();
  const database = await openAt(engine, 3);
  const request = database.transaction("subscriptions").objectStore("subscriptions").getAll();
  await new Promise((resolve) => (request.onsuccess = resolve));
  expect(request.result).toEqual([
    { subId: 1, serverId: 1, topic: "a", unread: 4, unreadUrgent: 1, unreadHigh: 2 },
    { subId: 2, serverId: 1, topic: "b", unread: 1, unreadUrgent: 0, unreadHigh: 0 },
  ]);
  database.close();
});

test("version 4 has room for imports and what they stage", async () => {
  const database = await openAt(memoryEngine(), 4);
  const layout = layoutOf(database);
  expect(layout.filter((line) => /^(?:imports|staged)/.test(line))).toEqual([
    "imports(importId)",
    "staged(importId,part)",
  ]);
  database.close();
});

test("version 5 keeps the search index of real data, and says where it holds", async () => {
  const engine = memoryEngine();
  const dump = await fillFrom(engine, 4);
  (await openAt(engine, 5)).close();
  const { segments, segmentTexts, signatures, total, unindexed } = await snapshot(engine);
  const values = (store: string) => dump[store]?.map(([, value]) => value);
  expect(segments).toHaveLength(1);
  expect(segments).toEqual(values("packs"));
  expect(segmentTexts).toEqual(values("packTexts"));
  expect(signatures).toEqual(values("signatures"));
  const counters = new Map(dump["settings"]).get("counters") as { total: number; unpacked: unknown[] };
  expect(counters.unpacked).toHaveLength(1);
  expect({ total, unindexed }).toEqual({ total: counters.total, unindexed: counters.unpacked });
});

test("version 5 searches what version 4 had indexed, and reads what it had not", async () => {
  const engine = memoryEngine();
  await fillFrom(engine, 4, (dump) => {
    const [[, text] = []] = dump["packTexts"] ?? [];
    // Only the index has these words, and only the message of the unindexed span has the others.
    Object.assign(text as object, { text: (text as { text: string }).text.replace("text of rich", "word of rich") });
  });
  const store = must(await openStore(engine));
  const found = async (text: string) => {
    const query = { list: "done", filter: rowFilter(text), direction: "older", count: 9, nowMs: 0 } as const;
    const feed = await store.reader.page({ ...query, list: "feed" });
    return [...feed.rows, ...(await store.reader.page(query)).rows].map((row) => row.id);
  };
  expect(await found("text")).toEqual(["v2", "open"]);
  store.close();
});

test("a new database has the same layout as one that was migrated through every version", async () => {
  const engine = memoryEngine();
  for (let version = 1; version <= SCHEMA_VERSION; version++) (await openAt(engine, version)).close();
  const step = await openAt(engine, SCHEMA_VERSION);
  const once = await new Promise<IDBDatabase>((resolve) => {
    const request = new IDBFactory().open("earshot", SCHEMA_VERSION);
    request.onupgradeneeded = () => request.transaction && migrate(request.result, request.transaction, 0);
    request.onsuccess = () => resolve(request.result);
  });
  expect(layoutOf(once)).toEqual(layoutOf(step));
  step.close();
  once.close();
});

describe("real data of the version before", () => {
  const former = Array.from({ length: SCHEMA_VERSION - 1 }, (_, at) => at + 1);

  test.each([...former, SCHEMA_VERSION])(
    "version %i opens with all its messages and exact counters",
    async (version) => {
      expect(existsSync(dumpOf(version)), "every version keeps a dump of real data").toBe(true);
      const engine = memoryEngine();
      const dump = await fillFrom(engine, version);
      const store = must(await openStore(engine));
      const { messages } = await checkConsistency(engine, { isMigrated: true });
      expect(messages).toHaveLength(dump["messages"]?.length ?? 0);
      const feed = await store.reader.page({ list: "feed", direction: "older", count: 100, nowMs: 0 });
      expect(feed.rows.length).toBeGreaterThan(0);

      const found = async (text: string) => {
        const filter = rowFilter(text);
        const { rows } = await store.reader.page({ list: "feed", filter, direction: "older", count: 100, nowMs: 0 });
        return rows.map((row) => row.id);
      };
      const expected = { "backup failed": ["rich"], "tag:restic": ["rich"], "text of": ["v2", "rich"], gone: [] };
      for (const [text, ids] of Object.entries(expected)) expect(await found(text), `${text}, before`).toEqual(ids);
      while (must(await store.updateIndex()).more);
      const { segments, unindexed } = await checkConsistency(engine, { isMigrated: true });
      expect([segments.length, unindexed.length], "all is indexed").toEqual([1, 0]);
      for (const [text, ids] of Object.entries(expected)) expect(await found(text), `${text}, indexed`).toEqual(ids);
      store.close();
    },
  );

  test.each(former)(
    "version %i opens whatever field of its records is damaged",
    { timeout: 30_000 },
    async (version) => {
      const layout = JSON.parse(readFileSync(dumpOf(version), "utf8"), readArray) as Dump;
      const fields = Object.entries(layout).flatMap(([name, records]) =>
        [...new Set(records.flatMap(([, value]) => Object.keys(value as object)))].map((field) => ({ name, field })),
      );
      const failures: unknown[] = [];
      for (const { name, field } of fields) {
        for (const wrong of [undefined, null, "text"]) {
          const engine = memoryEngine();
          const filling = fillFrom(engine, version, (dump) => {
            for (const [, value] of dump[name] ?? []) Object.assign(value as object, { [field]: wrong });
          });
          // No database holds a record with a damaged key.
          if (!(await filling.then(Boolean, () => false))) continue;
          const opened = await openStore(engine);
          if (!opened.ok) failures.push({ name, field, wrong, ...opened.error });
          else opened.value.close();
        }
      }
      expect(failures).toEqual([]);
    },
  );
});
