import { afterEach, expect, test, vi } from "vitest";
import { saveBlob } from "../../src/ui/parts/save-blob";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("a file's address outlasts the browser asking where to save it, and is revoked in the end", () => {
  vi.useFakeTimers();
  const link = { href: "", download: "", click: vi.fn() };
  vi.stubGlobal("document", { createElement: () => link });
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:one");
  const revoke = vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
  saveBlob(new Blob(["abc"]), "a.txt");
  expect(link).toMatchObject({ href: "blob:one", download: "a.txt" });
  expect(link.click).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(5 * 60_000);
  expect(revoke).not.toHaveBeenCalled();
  vi.advanceTimersByTime(10 * 60_000);
  expect(revoke).toHaveBeenCalledWith("blob:one");
});
