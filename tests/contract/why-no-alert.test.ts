import { describe, expect, test } from "vitest";
import {
  type AlertFacts,
  heldBackBy,
  MAX_MUTE_MS,
  type NoAlertReason,
  type QuietHours,
  type StoredMessage,
  WEEKDAYS,
  whyNoAlert,
} from "../../src/contract";
import type { Priority } from "../../src/protocol";

const NOW_MS = 1_700_000_000_000;
const NOW_S = NOW_MS / 1_000;

function row(marks: Partial<StoredMessage> = {}, priority?: Priority, time = NOW_S): StoredMessage {
  const id = "abcdefghijkl";
  return {
    ...{ subId: 1, time, id, via: "stream", arrival: 1, receivedAtMs: NOW_MS },
    event: { id, time, event: "message", topic: "t", message: "text", ...(priority && { priority }) },
    ...marks,
  };
}

const ALWAYS: QuietHours = {
  on: true,
  urgentAlerts: true,
  spans: [{ days: [...WEEKDAYS], from: "00:00", to: "00:00" }],
};
const NEVER: QuietHours = { ...ALWAYS, on: false };
const QUIET: NoAlertReason = { kind: "quiet", untilMs: Infinity };

const quiet = (urgentAlerts: boolean) => heldBackBy({ quietHours: { ...ALWAYS, urgentAlerts } }, NOW_MS);

const allMuted = (mutedUntilMs: unknown) => heldBackBy({ mutedUntilMs }, NOW_MS);

type Case = [about: string, row: StoredMessage, facts: Partial<AlertFacts>, expected: NoAlertReason | undefined];

const CASES: Case[] = [
  ["a usual message", row(), {}, undefined],
  ["one of days ago that was missed", row({}, 3, NOW_S - 7 * 86_400), {}, undefined],
  ["history", row(), { isHistory: true }, "history"],
  ["history of a muted topic", row(), { isHistory: true, topic: { mutedUntilMs: Infinity } }, "history"],
  ["an older version", row({ supersededBy: "b" }), {}, "superseded"],
  ["a version that may be the newest", row({ supersededBy: "b" }), { isUnsure: true }, undefined],
  ["one that may be the newest, and was cleared", row({ supersededBy: "b", readAtMs: 1 }), { isUnsure: true }, "read"],
  ["a cleared or read one", row({ readAtMs: NOW_MS }), {}, "read"],
  ["a done one", row({ doneAtMs: NOW_MS }), {}, "read"],
  ["a snoozed one", row({ snoozedUntilMs: NOW_MS + 1 }), {}, "read"],
  ["a deleted one", row({ deletedAtMs: NOW_MS }), {}, "read"],
  ["a read one of a muted topic", row({ readAtMs: NOW_MS }), { topic: { mutedUntilMs: Infinity } }, "read"],
  ["of a topic muted for a moment yet", row(), { topic: { mutedUntilMs: NOW_MS + 1 } }, "muted"],
  ["of a topic no longer muted", row(), { topic: { mutedUntilMs: NOW_MS } }, undefined],
  ["of a topic muted for the longest", row(), { topic: { mutedUntilMs: NOW_MS + MAX_MUTE_MS } }, "muted"],
  ["of one muted while the clock was ahead", row(), { topic: { mutedUntilMs: NOW_MS + MAX_MUTE_MS + 1 } }, undefined],
  ["all were muted while the clock was ahead", row(), { heldBack: allMuted(NOW_MS + MAX_MUTE_MS + 1) }, undefined],
  ["an urgent one of a muted topic", row({}, 5), { topic: { mutedUntilMs: Infinity } }, "muted"],
  ["a low one of a muted topic", row({}, 1), { topic: { mutedUntilMs: Infinity, minPriority: 4 } }, "muted"],
  ["below the minimum", row({}, 3), { topic: { minPriority: 4 } }, "priority"],
  ["without a priority, below the minimum", row(), { topic: { minPriority: 4 } }, "priority"],
  ["at the minimum", row({}, 4), { topic: { minPriority: 4 } }, undefined],
  ["in quiet hours", row(), { heldBack: quiet(true) }, QUIET],
  ["an urgent one in quiet hours", row({}, 5), { heldBack: quiet(true) }, undefined],
  ["an urgent one in quiet hours for all", row({}, 5), { heldBack: quiet(false) }, QUIET],
  ["a high one in quiet hours", row({}, 4), { heldBack: quiet(true) }, QUIET],
  ["a muted one in quiet hours", row(), { heldBack: quiet(true), topic: { mutedUntilMs: Infinity } }, "muted"],
  ["one below the minimum in quiet hours", row(), { heldBack: quiet(true), topic: { minPriority: 4 } }, "priority"],
  ["a read one in quiet hours", row({ readAtMs: 1 }), { heldBack: quiet(true) }, "read"],
  ["of a topic without quiet hours", row(), { heldBack: quiet(true), topic: { quietHours: NEVER } }, undefined],
  ["of a topic with its own", row(), { heldBack: heldBackBy({}, NOW_MS), topic: { quietHours: ALWAYS } }, QUIET],
  ["of a topic with nonsense", row(), { heldBack: quiet(true), topic: { quietHours: "22:00" } }, QUIET],
  ["with nonsense for rules", row(), { heldBack: heldBackBy([{ spans: 1 }], NOW_MS) }, undefined],
  ["while everything is muted", row({}, 5), { heldBack: allMuted(NOW_MS + 1) }, "all-muted"],
  ["while everything is muted for good", row({}, 5), { heldBack: allMuted(Infinity) }, "all-muted"],
  ["when everything was muted until now", row(), { heldBack: allMuted(NOW_MS) }, undefined],
  ["muted by nonsense", row(), { heldBack: allMuted("9".repeat(20)) }, undefined],
  ["muted by no number", row(), { heldBack: allMuted(NaN) }, undefined],
  [
    "of a topic without quiet hours, while everything is muted",
    row(),
    { heldBack: allMuted(Infinity), topic: { quietHours: NEVER } },
    "all-muted",
  ],
];

describe("why a message raises no alert", () => {
  test.each(CASES)("%s", (_, message, facts, expected) => {
    expect(whyNoAlert(message, { nowMs: NOW_MS, ...facts })).toEqual(expected);
  });
});
