import { expect, test, vi } from "vitest";
import { asBackup } from "../../src/ui/backup/foreign-file";

test("an Android backup of 84 MB is refused before it is read", async () => {
  const file = new Blob(['{"magic": "ntfy2586", "version": 1}', new Uint8Array(84_000_000)]);
  const reads = ["text", "arrayBuffer", "stream"] as const;
  const whole = reads.map((read) => vi.spyOn(file, read));
  expect(await asBackup(file)).toEqual({ ok: false, error: "too-large" });
  for (const read of whole) expect(read).not.toHaveBeenCalled();
});

test.each(["is gone", "goes while it is read"])("a file that %s is refused", async (when) => {
  const file = new Blob(['{"magic": "ntfy2586", "version": 1}']);
  const gone = () => Promise.reject(new DOMException("moved", "NotReadableError"));
  vi.spyOn(file, "text").mockImplementation(gone);
  vi.spyOn(file, "slice").mockReturnValue(when === "is gone" ? file : new Blob(['{"magic": "ntfy2586"']));
  expect(await asBackup(file)).toEqual({ ok: false, error: "cut-backup" });
});
