import { describe, expect, it } from "vitest";
import { formatFilter, parseFilter, type Filter } from "../../src/contract";
import { FilterDraft } from "../../src/ui/feed/filter/filter-draft.svelte";

function filterOf(text: string): Filter {
  const parsed = parseFilter(text);
  if (!parsed.ok) throw new Error(text);
  return parsed.value;
}

/** A filter box, and the pane whose filter it sets. */
function box(text = "") {
  const pane = {
    filter: filterOf(text),
    setFilter(filter: Filter) {
      pane.filter = filter;
    },
  };
  const draft = new FilterDraft(pane);
  draft.adopt(pane.filter);
  const type = (written: string, isComplete = false) => {
    draft.text = written;
    draft.apply(isComplete);
  };
  return { draft, type, filter: () => formatFilter(pane.filter) };
}

describe("FilterDraft", () => {
  it("shows the free text of a new filter in the field, and its conditions as chips", () => {
    const { draft } = box("disk tag:a -mail");
    expect(draft.text).toBe("disk -mail");
    expect(draft.chips).toEqual(filterOf("tag:a").terms);
  });

  it("searches for each word as it is typed, and makes a condition a chip once a blank follows", () => {
    const { draft, type, filter } = box();
    type("di");
    expect(filter()).toBe("di");
    type("disk tag:a");
    expect([draft.text, draft.chips.length, filter()]).toEqual(["disk tag:a", 0, "disk tag:a"]);
    type("disk tag:a ");
    expect([draft.text, draft.chips.length, filter()]).toEqual(["disk", 1, "tag:a disk"]);
  });

  it("keeps the last valid filter while a word is wrong, and points at the word once it is complete", () => {
    const { draft, type, filter } = box("tag:a");
    type("disk priority:loud ");
    expect(filter()).toBe("tag:a");
    expect(draft.fault).toMatchObject({ reason: "bad-priority", at: 14, length: 4, word: "loud" });
    type("disk is:", true);
    expect(draft.fault).toMatchObject({ reason: "empty-value", at: 8, length: 0, word: "is:", field: "is" });
    type("disk tag:,, ", true);
    expect(draft.fault).toMatchObject({ reason: "empty-value", word: "tag:,,", field: "tag" });
    type("disk priority>= ", true);
    expect(draft.fault).toMatchObject({ reason: "empty-value", word: "priority>=", field: "priority" });
  });

  it("doesn't search for a field name without a value", () => {
    const { draft, type, filter } = box("tag:a");
    type("disk top");
    expect(filter()).toBe("tag:a disk top");
    type("disk topic:");
    expect([draft.text, filter()]).toEqual(["disk topic:", "tag:a disk"]);
    type("disk topic:home");
    expect(filter()).toBe("tag:a disk topic:home");
  });

  it("reports a wrong word only once it is complete", () => {
    const { draft, type } = box();
    type("priority:hi");
    expect(draft.fault).toBeUndefined();
    type("priority:hi ");
    expect(draft.fault).toMatchObject({ word: "hi" });
  });

  it("turns a chip back into text to change it, and removes one", () => {
    const { draft, filter } = box("tag:a is:unread");
    const [tag, unread] = draft.chips;
    if (!tag || !unread) throw new Error("no chips");
    draft.edit(tag);
    expect([draft.text, draft.chips, filter()]).toEqual(["tag:a", [unread], "is:unread tag:a"]);
    draft.remove(unread);
    expect(filter()).toBe("tag:a");
    draft.clear();
    expect([draft.text, filter()]).toEqual(["", ""]);
  });
});
