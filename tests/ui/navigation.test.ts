import { beforeEach, expect, test, vi, type Mock } from "vitest";
import { Layers } from "../../src/ui/state/navigation/layers";
import type { Layout } from "../../src/ui/state/layout.svelte";
import { Navigation } from "../../src/ui/state/navigation/navigation.svelte";
import { Selection } from "../../src/ui/state/navigation/selection.svelte";
import { App } from "../../src/ui/state/app.svelte";
import { ADDRESS, catalogue, FakeClient, server, subscription } from "./fake-client";
import { stubPage } from "./stub-page";

let app: App;
let layers: Layers;
let navigation: Navigation;
let open: string[];
let arrived: Mock<() => void>;
/** The browser went to another step of the history. */
let onpop: () => void;

beforeEach(() => {
  stubPage("https://app.example/#/topic1");
  const heard = vi.fn<(name: string, listener: () => void) => void>();
  vi.stubGlobal("addEventListener", heard);
  const client = new FakeClient(catalogue({ servers: [server()], subscriptions: [subscription()] }));
  app = new App(client, client.tables, ADDRESS);
  layers = new Layers();
  arrived = vi.fn();
  navigation = new Navigation(ADDRESS, app.catalogue, layers, arrived);
  navigation.start();
  onpop = heard.mock.calls.findLast(([name]) => name === "popstate")?.[1] ?? (() => undefined);
  open = [];
  return () => vi.unstubAllGlobals();
});

function show(name: string): () => void {
  open.push(name);
  return layers.open(() => (open = open.filter((other) => other !== name)));
}

test("going to a view closes what is in front of the page, and takes over its history step", () => {
  const pushed = vi.spyOn(history, "pushState");
  show("picture");
  expect(pushed).toHaveBeenCalledTimes(1);
  navigation.go({ kind: "urgent" });
  expect(open).toEqual([]);
  expect(location.hash).toBe("#/~urgent");
  expect(pushed, "Back would need two presses").toHaveBeenCalledTimes(1);
  navigation.go({ kind: "starred" });
  expect(pushed).toHaveBeenCalledTimes(2);
});

test("an address that is typed or followed closes what is in front of the page", () => {
  show("dialog");
  history.replaceState(null, "", "#/~settings");
  onpop();
  expect(open).toEqual([]);
  expect(navigation.view).toEqual({ kind: "settings", page: "" });
});

test("a filter set while something is in front of the page stays when Back closes that", () => {
  const below = history.state;
  const hash = location.hash;
  show("menu");
  const named = { ...(history.state as object), layer: undefined };
  navigation.setFilter({ terms: [{ kind: "priority", values: [5], not: false }] });
  expect(open, "it changes no place").toEqual(["menu"]);
  const filtered = location.hash;
  expect(filtered).not.toBe(hash);
  // The step below has the address of before.
  history.replaceState(below ?? named, "", hash);
  onpop();
  expect(open).toEqual([]);
  expect(location.hash).toBe(filtered);
});

test("the open message is named in the address without a step of the history, and its name can be taken back", () => {
  const pushed = vi.spyOn(history, "pushState");
  navigation.nameMessage([1, 900, "abcdefghijkl"]);
  expect(location.hash).toBe("#/topic1?id=abcdefghijkl&at=900");
  navigation.nameMessage(undefined);
  expect(location.hash).toBe("#/topic1");
  expect(pushed).not.toHaveBeenCalled();
});

test("columns beside a saved view keep their filters, which may be being typed, when views are read again", () => {
  const save = (link: string) =>
    app.catalogue.applyOptimistically({ views: [{ viewId: 1, name: "V", link, order: 0 }] });
  save("#/topic1");
  history.replaceState(null, "", "#/~columns/topic1%3Fq%3Da%3B~view/V");
  onpop();
  const parts = () => (navigation.view.kind === "columns" ? navigation.view.parts : []);
  const [first] = parts();
  save("#/topic1?q=b");
  navigation.followSavedView();
  expect(parts()).toHaveLength(2);
  expect(parts()[0]?.filter).toBe(first?.filter);
  expect(parts()[1]?.filter.terms).toHaveLength(1);
});

test("a page of a saved view follows it, keeps its filter while that stays as it is, and stays once the view is gone", () => {
  const save = (...links: string[]) =>
    app.catalogue.applyOptimistically({
      views: links.map((link, order) => ({ viewId: order + 1, name: `V/${order}`, link, order })),
    });
  for (const address of ["#/~view/V/0", "#/%7Eview/V%2F0"]) {
    save("#/topic1?q=a");
    history.replaceState(null, "", address);
    onpop();
    const { filter } = navigation;
    navigation.followSavedView();
    expect(navigation.filter, "what is typed for it stays").toBe(filter);
    save("#/topic1?q=b");
    navigation.followSavedView();
    expect(navigation.filter.terms).toMatchObject([{ text: "b" }]);
    save();
    navigation.followSavedView();
    expect(navigation.view).toMatchObject({ topics: ["topic1"] });
    expect(location.hash).toBe("#/topic1?q=b");
  }
  save("#/topic1", "#/~urgent");
  history.replaceState(null, "", "#/~columns/~view%2FV%252F0;~view%2FV%252F1");
  onpop();
  save("#/topic1");
  navigation.followSavedView();
  expect(navigation.view).toMatchObject({ parts: [{ saved: "V/0" }, { view: { kind: "urgent" } }] });
  expect(location.hash).toBe("#/~columns/~view/V/0%3B~urgent");
});

test("Back from a message leads to what a saved view showed that was removed meanwhile", () => {
  app.catalogue.applyOptimistically({ views: [{ viewId: 1, name: "V", link: "#/topic1?q=a", order: 0 }] });
  history.replaceState(null, "", "#/~view/V");
  onpop();
  navigation.showMessage([1, 900, "abcdefghijkl"]);
  app.catalogue.applyOptimistically({ views: [] });
  arrived.mockClear();
  const { state } = history;
  navigation.followSavedView();
  expect([location.hash, history.state]).toEqual(["#/topic1?id=abcdefghijkl&at=900&q=a", state]);
  expect(arrived, "what is being read stays").not.toHaveBeenCalled();
  history.replaceState(null, "", "#/~view/V");
  onpop();
  expect(navigation.view).toMatchObject({ topics: ["topic1"] });
  expect(location.hash).toBe("#/topic1?q=a");
  history.replaceState(null, "", "#/~view/W");
  onpop();
  expect(navigation.view).toMatchObject({ kind: "bad-link" });
  navigation.moveHome("https://topics.example" as typeof ADDRESS, true);
  history.replaceState(null, "", "#/~view/V");
  onpop();
  expect(navigation.view, "its link would mean the topic of another server").toMatchObject({ kind: "bad-link" });
});

test("an open message beside the feed has a step of the history, which Back leaves and others share", () => {
  const pushed = vi.spyOn(history, "pushState");
  const selection = new Selection(navigation, { shape: "wide" } as Layout);
  selection.open([1, 900, "abcdefghijkl"]);
  selection.select([1, 901, "bbcdefghijkl"]);
  expect(location.hash).toBe("#/topic1?id=abcdefghijkl&at=900");
  expect(pushed).toHaveBeenCalledTimes(1);
  selection.select(undefined);
  expect(location.hash).toBe("#/topic1");
  navigation.go({ kind: "urgent" });
  expect(pushed, "the step of a closed message is taken over").toHaveBeenCalledTimes(1);
});
