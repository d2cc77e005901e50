import { open, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { newFolder, start } from "./test-server";

vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  return { ...real, rename: vi.fn(real.rename) };
});

test("a state file that was written anew is on the disk before it takes the old one's place", async () => {
  const folder = await newFolder();
  const handle = await open(join(folder, "any"), "w");
  const proto = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  const running = await start({ stateFile: join(folder, "state.ndjson") });
  await running.publish("t", "kept");
  const sync = vi.spyOn(proto, "sync");
  vi.mocked(rename).mockClear();
  await running.server.close();
  const orders = [sync, vi.mocked(rename)].map(({ mock }) => mock.invocationCallOrder);
  expect(orders.map((calls) => calls.length)).toEqual([1, 1]);
  expect(orders.flat()).toEqual(orders.flat().sort((a, b) => a - b));
});

test("a file that nothing can take the place of, as one mounted into a container, loses nothing", async () => {
  const folder = await newFolder();
  const stateFile = join(folder, "state.ndjson");
  const options = { stateFile };
  const before = await start(options);
  await before.publish("t", "kept");
  await before.server.close();
  // What is out of date makes the file longer than it need be.
  await writeFile(stateFile, '{"published":0}\n'.repeat(50) + (await readFile(stateFile, "utf8")));
  vi.mocked(rename).mockRejectedValue(Object.assign(new Error("EBUSY: busy"), { code: "EBUSY" }));
  for (const round of ["first", "second"]) {
    const running = await start(options);
    await running.publish("t", round);
    await running.server.close();
  }
  vi.mocked(rename).mockReset();
  const after = await start(options);
  expect(await after.texts("t")).toEqual(["kept", "first", "second"]);
  await after.server.close();
});
