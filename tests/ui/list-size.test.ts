import { describe, expect, it } from "vitest";
import { parseFilter } from "../../src/contract";
import { listSize } from "../../src/ui/feed/list/span";
import { feedQueryOf, type FeedView } from "../../src/ui/state/navigation/view";
import { ADDRESS, subscription } from "./fake-client";

const TOPICS = [
  subscription({ subId: 1, inFeed: 40, total: 60, starred: 2, scheduled: 3, snoozed: 4 }),
  subscription({ subId: 2, inFeed: 7, total: 7, starred: 1 }),
];

function sizeOf(view: FeedView, text = "", covered = TOPICS): number | undefined {
  const parsed = parseFilter(text);
  if (!parsed.ok) throw new Error(parsed.error.reason);
  const filter = parsed.value;
  const scope = feedQueryOf(
    view,
    filter,
    covered.map(({ subId }) => subId),
  );
  return listSize({ view, filter, covered, scope });
}

describe("the number of messages that a filter chooses from", () => {
  it("is that of the feed of the shown topics", () => {
    expect(sizeOf({ kind: "everything" })).toBe(47);
    expect(sizeOf({ kind: "topics", server: ADDRESS, topics: ["topic2"] }, "", TOPICS.slice(1))).toBe(7);
    expect(sizeOf({ kind: "everything" }, "disk -is:done")).toBe(47);
  });

  it("is the length of a list if that is counted", () => {
    expect(sizeOf({ kind: "starred" })).toBe(3);
    expect(sizeOf({ kind: "scheduled" })).toBe(3);
    expect(sizeOf({ kind: "snoozed" })).toBe(4);
  });

  it("is unknown if no counter has it, or if the filter reaches beyond the list", () => {
    expect(sizeOf({ kind: "urgent" })).toBeUndefined();
    expect(sizeOf({ kind: "done" })).toBeUndefined();
    expect(sizeOf({ kind: "everything" }, "is:done")).toBeUndefined();
  });
});
