import { beforeEach, expect, test } from "vitest";
import { Unfolded } from "../../src/ui/message/unfolded.svelte";
import { stubPage } from "./stub-page";

beforeEach(() => stubPage());

test("unfolded messages stay so after a reload, until they are folded again", () => {
  const before = new Unfolded();
  before.set([1, 100, "a"], true);
  before.set([1, 100, "b"], true);
  before.set([1, 100, "a"], false);
  const after = new Unfolded();
  expect([after.has([1, 100, "a"]), after.has([1, 100, "b"])]).toEqual([false, true]);
});

test("only a bounded number is remembered, and the oldest choice is forgotten first", () => {
  const unfolded = new Unfolded();
  for (let at = 0; at < 400; at++) unfolded.set([1, at, "a"], true);
  unfolded.set([1, 100, "a"], true);
  unfolded.set([1, 400, "a"], true);
  const after = new Unfolded();
  expect([99, 100, 101, 102, 400].map((at) => after.has([1, at, "a"]))).toEqual([false, true, false, true, true]);
  expect(localStorage.getItem("earshot-unfolded")?.split("\n")).toHaveLength(300);
});
