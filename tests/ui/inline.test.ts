import { join } from "node:path";
import { runInThisContext } from "node:vm";
import { afterEach, expect, it, vi } from "vitest";
import { ROOT } from "../../scripts/source-hash.mjs";
import { script } from "../../src/build/page.ts";
import { DATABASE_NAME } from "../../src/store";
import type {} from "../../src/ui/snapshot/show-snapshot";
import { memoryEngine } from "../store/memory-engine";
import { must, storeWith } from "../store/samples";

const LINE = await script(join(ROOT, "src/ui/inline.ts"));

/** Runs the inline script of the page as the page does, at this fragment. */
function read(
  factory: IDBFactory | undefined,
  hash = "",
  topics: string | null = "some",
): Promise<unknown> | undefined {
  vi.stubGlobal("indexedDB", factory);
  vi.stubGlobal("location", { hash });
  // The script also listens for a script that can't be loaded, which tests/e2e/no-script.spec.ts tries.
  vi.stubGlobal("addEventListener", () => undefined);
  // And for the document to be read, on a first visit: tests/e2e/visit.spec.ts.
  vi.stubGlobal("document", { addEventListener: () => undefined });
  vi.stubGlobal("localStorage", { getItem: () => topics });
  // In a block, as a page runs it only once.
  runInThisContext(`{${LINE}}`);
  return globalThis.earshotSnapshot;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

it.each([
  ["", "#/"],
  ["#/", "#/"],
  ["#/backup", "#/backup"],
])("the page with the fragment '%s' reads the snapshot of %s, and closes the database", async (hash, view) => {
  const engine = memoryEngine();
  const { store } = await storeWith(engine, ["backup"]);
  const snapshot = { view, conditions: "", height: 1, root: {}, tree: "" };
  must(await store.keepSnapshot(snapshot, []));
  must(await store.keepSnapshot({ ...snapshot, view: "#/others" }, []));
  store.close();
  expect(await read(engine.indexedDB, hash)).toEqual(snapshot);
  expect(await read(engine.indexedDB, "#/none")).toBeUndefined();
  const deleting = engine.indexedDB.deleteDatabase(DATABASE_NAME);
  const blocked = (deleting.onblocked = vi.fn());
  await new Promise((resolve) => (deleting.onsuccess = resolve));
  expect(blocked).not.toHaveBeenCalled();
});

it("the page reads nothing where there is no database, and creates none", async () => {
  const { indexedDB } = memoryEngine();
  expect(await read(indexedDB)).toBeUndefined();
  expect(await indexedDB.databases()).toEqual([]);
});

it("the page reads nothing if it knows of no topics, as it shows the screen of first visits", async () => {
  const engine = memoryEngine();
  const { store } = await storeWith(engine, ["backup"]);
  must(await store.keepSnapshot({ view: "#/", conditions: "", height: 1, root: {}, tree: "" }, []));
  expect(await read(engine.indexedDB, "", null)).toBeUndefined();
});

it("the page reads nothing from a database that has no snapshots, and doesn't keep it open", async () => {
  const { indexedDB } = memoryEngine();
  const other = indexedDB.open(DATABASE_NAME, 1);
  await new Promise((resolve) => (other.onsuccess = resolve));
  other.result.close();
  expect(await read(indexedDB)).toBeUndefined();
  const upgrading = indexedDB.open(DATABASE_NAME, 2);
  const blocked = (upgrading.onblocked = vi.fn());
  await new Promise((resolve) => (upgrading.onsuccess = resolve));
  expect(blocked).not.toHaveBeenCalled();
});

it.each(["missing", "denied"])("the page reads nothing, and nothing fails, if storage is %s", async (how) => {
  const denying = {
    open() {
      throw new DOMException("not here", "SecurityError");
    },
  } as unknown as IDBFactory;
  expect(await read(how === "denied" ? denying : undefined)).toBeUndefined();
});
