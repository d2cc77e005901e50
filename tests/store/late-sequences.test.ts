import { expect, test, vi } from "vitest";
import { memoryEngine } from "./memory-engine";
import { arrivals, batch, feedIds, message, must, receive, storeWith } from "./samples";

let isReachable = true;
vi.mock("../../src/store/later", async (importOriginal) => {
  if (!isReachable) throw new TypeError("Failed to fetch");
  return importOriginal();
});

test("while the code of sequences can't be had, messages come as ever, and what needs it is to be tried again", async () => {
  const { store, subIds } = await storeWith(memoryEngine());
  const [subId = 0] = subIds;
  await receive(store, subId, [message("plain")]);
  isReachable = false;
  vi.resetModules();
  const update = arrivals(subId, [message("v2", undefined, { sequence_id: "job" }), message("other")]);
  expect(await store.ingest(batch(update))).toMatchObject({ ok: false, error: { kind: "failed" } });
  expect(await feedIds(store)).toEqual(["plain"]);
  isReachable = true;
  vi.resetModules();
  must(await store.ingest(batch(update)));
  expect((await feedIds(store)).sort()).toEqual(["other", "plain", "v2"]);
});
