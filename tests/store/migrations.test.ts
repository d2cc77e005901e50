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

test("version 9 has one signature for each segment", async () => {
  const database = await openAt(memoryEngine(), 9);
  expect(layoutOf(database)).toContain("signatures(from)");
  database.close();
});

test("version 10 has an outbox, and no leases", async () => {
  const database = await openAt(memoryEngine(), 10);
  expect(layoutOf(database)).toContain("outbox(subId,sequence)");
  expect(layoutOf(database)).not.toContain("leases(name)");
  database.close();
});

test("version 11 has room for what servers are yet to be told", async () => {
  const database = await openAt(memoryEngine(), 11);
  expect(layoutOf(database)).toContain("clears(subId,sequence)");
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

test("version 8 no longer has room for imports", async () => {
  const database = await openAt(memoryEngine(), 8);
  expect(layoutOf(database).filter((line) => /^(?:imports|staged)/.test(line))).toEqual([]);
  database.close();
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
      // Whatever needs the counters first counts everything anew.
      must(await store.count({ list: "feed", filter: rowFilter("") }, 0));
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

  test.each(former)("version %i opens whatever field of its records is damaged", async (version) => {
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
  });
});

test("an upgrade for which the disk has no room leaves everything as it was, says so, and is done later", async () => {
  const engine = memoryEngine();
  const { messages = [] } = await fillFrom(engine, 7);
  const stored = async () => {
    const database = await openAt(engine, 7);
    const names = [...database.objectStoreNames];
    const transaction = database.transaction(names);
    const reads = names.map((name) => transaction.objectStore(name).getAll());
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    database.close();
    return reads.map((read, at) => [names[at], read.result]);
  };
  const before = await stored();
  // How a transaction ends in a browser that finds no room while it commits.
  const open: IDBFactory["open"] = (name, version) => {
    const request = engine.indexedDB.open(name, version);
    request.addEventListener("upgradeneeded", () =>
      queueMicrotask(() =>
        (request.transaction as unknown as { _abort(name: string): void })._abort("QuotaExceededError"),
      ),
    );
    return request;
  };
  const full = { ...engine, indexedDB: { open } as IDBFactory };
  expect(await openStore(full)).toMatchObject({ ok: false, error: { kind: "quota" } });
  expect(await stored()).toEqual(before);
  must(await openStore(engine)).close();
  expect((await snapshot(engine)).messages).toHaveLength(messages.length);
});
