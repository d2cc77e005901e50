import { expect, test } from "vitest";
import type { ServerStatus } from "../../src/contract";
import type { ServerAddress } from "../../src/protocol";
import { CatalogueState } from "../../src/ui/state/catalogue.svelte";
import { ADDRESS, catalogue, FakeClient, server } from "./fake-client";

/** The small tables with one server: what is stored of its clock, and what its connection has learnt. */
function knowing(stored: { clockAheadS?: number }, live: { clockAheadS?: number } = {}): CatalogueState {
  const client = new FakeClient();
  client.statuses.set(1, live as ServerStatus);
  return new CatalogueState(client, catalogue({ servers: [server(stored)] }), () => undefined);
}

test("time is counted by the server's clock as it was last heard", () => {
  expect(knowing({ clockAheadS: -3_600 }).serverMs(ADDRESS, 10_000_000)).toBe(6_400_000);
  expect(knowing({ clockAheadS: -3_600 }, { clockAheadS: 60 }).serverMs(ADDRESS, 10_000_000)).toBe(10_060_000);
});

test("time is counted by the device's clock if the server's was never heard", () => {
  expect(knowing({}).serverMs(ADDRESS, 5)).toBe(5);
  expect(knowing({}).serverMs("https://other.example" as ServerAddress, 5)).toBe(5);
});
