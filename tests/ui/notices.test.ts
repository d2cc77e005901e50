import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DELETE_UNDO_MS } from "../../src/store";
import { MAX_UNDO_MS, UNDO_OFFER_MS } from "../../src/contract";
import { Notices } from "../../src/ui/state/notices.svelte";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => vi.useRealTimers());

test("a line disappears by itself, and later if it has an undo", () => {
  const notices = new Notices();
  notices.show({ text: "plain" });
  vi.advanceTimersByTime(5_000);
  expect(notices.current).toBeUndefined();
  notices.show({ text: "removed", undo: () => undefined });
  vi.advanceTimersByTime(UNDO_OFFER_MS - 1);
  expect(notices.current?.text).toBe("removed");
  vi.advanceTimersByTime(1);
  expect(notices.current).toBeUndefined();
});

test("a line stays while it is hovered or focused", () => {
  const notices = new Notices();
  notices.show({ text: "3 were missing", action: { label: "Show", run: () => undefined } });
  notices.hold();
  vi.advanceTimersByTime(60_000);
  expect(notices.current?.text).toBe("3 were missing");
  notices.release();
  vi.advanceTimersByTime(UNDO_OFFER_MS);
  expect(notices.current).toBeUndefined();
});

test("an undo is offered no longer than the removed data is kept, however long the line is held", () => {
  const notices = new Notices();
  notices.show({ text: "removed", undo: () => undefined });
  notices.hold();
  vi.advanceTimersByTime(DELETE_UNDO_MS - 1);
  expect(notices.current).toBeUndefined();
});

test("undo takes the newest change first, even if its line was replaced", () => {
  const undone: string[] = [];
  const notices = new Notices();
  notices.show({ text: "a", undo: () => undone.push("a") });
  notices.show({ text: "b", undo: () => undone.push("b") });
  notices.show({ text: "plain" });
  notices.undoLast();
  expect(notices.current?.text).toBe("Undone: b");
  expect(notices.canUndo).toBe(true);
  notices.undoLast();
  expect(notices.canUndo).toBe(false);
  notices.undoLast();
  expect(undone).toEqual(["b", "a"]);
});

test("changes without a line can be undone in their turn", () => {
  const undone: string[] = [];
  const notices = new Notices();
  notices.show({ text: "a", undo: () => undone.push("a") });
  notices.keep(() => undone.push("silent"));
  expect(notices.current?.text).toBe("a");
  notices.undoLast();
  expect(notices.current?.text).toBe("a");
  notices.undoLast();
  expect(notices.current?.text).toBe("Undone: a");
  expect(undone).toEqual(["silent", "a"]);
});

test("nothing is undone twice", () => {
  const undo = vi.fn();
  const notices = new Notices();
  notices.show({ text: "a", undo });
  notices.answer();
  expect(notices.canUndo).toBe(false);
  notices.undoLast();
  expect(undo).toHaveBeenCalledOnce();
});

test("a change that is too old can't be undone", () => {
  const notices = new Notices();
  const undo = vi.fn();
  notices.show({ text: "a", undo });
  vi.advanceTimersByTime(MAX_UNDO_MS);
  expect(notices.canUndo).toBe(false);
  notices.undoLast();
  expect(undo).not.toHaveBeenCalled();
  expect(MAX_UNDO_MS).toBeLessThan(DELETE_UNDO_MS);
});

test("answering a line runs its action", () => {
  const run = vi.fn();
  const notices = new Notices();
  notices.show({ text: "a", action: { label: "Show", run } });
  notices.answer();
  expect(run).toHaveBeenCalledOnce();
  expect(notices.current).toBeUndefined();
});
