import { IDBIndex, IDBObjectStore } from "fake-indexeddb";
import { afterEach, expect, test, vi } from "vitest";
import type { MessageKey, Position } from "../../src/contract";
import { rowFilter } from "../contract/filter/row-filter";
import { checkConsistency } from "./check-consistency";
import { memoryEngine } from "./memory-engine";
import { DAY_S, feedIds, message, must, NOW_MS, NOW_S, receive, storeWith } from "./samples";

afterEach(() => vi.restoreAllMocks());

/** Counts the rows that are read, at once and in all. */
function watchReads(): { most: () => number; all: () => number } {
  let most = 0;
  let all = 0;
  for (const prototype of [IDBIndex.prototype, IDBObjectStore.prototype]) {
    for (const name of ["getAll", "getAllRecords"] as const) {
      const own = (prototype as unknown as Record<string, (...args: unknown[]) => IDBRequest<unknown[]>>)[name];
      if (!own) continue;
      const spied = vi.spyOn(prototype as unknown as Record<string, typeof own>, name);
      spied.mockImplementation(function (this: unknown, ...args: unknown[]) {
        const request = own.apply(this, args);
        request.addEventListener("success", () => {
          most = Math.max(most, request.result.length);
          all += request.result.length;
        });
        return request;
      });
    }
  }
  return { most: () => most, all: () => all };
}

test("a feed opens on a second with very many messages, and goes on there, without reading all of it", async () => {
  const { store, subIds } = await storeWith(memoryEngine(), ["flood", "calm"]);
  const [flood = 0] = subIds;
  for (let part = 0; part < 5; part++) {
    const events = Array.from({ length: 2_000 }, (_, at) => message(`${(at * 7_919) % 2_003}-${part * 2_000 + at}`));
    await receive(store, flood, events);
  }
  for (const some of [{}, { subIds: [flood] }]) {
    for (const direction of ["older", "newer"] as const) {
      let from: Position | undefined;
      const seen: string[] = [];
      for (let page = 0; page < 2; page++) {
        const reads = watchReads();
        const query = { list: "feed", direction, count: 50, nowMs: NOW_MS, ...some, ...(from && { from }) } as const;
        const { rows, next } = await store.reader.page(query);
        expect(reads.all()).toBeLessThanOrEqual(600);
        vi.restoreAllMocks();
        seen.push(...rows.map(({ id }) => id.replace(/.*-/, "")));
        from = next;
      }
      const expected = seen.map((_, at) => String(direction === "older" ? 9_999 - at : at));
      expect(seen).toEqual(expected);
      expect(seen.length).toBe(512);
    }
  }
  store.close();
});

test.each(["starred", "done", "scheduled"] as const)(
  "the list of %s messages opens on a second with very many of them, and goes on there, without reading all",
  async (list) => {
    const { store, subIds } = await storeWith(memoryEngine(), ["flood", "calm"]);
    const [flood = 0, calm = 0] = subIds;
    const time = list === "scheduled" ? NOW_S + DAY_S : NOW_S;
    const ids = Array.from({ length: 1_500 }, (_, at) => `${(at * 7_919) % 2_003}-${at}`);
    for (let at = 0; at < ids.length; at += 500) {
      const part = ids.slice(at, at + 500);
      await receive(
        store,
        flood,
        part.map((id) => message(id, time)),
        { via: "poll" },
      );
      // Others of that second are in no such list, or in that of another topic.
      await receive(store, calm, [message(`other-${at}`, time)]);
      const keys = part.map((id): MessageKey => [flood, time, id]);
      if (list !== "scheduled") must(await store.mark(keys, { kind: list, on: true }, NOW_MS));
    }
    const seen: string[] = [];
    for (let from: Position | undefined, page = 0; page < 2; page++) {
      const reads = watchReads();
      const query = {
        list,
        direction: "older" as const,
        count: 50,
        nowMs: NOW_MS,
        subIds: [flood],
        ...(from && { from }),
      };
      const { rows, next } = await store.reader.page(query);
      expect(reads.all()).toBeLessThanOrEqual(700);
      vi.restoreAllMocks();
      seen.push(...rows.map(({ id }) => id));
      from = next;
    }
    expect(seen.length).toBeGreaterThan(400);
    expect(seen).toEqual(ids.toReversed().slice(0, seen.length));
    store.close();
  },
);

test("a second with very many messages is indexed as a whole, and all are found", async () => {
  const engine = memoryEngine();
  const { store, subIds } = await storeWith(engine, ["flood", "calm"]);
  const [flood = 0, calm = 0] = subIds;
  await receive(store, calm, [message("before", NOW_S - 1), message("same", NOW_S), message("after", NOW_S + 1)]);
  while (must(await store.updateIndex()).more);
  const rounds = async (): Promise<void> => {
    for (let count = 0; must(await store.updateIndex()).more; count++) expect(count).toBeLessThan(50);
  };
  for (let part = 0; part < 3; part++) {
    const events = Array.from({ length: 1_000 }, (_, at) =>
      message(`f${part}-${at}`, NOW_S, { message: "flood of it" }),
    );
    await receive(store, flood, events);
    await receive(store, calm, [message(`c${part}`, NOW_S + 2 + part)]);
    await rounds();
  }
  const found = await feedIds(store, { filter: rowFilter('"flood"'), count: 500 });
  expect(new Set(found).size).toBe(3_000);
  const calmIds = await feedIds(store, { filter: rowFilter('"text of"') });
  expect(calmIds).toEqual(["c2", "c1", "c0", "after", "same", "before"]);
  await checkConsistency(engine);
  store.close();
});

test("retention removes a second with very many messages a round at a time, and reads no more", async () => {
  const { store, subIds } = await storeWith(memoryEngine(), ["flood", "calm"]);
  const [flood = 0, calm = 0] = subIds;
  const old = NOW_S - 31 * DAY_S;
  for (let part = 0; part < 3; part++) {
    const events = Array.from({ length: 1_000 }, (_, at) => message(`f${part}-${at}`, part < 2 ? old : NOW_S - 9));
    await receive(store, flood, events);
  }
  await receive(store, calm, [message("new", NOW_S)]);
  must(await store.setSetting("keepMessages", 300));
  const reads = watchReads();
  let removed = 0;
  for (let more = true; more;) {
    const result = must(await store.prune(NOW_MS));
    removed += result.removed.length;
    more = result.more;
  }
  expect(removed).toBe(2_701);
  expect(reads.most()).toBeLessThanOrEqual(400);
  expect((await feedIds(store))[0]).toBe("new");
  store.close();
});
