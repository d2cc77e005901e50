import { expect, test } from "vitest";
import { portReader } from "../../src/client/guarded-reads";
import { isStoreFailure, StoreFailure, type StoreError } from "../../src/store";
import { World } from "../hub/world";

/** The error that a page gets if its hub's database can't be read. */
async function heard(error: StoreError): Promise<StoreError | undefined> {
  const world = await World.make();
  const hub = world.startHub({
    wrapStore: (store) => ({
      ...store,
      reader: { ...store.reader, tags: () => Promise.reject(new StoreFailure(error)) },
    }),
  });
  const reader = portReader(world.openTab(hub));
  const thrown: unknown = await reader.tags().catch((reason: unknown) => reason);
  return isStoreFailure(thrown) ? thrown.error : undefined;
}

test("the browser's message about a full disk reaches the page unchanged", async () => {
  const error = { kind: "quota", text: "QuotaExceededError: the site's share is used up" } as const;
  expect(await heard(error)).toEqual(error);
});

test("the browser's message about an unreadable database reaches the page unchanged", async () => {
  const text = "UnknownError: Internal error opening backing store";
  expect(await heard({ kind: "failed", text })).toEqual({ kind: "failed", text });
});
