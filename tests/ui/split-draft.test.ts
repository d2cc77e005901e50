import { describe, expect, it } from "vitest";
import { splitDraft } from "../../src/ui/feed/filter/filter-draft.svelte";

describe("splitDraft", () => {
  it.each([
    ["", "", ""],
    ["rest", "", "rest"],
    ["tag:a ", "tag:a ", ""],
    ["tag:a rest", "tag:a ", "rest"],
    ['title:"two words', "", 'title:"two words'],
    ['x title:"two \\" words" y', 'x title:"two \\" words" ', "y"],
  ])("parts %j", (draft, head, tail) => expect(splitDraft(draft)).toEqual({ head, tail }));
});
