import { describe, expect, test } from "vitest";
import type { Filter } from "../../src/contract";
import type { ServerAddress } from "../../src/protocol";
import { fragmentOf, routeOf } from "../../src/ui/state/navigation/route";
import type { View } from "../../src/ui/state/navigation/view";
import { ADDRESS } from "./fake-client";

const HOME = "https://home.example" as ServerAddress;
const NO_FILTER: Filter = { terms: [] };

const views: [View, string][] = [
  [{ kind: "everything" }, "#/"],
  [{ kind: "urgent" }, "#/~urgent"],
  [{ kind: "high" }, "#/~high"],
  [{ kind: "starred" }, "#/~starred"],
  [{ kind: "scheduled" }, "#/~scheduled"],
  [{ kind: "snoozed" }, "#/~snoozed"],
  [{ kind: "done" }, "#/~done"],
  [{ kind: "topic-list" }, "#/~topics"],
  [{ kind: "settings", page: "" }, "#/~settings"],
  [{ kind: "settings", page: "alerts" }, "#/~settings/alerts"],
  [{ kind: "open-link", text: "" }, "#/~open"],
  [{ kind: "open-link", text: "ntfy://a.example/b?c" }, "#/~open/ntfy://a.example/b%3Fc"],
  [{ kind: "server", server: ADDRESS }, "#/~server/ntfy.example"],
  [{ kind: "topics", server: HOME, topics: ["a", "b"] }, "#/a,b"],
  [{ kind: "topics", server: ADDRESS, topics: ["a"] }, "#/ntfy.example/a"],
  [{ kind: "group", name: "Haus & Hof/1; 2" }, "#/~group/Haus%20%26%20Hof/1%3B%202"],
  [
    {
      kind: "several",
      parts: [
        { server: HOME, topics: ["a", "b"] },
        { server: ADDRESS, topics: ["c"] },
      ],
    },
    "#/~several/a,b%2Bntfy.example/c",
  ],
  [{ kind: "columns", parts: [] }, "#/~columns"],
  [
    {
      kind: "columns",
      parts: [
        { view: { kind: "everything" }, filter: NO_FILTER },
        {
          view: { kind: "topics", server: ADDRESS, topics: ["a", "b"] },
          filter: { terms: [{ not: false, kind: "text", text: "x;/?y" }] },
        },
      ],
    },
    "#/~columns/%3F%3Bntfy.example/a,b%3Fq%3Dx%253B%252F%253Fy",
  ],
  [{ kind: "wall", parts: [{ view: { kind: "urgent" }, filter: NO_FILTER }] }, "#/~wall/~urgent"],
];

const saved = [
  { name: "A/B; ü", link: "#/a?tags=x" },
  { name: "Gone wrong", link: "#/not a topic" },
];

test("a saved view shows its feed under its name, alone and among columns", () => {
  const route = routeOf("#/~view/A/B%3B%20%C3%BC", HOME, saved);
  expect(route).toMatchObject({
    view: { kind: "topics", server: HOME, topics: ["a"] },
    filter: { terms: [{ kind: "tags", values: ["x"] }] },
    saved: "A/B; ü",
  });
  expect(routeOf(fragmentOf(route, HOME), HOME, saved)).toEqual(route);
  const columns = routeOf(`#/~columns/${encodeURIComponent("~view/A/B%3B%20%C3%BC;~urgent")}`, HOME, saved);
  expect(columns.view).toMatchObject({
    kind: "columns",
    parts: [{ saved: "A/B; ü", view: { kind: "topics" } }, { view: { kind: "urgent" } }],
  });
  expect(routeOf(fragmentOf(columns, HOME), HOME, saved)).toEqual(columns);
});

test("a saved view that is missing or has a broken link is reported as such", () => {
  expect(routeOf("#/~view/Other", HOME, saved).view).toEqual({ kind: "bad-link", reason: "view" });
  expect(routeOf("#/~view", HOME, saved).view).toEqual({ kind: "bad-link", reason: "view" });
  expect(routeOf("#/~view/Gone%20wrong", HOME, saved).view).toEqual({ kind: "bad-link", reason: "topic" });
});

test.each(views)("%o has the address %s, and back", (view, fragment) => {
  expect(fragmentOf({ view, filter: NO_FILTER }, HOME)).toBe(fragment);
  expect(routeOf(fragment, HOME).view).toEqual(view);
});

test("an empty fragment is everything", () => {
  expect(routeOf("", HOME).view).toEqual({ kind: "everything" });
});

test("an address carries the filter and one message", () => {
  const filter: Filter = { terms: [{ kind: "priority", values: [4, 5], not: false }] };
  const route = { view: { kind: "everything" } as const, filter, message: { id: "abc", at: 12 } };
  expect(routeOf(fragmentOf(route, HOME), HOME)).toEqual(route);
});

test("links that open something beside the view lead to everything", () => {
  expect(routeOf("#/~add", HOME)).toMatchObject({ view: { kind: "everything" }, asks: "add" });
  expect(routeOf("#/~search", HOME)).toMatchObject({ view: { kind: "everything" }, asks: "search" });
});

describe("a link that can't be read says what is wrong with it", () => {
  test.each([
    ["#/bad name", "topic"],
    ["#/settings", "topic"],
    ["#/https:user@host.example/a", "credentials"],
    ["#/a?auth=secret", "credentials"],
    ["#/~server/x y", "address"],
    ["#/a?priority=loud", "filter"],
    ["#/a?unheard=1", "filter"],
    ["#/~nothing", "unknown"],
    [`#/${"a".repeat(16_000)}`, "too-long"],
    ["#/~columns/a;b c", "topic"],
    ["#/~columns/a;~settings", "unknown"],
    // Each column reads and draws a feed of its own, so thousands would freeze the page.
    [`#/~columns/${"a;".repeat(31)}`, "columns"],
    [`#/~wall/${encodeURIComponent("?;".repeat(31))}`, "columns"],
    ["#/~wall/a%3Fauth=secret", "credentials"],
    ["#elsewhere", "unknown"],
  ])("%s: %s", (fragment, reason) => {
    expect(routeOf(fragment, HOME).view).toEqual({ kind: "bad-link", reason });
  });
});
