import { beforeEach, expect, test } from "vitest";
import { columnChoices } from "../../src/ui/columns/column-choices";
import { findEntries } from "../../src/ui/parts/form/search-list";
import { App } from "../../src/ui/state/app.svelte";
import { ADDRESS, catalogue, FakeClient, server, subscription } from "./fake-client";
import { stubPage } from "./stub-page";

beforeEach(() => stubPage());

const view = (viewId: number, name: string, link: string) => ({ viewId, name, link, order: viewId });

function choices(query: string): string[] {
  const subscriptions = Array.from({ length: 10_000 }, (_, at) => subscription({ subId: at + 1 }));
  const tables = catalogue({
    servers: [server({ name: "Home" })],
    subscriptions,
    views: [view(1, "Bad news", "#/topic1?priority=high"), view(2, "Not a feed", "#/~settings")],
  });
  const app = new App(new FakeClient(tables), tables, ADDRESS);
  return findEntries(columnChoices(app), query).map(({ label, hint }) => `${label} · ${hint}`);
}

test("columns are found by name among all lists, saved views, topics and servers", () => {
  expect(choices("topic9999")).toEqual(["topic9999 · Home"]);
  expect(choices("bad")).toEqual(["Bad news · Saved view"]);
  expect(choices("snoozed")).toEqual(["Snoozed · "]);
  expect(choices("home")[0], "the server itself comes before its topics").toBe("Home · Server");
  expect(choices("settings"), "what is no feed is no column").toEqual([]);
});

test("a column can show a group", () => {
  const tables = catalogue({ servers: [server()], subscriptions: [subscription({ group: "My house" })] });
  const app = new App(new FakeClient(tables), tables, ADDRESS);
  const [found] = findEntries(columnChoices(app), "house");
  expect(found?.part).toEqual({ view: { kind: "group", name: "My house" }, filter: { terms: [] } });
});

test("a group whose name no address can hold harms no other choice", () => {
  const tables = catalogue({ servers: [server()], subscriptions: [subscription({ group: "half \ud83d" })] });
  const app = new App(new FakeClient(tables), tables, ADDRESS);
  expect(findEntries(columnChoices(app), "half")).toHaveLength(1);
});

test("a saved view brings its filter along, and its name", () => {
  const tables = catalogue({ servers: [server()], views: [view(1, "Bad news", "#/topic1?priority=high")] });
  const app = new App(new FakeClient(tables), tables, ADDRESS);
  const [found] = findEntries(columnChoices(app), "bad");
  expect(found?.part).toEqual({
    view: { kind: "topics", server: ADDRESS, topics: ["topic1"] },
    filter: { terms: [{ kind: "priority", values: [4], not: false }] },
    saved: "Bad news",
  });
});
