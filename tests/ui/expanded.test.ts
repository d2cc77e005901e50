import { beforeEach, expect, test } from "vitest";
import { Expanded } from "../../src/ui/message/body/collapse.svelte";
import { stubPage } from "./stub-page";

beforeEach(() => stubPage());

test("expanded messages stay so after a reload, until they are collapsed again", () => {
  const before = new Expanded();
  before.set([1, 100, "a"], true);
  before.set([1, 100, "b"], true);
  before.set([1, 100, "a"], false);
  const after = new Expanded();
  expect([after.has([1, 100, "a"]), after.has([1, 100, "b"])]).toEqual([false, true]);
});

test("only a bounded number is remembered, and the oldest choice is forgotten first", () => {
  const expanded = new Expanded();
  for (let at = 0; at < 400; at++) expanded.set([1, at, "a"], true);
  expanded.set([1, 100, "a"], true);
  expanded.set([1, 400, "a"], true);
  const after = new Expanded();
  expect([99, 100, 101, 102, 400].map((at) => after.has([1, at, "a"]))).toEqual([false, true, false, true, true]);
  expect(localStorage.getItem("earshot-unfolded")?.split("\n")).toHaveLength(300);
});

test("of a stored list that is too long only the newest choices are read", () => {
  localStorage.setItem("earshot-unfolded", Array.from({ length: 10_000 }, (_, at) => `1/${at}/a`).join("\n"));
  const expanded = new Expanded();
  expect([9_699, 9_700, 9_999].map((at) => expanded.has([1, at, "a"]))).toEqual([false, true, true]);
});
