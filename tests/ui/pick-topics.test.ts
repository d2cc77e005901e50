import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { App } from "../../src/ui/state/app.svelte";
import type { ServerAddress } from "../../src/protocol";
import { fragmentOf, routeOf } from "../../src/ui/state/navigation/route";
import { type FeedView, type View, covered } from "../../src/ui/state/navigation/view";
import { pickTopic, viewWith } from "../../src/ui/topics/subscribe/pick-topics";
import { ADDRESS, catalogue, FakeClient, server, subscription } from "./fake-client";
import { stubPage } from "./stub-page";

const OTHER = "http://other.example:8080" as ServerAddress;
const NO_FILTER = { terms: [] };

test("topics are added and removed one by one, across servers", () => {
  const one = viewWith({ kind: "everything" }, ADDRESS, "a");
  expect(one).toEqual({ kind: "topics", server: ADDRESS, topics: ["a"] });
  const two = viewWith(one, ADDRESS, "b");
  expect(two).toEqual({ kind: "topics", server: ADDRESS, topics: ["a", "b"] });
  const three = viewWith(two, OTHER, "a");
  expect(three).toEqual({
    kind: "several",
    parts: [
      { server: ADDRESS, topics: ["a", "b"] },
      { server: OTHER, topics: ["a"] },
    ],
  });
  expect(viewWith(three, OTHER, "a")).toEqual(two);
  expect(viewWith(one, ADDRESS, "a")).toEqual({ kind: "everything" });
  const group: View = { kind: "group", name: "x" };
  expect(viewWith(group, OTHER, "a"), "another kind of view is left").toEqual({
    ...{ kind: "topics", server: OTHER, topics: ["a"] },
  });
});

test("the feed shows exactly the picked topics, and its link restores them", () => {
  const servers = [server(), server({ serverId: 2, address: OTHER })];
  const all = [1, 2].flatMap((serverId) =>
    ["a", "b", "c"].map((topic, at) => subscription({ subId: serverId * 10 + at, serverId, topic })),
  );
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...all), { maxLength: 12 }), (picks) => {
      let view: FeedView = { kind: "everything" };
      const chosen = new Set<number>();
      for (const { subId, serverId, topic } of picks) {
        view = viewWith(view, serverId === 1 ? ADDRESS : OTHER, topic);
        if (!chosen.delete(subId)) chosen.add(subId);
      }
      const shown = covered(view, servers, all).map(({ subId }) => subId);
      expect(new Set(shown)).toEqual(chosen.size === 0 ? new Set(all.map(({ subId }) => subId)) : chosen);
      expect(routeOf(fragmentOf({ view, filter: NO_FILTER }, ADDRESS), ADDRESS).view).toEqual(view);
    }),
  );
});

test("a filter stays while topics are picked", () => {
  stubPage();
  const client = new FakeClient(catalogue({ servers: [server()], subscriptions: [subscription({ topic: "a" })] }));
  const app = new App(client, client.tables, ADDRESS);
  app.navigation.go({ kind: "everything" }, { terms: [{ kind: "priority", values: [5], not: false }] });
  const before = app.navigation.filter;
  pickTopic(app, 1);
  expect(app.navigation.view).toEqual({ kind: "topics", server: ADDRESS, topics: ["a"] });
  expect(app.navigation.filter).toEqual(before);
  vi.unstubAllGlobals();
});
