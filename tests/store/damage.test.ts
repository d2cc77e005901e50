import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DATABASE_NAME, type Store } from "../../src/store";
import { rowFilter } from "../contract/filter/row-filter";
import { checkConsistency } from "./check-consistency";
import { memoryEngine, snapshotIn } from "./memory-engine";
import {
  ADDRESS,
  arrivals,
  batch,
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

type Fields = Record<string, unknown>;

/** What takes the place of a field's value; `undefined` = the field is deleted. */
const WRONG = [undefined, null, 5, -1.5, NaN, "text", "", true, [], {}, [null], { id: 1 }] as const;

const GOOD = ["a1", "a2", "a3", "b1", "b2", "c1"];

/** A database with records in every store. */
async function filled(): Promise<{ engine: Engine; store: Store; topics: number[] }> {
  const engine = memoryEngine();
  const { store, subIds } = await storeWith(engine, ["alpha", "beta"]);
  const [alpha = 0, beta = 0] = subIds;
  const other = must(await store.addServer("https://other.example.org" as never));
  const { accountId } = must(await store.addAccount(other.serverId, { credentials: { kind: "token", token: "tk_1" } }));
  const [added] = must(await store.addSubscriptions({ serverId: other.serverId, accountId, topics: ["gamma"] }));
  const gamma = added?.subId ?? 0;
  await receive(store, alpha, [
    message("a1", NOW_S - 3, { tags: ["disk"] }),
    message("a2", NOW_S - 2, { title: "Backup", priority: 5 }),
    message("a3", NOW_S - 2, { sequence_id: "s" }),
    message("gone", NOW_S - 1),
  ]);
  const cursors = [{ serverId: other.serverId, accountId, id: "c1", time: NOW_S, expires: NOW_S + DAY_S }];
  await receive(store, beta, [message("b1", NOW_S - 3), message("b2", NOW_S - 1, { tags: ["disk"] })]);
  await receive(store, gamma, [message("c1", NOW_S)]);
  must(await store.mark([[alpha, NOW_S - 1, "gone"]], { kind: "deleted", on: true }, NOW_MS - DAY_S * 1_000));
  must(await store.setGroup(groupOf("phone")));
  must(await store.mark([[beta, NOW_S - 3, "b1"]], { kind: "starred", on: true }, NOW_MS));
  must(await store.setSetting("theme", "dark"));
  must(await store.setSetting("groups", [{ name: "Home" }]));
  must(await store.setSetting("keepDays", 0));
  must(await store.setViews([{ name: "Disk", link: "#/?q=tag:disk" }]));
  must(await store.addGap({ subId: alpha, from: 1, to: 2 }));
  while (must(await store.updateIndex()).more);
  await put(engine, {
    cursors,
    tombstones: [{ subId: alpha, time: 5, id: "old", until: NOW_S + DAY_S }],
    attachments: [{ subId: beta, time: NOW_S - 3, id: "b1", state: { kind: "kept", bytes: 3, atMs: NOW_MS } }],
    push: [
      {
        serverId: other.serverId,
        key: "k",
        parts: [{ scope: "s", endpoint: "https://push.example", accountId: 0, topics: ["gamma"] }],
        refused: [],
        words: {},
        sinceMs: 1,
        postedAtMs: 1,
      },
    ],
    snapshots: [{ view: "#/", conditions: "c", height: 800, root: { lang: "en" }, tree: "[]" }],
  });
  return { engine, store, topics: [alpha, beta, gamma] };
}

async function open({ indexedDB }: Engine): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE_NAME);
  await new Promise((resolve) => (request.onsuccess = resolve));
  return request.result;
}

async function put(engine: Engine, records: Record<string, Fields[]>): Promise<void> {
  const database = await open(engine);
  const transaction = database.transaction(Object.keys(records), "readwrite");
  for (const [name, rows] of Object.entries(records)) {
    for (const row of rows) transaction.objectStore(name).put(row);
  }
  await new Promise((resolve) => (transaction.oncomplete = resolve));
  database.close();
}

