import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFilter } from "../../src/contract";
import { suggest, wordAtCaret, type CompletionData } from "../../src/ui/feed/filter/suggest";

const known: CompletionData = {
  tags: [
    { tag: "backup", count: 12 },
    { tag: "disk", count: 5 },
    { tag: "hard disk", count: 2 },
    { tag: "main", count: 1 },
  ],
  places: { topic: [], server: [], group: [] },
};
const placed: CompletionData = {
  ...known,
  places: {
    topic: [
      { name: "door", hint: "ntfy.sh" },
      { name: "Backups at home", hint: "ntfy.home" },
    ],
    server: [
      { name: "ntfy.sh", hint: "1 topic" },
      { name: "ntfy.home", hint: "1 topic" },
    ],
    group: [{ name: "Front door", hint: "1 topic" }],
  },
};
const texts = (word: string, from = known) => suggest(word, from).map(({ text }) => text);

describe("the word at the caret", () => {
  it.each([
    ["", 0, { start: 0, text: "" }],
    ["disk tag:b", 10, { start: 5, text: "tag:b" }],
    ["disk ", 5, { start: 5, text: "" }],
    ['title:"two wo', 13, { start: 0, text: 'title:"two wo' }],
    ["disk full", 4, { start: 0, text: "disk" }],
    ["disk full", 2, undefined],
  ])("of %j at %i", (text, caret, word) => expect(wordAtCaret(text, caret)).toEqual(word));
});

describe("suggestions", () => {
  it.each([
    ["", ["is:", "priority:", "tag:", "title:", "message:", "has:", "after:", "before:", "-"]],
    ["-", ["is:", "priority:", "tag:", "title:", "message:", "has:", "after:", "before:"].map((name) => `-${name}`)],
    ["ti", ["title:"]],
    ["-pri", ["-priority:"]],
    ["priority:", ["urgent", "high", "default", "low", "min"].map((name) => `priority:${name}`)],
    ["priority:h", ["priority:high"]],
    ["priority:high,", ["urgent", "default", "low", "min"].map((name) => `priority:high,${name}`)],
    ["tag:di", ["tag:disk", 'tag:"hard disk"']],
    ["-tag:disk,b", ["-tag:disk,backup"]],
    ["is:un", ["is:unread"]],
    ["has:a", ["has:attachment", "has:actions"]],
    ["after:to", ["after:today"]],
    ["disk", ["tag:disk", 'tag:"hard disk"']],
    ["nothing-like-it", []],
    ["12:30", []],
  ])("for %j", (word, offers) => expect(texts(word)).toEqual(offers));

  it.each([
    ["topic:", ["topic:door", 'topic:"Backups at home"']],
    ["-topic:HOME", ['-topic:"Backups at home"']],
    ['topic:"back', ['topic:"Backups at home"']],
    ["topic:door,", ['topic:door,"Backups at home"']],
    ["server:home", ["server:ntfy.home"]],
    ["group:", ['group:"Front door"']],
    ["se", ["server:"]],
    ["-door", ["-topic:door"]],
    ["home", ['topic:"Backups at home"']],
  ])("name places for %j", (word, offers) => expect(texts(word, placed)).toEqual(offers));

  it("name places only where there is a choice, those that begin with the text first", () => {
    const one = { name: "door", hint: "" };
    const alone = { ...known, places: { topic: [one], server: [one], group: [] } };
    expect(texts("", alone)).toEqual(texts(""));
    expect(texts("", placed)).toEqual(expect.arrayContaining(["topic:", "server:", "group:"]));
    const several = { ...known, places: { topic: [{ name: "outdoor", hint: "" }, one], server: [], group: [] } };
    expect(texts("topic:do", several)).toEqual(["topic:door", "topic:outdoor"]);
  });

  it("say how many messages each has, and where a condition continues", () => {
    expect(suggest("tag:back", known)).toEqual([
      { text: "tag:backup", label: "backup", hint: "on 12 messages", isWhole: true },
    ]);
    expect(suggest("prio", known)[0]).toMatchObject({ text: "priority:", isWhole: false });
    expect(suggest("door", placed)).toEqual([
      { text: "topic:door", label: "topic:door", hint: "ntfy.sh", isWhole: true },
    ]);
  });

  it("are parsed as written, whatever the tags are", () => {
    const tag = fc.string({ minLength: 1, maxLength: 12 }).map((text) => text.toLowerCase());
    fc.assert(
      fc.property(fc.uniqueArray(tag, { minLength: 1, maxLength: 6 }), fc.boolean(), (tags, not) => {
        const offers = suggest(not ? "-tag:" : "tag:", {
          tags: tags.map((each) => ({ tag: each, count: 1 })),
          places: known.places,
        });
        const read = offers.map(({ text }) => parseFilter(text));
        expect(read).toEqual(
          tags.map((each) => ({ ok: true, value: { terms: [{ kind: "tags", values: [each], not }] } })),
        );
      }),
    );
  });
});
