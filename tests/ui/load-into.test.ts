import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type * as LoadInto from "../../src/ui/message/attachment/load-into";
import type { LoadAddress } from "../../src/ui/state/load-source";

/** Size in bytes of which six files are kept in memory, but not seven. */
const LARGE_BYTES = 9_990_000;
const large = new Uint8Array(LARGE_BYTES);

let asked: string[];
let revoked: string[];
/** Imported anew for each test, as the module keeps what it has loaded. */
let showable: typeof LoadInto.showable;

beforeEach(async () => {
  asked = [];
  revoked = [];
  let made = 0;
  vi.stubGlobal("fetch", (href: string) => {
    asked.push(href);
    return Promise.resolve(new Response(href.endsWith("empty") ? new Uint8Array() : large));
  });
  vi.spyOn(URL, "createObjectURL").mockImplementation(() => `blob:${String(++made)}`);
  vi.spyOn(URL, "revokeObjectURL").mockImplementation((url) => void revoked.push(url));
  vi.resetModules();
  ({ showable } = await import("../../src/ui/message/attachment/load-into"));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const show = (name: string) => showable({ href: `https://files.example/${name}` as LoadAddress, by: "fetch" });

test("a file in memory is not fetched again", async () => {
  expect(await show("a")).toBe(await show("a"));
  expect(asked).toHaveLength(1);
});

test("the least recently used files are dropped when there are too many bytes, even empty ones", async () => {
  const empty = await show("empty");
  for (let at = 0; at < 7; at++) await show(String(at));
  expect(revoked).toContain(empty);
  asked = [];
  await show("6");
  await show("empty");
  expect(asked).toEqual(["https://files.example/empty"]);
});

test("a file that is still loading stays", async () => {
  let answer: (response: Response) => void = () => undefined;
  const fetched = globalThis.fetch;
  vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => (answer = resolve)));
  const slow = show("slow");
  await Promise.resolve();
  vi.stubGlobal("fetch", fetched);
  for (let at = 0; at < 8; at++) await show(String(at));
  answer(new Response(large));
  expect(await slow).toBeDefined();
  expect(revoked).not.toContain(await slow);
});