interface Damaged {
  name: string;
  record: Fields;
}

/** Damages one field, anywhere in one record of one store; undefined = it has none but those of its key. */
async function damage(
  engine: Engine,
  [name, at, path, wrong]: [name: string, at: number, path: number[], wrong: number],
): Promise<Damaged | undefined> {
  const database = await open(engine);
  const store = database.transaction(name, "readwrite").objectStore(name);
  const [keys, records] = await Promise.all([all(store.getAllKeys()), all(store.getAll())]);
  const key = keys[at % keys.length];
  const record = records[at % keys.length] as Fields;
  const ofKey = [store.keyPath ?? []].flat();
  let target: Fields | undefined = record;
  let fields = Object.keys(record).filter((field) => !ofKey.includes(field));
  // A setting's value is replaced whole.
  if (name === "settings" && (path.length === 1 || typeof record !== "object")) target = undefined;
  let field = "";
  for (const step of target ? path : []) {
    field = fields[step % fields.length] ?? "";
    const inner = target?.[field];
    if (step === path.at(-1) || typeof inner !== "object" || inner === null || ArrayBuffer.isView(inner)) break;
    target = inner as Fields;
    fields = Object.keys(target);
    if (fields.length === 0) break;
  }
  const value = WRONG[wrong % WRONG.length];
  const before = target ? target[field] : record;
  // Another value of the same type may be what was stored.
  if (value !== null && typeof value === typeof before && Array.isArray(value) === Array.isArray(before))
    return void database.close();
  // A message without tags is whole.
  if (name === "messages" && field === "tags" && value === undefined) return void database.close();
  if (!target) store.put(value === undefined ? null : value, key);
  else {
    if (field === "") return void database.close();
    if (value === undefined) Reflect.deleteProperty(target, field);
    else target[field] = value;
    store.put(record, ofKey.length === 0 ? key : undefined);
  }
  await new Promise((resolve) => (store.transaction.oncomplete = resolve));
  database.close();
  return { name, record };
}

function all<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
}

const STORES = [
  ...["servers", "accounts", "subscriptions", "cursors", "messages", "sequences", "tombstones", "counts", "gaps"],
  ...["segments", "segmentTexts", "signatures", "views", "settings", "attachments", "push", "claims"],
  "snapshots",
];

const search = (text: string) => ({ filter: rowFilter(text) });

/** Does with a store what hub and pages do. Resolves to the ids of all feeds. */
async function useAll(engine: Engine, store: Store, topics: readonly number[]): Promise<string[]> {
  const { reader } = store;
  const catalogue = await reader.catalogue();
  expect(["system", "light", "dark"]).toContain(catalogue.settings.theme);
  expect(catalogue.settings.groups.every(({ name }) => typeof name === "string")).toBe(true);
  await snapshotIn(engine);
  await Promise.all([reader.tags(), reader.days(), reader.gaps(), reader.versions(topics[0] ?? 0, "s")]);
  for (const list of ["starred", "done", "snoozed", "scheduled"] as const) await feedIds(store, { list });
  const backedUp: string[] = [];
  for (let from: { time: number; arrival: number } | undefined; ;) {
    const page = await reader.backup({ count: 2, ...(from && { from }) });
    backedUp.push(...page.rows.map(({ id }) => id));
    if (!page.next) break;
    from = page.next;
  }
  const feed = await feedIds(store, { count: 2 });
  expect(backedUp).toEqual(expect.arrayContaining(feed));
  const disk = await feedIds(store, search("tag:disk"));
  expect(feed.filter((id) => ["a1", "b2"].includes(id)).sort()).toEqual(disk.sort());
  const found = await reader.count({ list: "feed", nowMs: NOW_MS, ...search("text") });
  expect(found.found).toBeGreaterThanOrEqual(feed.filter((id) => GOOD.includes(id)).length);
  must(await store.settleDue({ serverNowS: NOW_S, nowMs: NOW_MS, servers: undefined } as never));
  must(await store.wakeSnoozed(NOW_MS));
  must(await store.takeClaims(NOW_MS, NOW_MS + 1_000));
  must(await store.endClaims(NOW_MS));
  for (const read of [store.servers, store.accounts, store.subscriptions, store.settings, store.pushes])
    must(await (read as () => ReturnType<Store["servers"]>)());
  must(await store.prune(NOW_MS));
  must(await store.purgeRemoved(NOW_MS));
  for (let rounds = 0; must(await store.updateIndex()).more; rounds++) expect(rounds).toBeLessThan(20);
  return feed;
}

