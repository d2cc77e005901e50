import { expect, test } from "vitest";
import type { Filter } from "../../src/contract";
import type { ServerAddress } from "../../src/protocol";
import { covered, isOfOneTopic, feedQueryOf, type FeedView } from "../../src/ui/state/navigation/view";
import { ADDRESS, server, subscription } from "./fake-client";

const OTHER = "http://other.example" as ServerAddress;
const servers = [server(), server({ serverId: 2, address: OTHER })];
const a = subscription({ subId: 1, topic: "a" });
const b = subscription({ subId: 2, topic: "b" });
const otherA = subscription({ subId: 3, serverId: 2, topic: "a" });
const removed = subscription({ subId: 4, topic: "gone", removedAtMs: 1 });
const all = [a, b, otherA, removed];
const text: Filter = { terms: [{ kind: "text", text: "x", not: false }] };

test("everything covers all but removed subscriptions", () => {
  expect(covered({ kind: "everything" }, servers, all)).toEqual([a, b, otherA]);
});

test("topics of the same name are told apart by server", () => {
  expect(covered({ kind: "topics", server: OTHER, topics: ["a"] }, servers, all)).toEqual([otherA]);
});

test("a view of several topics of one server covers the subscribed ones", () => {
  expect(covered({ kind: "topics", server: ADDRESS, topics: ["b", "a", "c"] }, servers, all)).toEqual([a, b]);
});

test("a server covers its own topics", () => {
  expect(covered({ kind: "server", server: ADDRESS }, servers, all)).toEqual([a, b]);
});

test("a group covers its topics of all servers, and a missing group covers nothing", () => {
  const grouped = [a, { ...b, group: "x" }, { ...otherA, group: "x" }, { ...removed, group: "x" }];
  expect(covered({ kind: "group", name: "x" }, servers, grouped)).toEqual([grouped[1], grouped[2]]);
  expect(covered({ kind: "group", name: "y" }, servers, grouped)).toEqual([]);
  expect(feedQueryOf({ kind: "group", name: "y" }, text, [])).toEqual({ list: "feed", subIds: [], filter: text });
});

test("an unknown server covers nothing", () => {
  expect(covered({ kind: "server", server: "https://x.example" as ServerAddress }, servers, all)).toEqual([]);
});

test.each([
  ["urgent", 5],
  ["high", 4],
] as const)("the %s view keeps its own condition beside the user's filter", (kind, priority) => {
  expect(feedQueryOf({ kind }, text, [1])).toEqual({
    list: "feed",
    filter: { terms: [{ kind: "priority", values: [priority], not: false }, ...text.terms] },
  });
});

test("only views of some subscriptions name their topics", () => {
  expect(feedQueryOf({ kind: "everything" }, text, [1, 2])).toEqual({ list: "feed", filter: text });
  expect(feedQueryOf({ kind: "server", server: ADDRESS }, text, [1, 2])).toEqual({
    list: "feed",
    subIds: [1, 2],
    filter: text,
  });
  expect(feedQueryOf({ kind: "starred" }, text, [])).toEqual({ list: "starred", filter: text });
});

test("only Everything leaves out what is hidden, unless its filter names words or places", () => {
  const hidden = [{ subId: 1, filter: { terms: [] } }];
  const unread: Filter = { terms: [{ kind: "is", what: "unread", not: false }] };
  expect(feedQueryOf({ kind: "everything" }, unread, [1], hidden)).toEqual({ list: "feed", filter: unread, hidden });
  expect(feedQueryOf({ kind: "everything" }, text, [1], hidden)).toEqual({ list: "feed", filter: text });
  expect(feedQueryOf({ kind: "group", name: "x" }, unread, [1], hidden)).not.toHaveProperty("hidden");
  expect(feedQueryOf({ kind: "high" }, unread, [1], hidden)).not.toHaveProperty("hidden");
});

test("only a view of one topic can't mix topics", () => {
  const views: FeedView[] = [
    { kind: "topics", server: ADDRESS, topics: ["a"] },
    { kind: "topics", server: ADDRESS, topics: ["a", "b"] },
    { kind: "server", server: ADDRESS },
    { kind: "everything" },
    { kind: "urgent" },
    { kind: "starred" },
  ];
  expect(views.map(isOfOneTopic)).toEqual([true, false, false, false, false, false]);
});
