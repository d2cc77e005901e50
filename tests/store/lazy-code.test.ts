import { expect, test, vi } from "vitest";
import { memoryEngine } from "./memory-engine";
import { arrivals, batch, feedIds, message, must, receive, storeWith } from "./samples";

test("while the code for sequences can't be loaded, other messages are stored, and batches with sequences can be retried", async () => {
  const { store, subIds } = await storeWith(memoryEngine());
  const [subId = 0] = subIds;
  await receive(store, subId, [message("plain")]);
  vi.resetModules();
  vi.doMock("../../src/store/lazy", () => {
    throw new TypeError("Failed to fetch");
  });
  const update = arrivals(subId, [message("v2", undefined, { sequence_id: "job" }), message("other")]);
  expect(await store.ingest(batch(update))).toMatchObject({ ok: false, error: { kind: "failed" } });
  expect(await feedIds(store)).toEqual(["plain"]);
  vi.doUnmock("../../src/store/lazy");
  vi.resetModules();
  must(await store.ingest(batch(update)));
  expect((await feedIds(store)).sort()).toEqual(["other", "plain", "v2"]);
});