describe("a damaged record", () => {
  test.each(STORES)("of %s is counted", async (name) => {
    const { engine, store } = await filled();
    expect(await store.reader.damage()).toEqual({});
    await damage(engine, [name, 0, [0], WRONG.indexOf(null)]);
    expect(await store.reader.damage()).toEqual({ [name]: 1 });
    store.close();
  });

  test("of the search index is counted if one of its tags is missing", async () => {
    const { engine, store } = await filled();
    const tags = 6;
    await damage(engine, ["segments", 0, [tags, 0], WRONG.indexOf(undefined)]);
    expect(await store.reader.damage()).toEqual({ segments: 1 });
    store.close();
  });

  test("is passed over, whichever it is, and all else goes on; it is counted, and a repair leaves a whole database", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...STORES),
        fc.nat(20),
        fc.array(fc.nat(40), { minLength: 1, maxLength: 4 }),
        fc.nat(WRONG.length - 1),
        async (name, at, path, wrong) => {
          const { engine, store, topics } = await filled();
          const damaged = await damage(engine, [name, at, path, wrong]);
          if (!damaged) return store.close();
          const [alpha, beta, gamma] = topics;
          const of = (subId: unknown) => ({ [alpha ?? 0]: "a", [beta ?? 0]: "b", [gamma ?? 0]: "c" })[Number(subId)];
          const mayGo = (id: string): boolean => {
            if (damaged.name === "messages") return id === damaged.record["id"];
            if (damaged.name === "subscriptions") return id.startsWith(of(damaged.record["subId"]) ?? "?");
            // Nothing can be asked of a server without an address, or shown of its topics.
            const servers = damaged.name === "servers" && [damaged.record["serverId"]];
            return servers && (servers[0] === 1 ? /^[ab]/ : /^c/).test(id);
          };
          const feed = await useAll(engine, store, topics);
          expect(feed).toEqual(expect.arrayContaining(GOOD.filter((id) => !mayGo(id))));
          // A topic whose own record is damaged receives nothing; every other does.
          for (const subId of topics) {
            const id = `new${of(subId) ?? ""}`;
            must(await store.ingest(batch(arrivals(subId, [message(id, NOW_S)]))));
            if (damaged.name !== "subscriptions" && damaged.name !== "servers")
              expect(await feedIds(store)).toContain(id);
          }
          must(await store.repair());
          expect(await store.reader.damage()).toEqual({});
          await checkConsistency(engine, { isMigrated: true });
          const after = await useAll(engine, store, topics);
          expect(after).toEqual(expect.arrayContaining(GOOD.filter((id) => !mayGo(id))));
          await checkConsistency(engine, { isMigrated: true });
          store.close();
        },
      ),
      { numRuns: runs(200) },
    );
  });
});

test("what a server's clock showed counts as unknown if it is damaged", async () => {
  const engine = memoryEngine();
  const { store } = await storeWith(engine, ["alpha"]);
  must(await store.patchServer(1, { heardS: "text" as never }));
  expect((await store.reader.catalogue()).servers).toEqual([{ serverId: 1, address: ADDRESS }]);
  expect(await store.reader.damage()).toEqual({ servers: 1 });
});
