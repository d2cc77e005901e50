import { expect, test } from "vitest";
import type { ServerAddress } from "../../src/protocol";
import type { App } from "../../src/ui/state/app.svelte";
import { serverMs } from "../../src/ui/state/topics/server-time";

const address = "https://topics.example" as ServerAddress;

/** An app that knows one server: what is stored of its clock, and what its connection has learnt. */
function knowing(stored: { clockAheadS?: number }, live?: { clockAheadS?: number }): App {
  const app = { catalogue: { servers: [{ serverId: 1, address, ...stored }], status: () => live } };
  return app as unknown as App;
}

test("time is counted by the server's clock as it was last heard", () => {
  expect(serverMs(knowing({ clockAheadS: -3_600 }), address, 10_000_000)).toBe(6_400_000);
  expect(serverMs(knowing({ clockAheadS: -3_600 }, { clockAheadS: 60 }), address, 10_000_000)).toBe(10_060_000);
});

test("time is counted by the device's clock if the server's was never heard", () => {
  expect(serverMs(knowing({}, {}), address, 5)).toBe(5);
  expect(serverMs(knowing({}), "https://other.example" as ServerAddress, 5)).toBe(5);
});
