import fc from "fast-check";
import { expect, test } from "vitest";
import {
  belongsTo,
  hideLike,
  hidingRules,
  isHiddenBy,
  leavesOutHidden,
  MAX_HIDE_LETTERS,
  parseFilter,
  type StoredMessage,
} from "../../../src/contract";
import type { MessageEvent } from "../../../src/protocol";

const row = (event: Partial<MessageEvent>, subId = 1): StoredMessage => ({
  ...{ subId, time: 1, id: "m", via: "stream", arrival: 1, receivedAtMs: 1 },
  event: { id: "m", time: 1, event: "message", topic: "t", message: "", ...event },
});
const like = (event: Partial<MessageEvent>): string[] => [hideLike(row(event).event) ?? ""];

test("a rule made of a message hides it and those like it, in its topic alone, and never an urgent one", () => {
  const hides = like({ title: "Backup of db1 done in 3 min", message: "12 GB" });
  const isHidden = isHiddenBy(hidingRules([{ subId: 1, hides }]), 0);
  const title = "Backup of db1 done in 59 min";
  expect(isHidden(row({ title, message: "anything" }))).toBe(true);
  expect(isHidden(row({ title, priority: 4 }))).toBe(true);
  expect(isHidden(row({ title, priority: 5 }))).toBe(false);
  expect(isHidden(row({ title }, 2))).toBe(false);
  expect(isHidden(row({ title: `${title}, with errors` }))).toBe(false);
  expect(isHidden(row({ message: title }))).toBe(false);
});

test("whatever a message says, a rule made of it is short, can be read, and hides that message", () => {
  const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ maxLength: 1_500 }));
  fc.assert(
    fc.property(fc.option(text, { nil: undefined }), text, (title, message) => {
      const event = { message, ...(title !== undefined && { title }) };
      const rule = hideLike(row(event).event);
      if (rule === undefined) return;
      expect(rule.length).toBeLessThanOrEqual(MAX_HIDE_LETTERS);
      expect(isHiddenBy(hidingRules([{ subId: 1, hides: [rule] }]), 0)(row(event))).toBe(true);
    }),
  );
});

test("a message without words can't be told from others, so there is no rule for it", () => {
  expect(hideLike(row({ message: " " }).event)).toBeUndefined();
  expect(hideLike(row({ message: "/wD+gA==", encoding: "base64" }).event)).toBeUndefined();
  expect(hideLike(row({ message: "x".repeat(MAX_HIDE_LETTERS) }).event)).toBeUndefined();
});

test("a rule that says nothing of a message, or can't be read, hides nothing", () => {
  expect(hidingRules([{ subId: 1, hides: ["", "topic:x", 'title~"', "is:gone"] }, { subId: 2 }])).toEqual([]);
});

test("what is hidden is in no list that leaves it out", () => {
  const hidden = hidingRules([{ subId: 1, hides: like({ title: "a" }) }]);
  const isListed = belongsTo({ list: "feed", hidden }, 0);
  expect([row({ title: "a" }), row({ title: "b" }), row({ title: "a" }, 2)].map(isListed)).toEqual([false, true, true]);
});

test.each([
  ["", true],
  ["is:unread priority:high after:2h", true],
  ["backup", false],
  ["-title:backup", false],
  ["tag:backup", false],
  ["topic:backups", false],
])("Everything with the filter %j leaves out what is hidden: %j", (text, expected) => {
  const read = parseFilter(text);
  expect(read.ok && leavesOutHidden(read.value)).toBe(expected);
});
