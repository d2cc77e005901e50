import { describe, expect, it } from "vitest";
import { parseFilter } from "../../src/contract";
import { heldIn } from "../../src/ui/feed/held";
import { feedQueryOf, type FeedView } from "../../src/ui/state/view";
import { ADDRESS, subscription } from "./fake-client";

const TOPICS = [
  subscription({ subId: 1, inFeed: 40, total: 60, starred: 2, scheduled: 3, snoozed: 4 }),
  subscription({ subId: 2, inFeed: 7, total: 7, starred: 1 }),
];

function held(view: FeedView, text = "", covered = TOPICS): number | undefined {
  const parsed = parseFilter(text);
  if (!parsed.ok) throw new Error(parsed.error.reason);
  const filter = parsed.value;
  const scope = feedQueryOf(
    view,
    filter,
    covered.map(({ subId }) => subId),
  );
  return heldIn({ view, filter, covered, scope });
}

describe("the number of messages that a filter chooses from", () => {
  it("is that of the feed of the shown topics", () => {
    expect(held({ kind: "everything" })).toBe(47);
    expect(held({ kind: "topics", server: ADDRESS, topics: ["topic2"] }, "", TOPICS.slice(1))).toBe(7);
    expect(held({ kind: "everything" }, "disk -is:done")).toBe(47);
  });

  it("is the length of a list if that is counted", () => {
    expect(held({ kind: "starred" })).toBe(3);
    expect(held({ kind: "scheduled" })).toBe(3);
    expect(held({ kind: "snoozed" })).toBe(4);
  });

  it("is unknown if no counter has it, or if the filter reaches beyond the list", () => {
    expect(held({ kind: "urgent" })).toBeUndefined();
    expect(held({ kind: "done" })).toBeUndefined();
    expect(held({ kind: "everything" }, "is:done")).toBeUndefined();
  });
});
