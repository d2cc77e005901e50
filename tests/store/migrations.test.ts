import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { rowFilter } from "../contract/filter/row-filter";
import { openStore, SCHEMA_VERSION } from "../../src/store";
import { migrate } from "../../src/store/migrations";
import layouts from "./fixtures/layouts.json";
import { readArray } from "./fixtures/typed-arrays";
import { memoryEngine } from "./memory-engine";
import { checkConsistency, snapshot } from "./check-consistency";
import { type Engine, must } from "./samples";
import { isLong } from "../long";

/** Everything in a database of one version: store → [key, value] pairs. */
type Dump = Record<string, [key: IDBValidKey | null, value: unknown][]>;

/** The file with real data of a version: a dump of a database that this version of the app filled. */
const dumpOf = (version: number) => new URL(`fixtures/version-${version}.json`, import.meta.url);

/** The earlier versions. */
const former = Array.from({ length: SCHEMA_VERSION - 1 }, (_, at) => at + 1);

/** The stores of an earlier version, each with its key and indexes. */
type Layout = Record<string, { keyPath?: string | string[]; indexes?: Record<string, string | string[]> }>;

/** Opens a database at a version, and makes it if there is none. */
function openAt({ indexedDB }: Engine, version: number) {
  return new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open("earshot", version);
    request.onupgradeneeded = () => {
      const layout = (layouts as Record<string, Layout>)[version];
      if (version === SCHEMA_VERSION && request.transaction) migrate(request.result, request.transaction, 0);
      else expect(layout, "every version keeps its layout").toBeDefined();
      for (const [name, { keyPath, indexes = {} }] of Object.entries(layout ?? {})) {
        const store = request.result.createObjectStore(name, keyPath === undefined ? {} : { keyPath });
        for (const [index, path] of Object.entries(indexes))
          store.createIndex(index, path, { multiEntry: index === "listed" });
      }
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

test("a database of any version gets the layout of a new one", async () => {
  const opened = async (engine: Engine) => {
    must(await openStore(engine)).close();
    const database = await openAt(engine, SCHEMA_VERSION);
    const layout = layoutOf(database);
    database.close();
    return layout;
  };
  const layout = await opened(memoryEngine());
  expect(layout).toContain("messages(subId,time,id) listed(listed each) order(time,arrival)");
  for (const version of former) {
    const engine = memoryEngine();
    await fillFrom(engine, version);
    expect(await opened(engine), `version ${version}`).toEqual(layout);
  }
});

describe("real data of the version before", () => {
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
    const wrongs = [undefined, null, "text"];
    for (const [at, { name, field }] of fields.entries()) {
      for (const wrong of isLong ? wrongs : [wrongs[(at + version) % wrongs.length]]) {
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

test("counters and index are made anew once, and only from versions that had others", async () => {
  for (const version of former) {
    const engine = memoryEngine();
    await fillFrom(engine, version);
    const store = must(await openStore(engine));
    let recounts = 0;
    store.onRecount = () => (recounts += 1);
    const [indexed] = await Promise.all([store.updateIndex(), store.setViews([]), store.prune(0)]);
    must(indexed);
    expect(recounts, `version ${version}`).toBe(version < 9 ? 1 : 0);
    store.close();
  }
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
