import { expect, test } from "vitest";
import { completeness, completenessOf } from "../../src/ui/state/topics/completeness";
import { subscription } from "./fake-client";

const checked = (subId: number, more = {}) => subscription({ subId, joined: 1, ...more });

test("a topic is complete since its newest gap, or since it was wanted", () => {
  const gaps = [
    { subId: 1, from: 10, to: 20 },
    { subId: 1, from: 40, to: 50 },
    { subId: 2, from: 60, to: 70 },
  ];
  expect(completeness(checked(1), gaps)).toEqual({ kind: "since", time: 50 });
  expect(completeness(checked(1, { fromTime: 80 }), gaps)).toEqual({ kind: "since", time: 80 });
  expect(completeness(checked(3), gaps)).toEqual({ kind: "all" });
  expect(completeness(subscription({ subId: 3 }), gaps)).toEqual({ kind: "unchecked" });
});

test("several topics are as complete as the least complete one, and refused if one is", () => {
  const gaps = [
    { subId: 1, from: 10, to: 20 },
    { subId: 2, from: 60, to: 70 },
  ];
  expect(completenessOf([checked(1), checked(2), checked(3)], gaps)).toEqual({ kind: "since", time: 70 });
  expect(completenessOf([checked(1), subscription({ subId: 4 })], gaps)).toEqual({ kind: "unchecked" });
  expect(completenessOf([checked(3), checked(3)], gaps)).toEqual({ kind: "all" });
  expect(completenessOf([checked(1), checked(5, { refusedCode: 40301 })], gaps)).toEqual({ kind: "refused" });
  expect(completenessOf([], gaps)).toBeUndefined();
});
