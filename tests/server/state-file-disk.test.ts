import { renameSync } from "node:fs";
import { appendFile, open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { newFolder, start } from "./test-server";

vi.mock("node:fs", async (original) => {
  const real = await original<typeof import("node:fs")>();
  return { ...real, renameSync: vi.fn(real.renameSync) };
});
afterEach(() => void vi.mocked(renameSync).mockReset());

test("a rewritten state file is on the disk before it replaces the old one", async () => {
  const folder = await newFolder();
  const handle = await open(join(folder, "any"), "w");
  const proto = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  const running = await start({ stateFile: join(folder, "state.ndjson") });
  await running.publish("t", "kept");
  const sync = vi.spyOn(proto, "sync");
  vi.mocked(renameSync).mockClear();
  await running.server.close();
  const orders = [sync, vi.mocked(renameSync)].map(({ mock }) => mock.invocationCallOrder);
  expect(orders.map((calls) => calls.length)).toEqual([1, 1]);
  expect(orders.flat()).toEqual(orders.flat().sort((a, b) => a - b));
});

test("a file that can't be replaced, such as one mounted into a container, is only ever appended to", async () => {
  const folder = await newFolder();
  const stateFile = join(folder, "state.ndjson");
  const before = await start({ stateFile });
  await before.publish("t", "kept");
  await before.server.close();
  // What is out of date makes the file longer than it need be.
  await appendFile(stateFile, '{"published":0}\n'.repeat(20_000));
  vi.mocked(renameSync).mockImplementation(() => {
    throw Object.assign(new Error("EBUSY: busy"), { code: "EBUSY" });
  });
  let content = await readFile(stateFile, "utf8");
  for (const round of ["first", "second"]) {
    const running = await start({ stateFile });
    await running.publish("t", round);
    await running.server.close();
    expect(running.reported.map(String)).toContainEqual(expect.stringMatching(/can't be written anew: EBUSY/));
    const now = await readFile(stateFile, "utf8");
    expect(now.startsWith(content)).toBe(true);
    content = now;
    expect(await readdir(folder)).toEqual(["state.ndjson"]);
  }
  vi.mocked(renameSync).mockReset();
  const after = await start({ stateFile });
  expect(await after.texts("t")).toEqual(["kept", "first", "second"]);
});
