import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ViewRecord } from "../../src/client";
import { App } from "../../src/ui/state/app.svelte";
import { moveView, placeView, removeView, renameView, saveView } from "../../src/ui/views/saved-views";
import { ADDRESS, catalogue, FakeClient } from "./fake-client";
import { stubPage } from "./stub-page";

const views: ViewRecord[] = ["a", "b", "c", "d"].map((name, order) => ({
  viewId: order + 1,
  name,
  link: `#/${name}`,
  order,
}));

let client: FakeClient;
let app: App;
const names = () => app.catalogue.views.map(({ name }) => name).join("");

beforeEach(() => {
  stubPage();
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn() }));
  client = new FakeClient(catalogue({ views }));
  app = new App(client, client.tables, ADDRESS);
});

afterEach(() => vi.unstubAllGlobals());

test("a view is put before another one, or last, and the screen shows it at once", async () => {
  const placed = placeView(app, 4, 2);
  expect(names()).toBe("adbc");
  await placed;
  expect(client.sent.at(-1)).toEqual({
    name: "setViews",
    input: {
      views: ["a", "d", "b", "c"].map((name) => ({ viewId: "abcd".indexOf(name) + 1, name, link: `#/${name}` })),
    },
  });
  await placeView(app, 1);
  expect(names()).toBe("dbca");
});

test("a move that leaves the order as it is changes nothing", async () => {
  for (const [viewId, before] of [
    [2, 2],
    [2, 3],
    [4, undefined],
    [9, 1],
  ] as const)
    await placeView(app, viewId, before);
  await moveView(app, 1, -1);
  await moveView(app, 4, 1);
  expect([names(), client.sent]).toEqual(["abcd", []]);
});

test("a view that is renamed stays a column, shown or not", async () => {
  const columns = [{ link: "~view/a", width: 30 }, { link: "b" }];
  client = new FakeClient(catalogue({ views, settings: { ...catalogue().settings, columns } }));
  app = new App(client, client.tables, ADDRESS);
  location.hash = "#/~columns/~view/a;b";
  app.navigation.start();
  await renameView(app, 1, "new");
  app.navigation.followSavedView();
  expect(names()).toBe("newbcd");
  expect(app.catalogue.settings.columns).toEqual([{ link: "~view/new", width: 30 }, { link: "b" }]);
  expect(app.navigation.view).toMatchObject({ kind: "columns", parts: [{ saved: "new" }, {}] });
  await removeView(app, 1);
  app.catalogue.applyOptimistically({ views: views.slice(1) });
  app.navigation.followSavedView();
  expect(app.catalogue.settings.columns, "its column stays when it is removed").toEqual([
    { link: "a", width: 30 },
    { link: "b" },
  ]);
  expect(location.hash).toBe("#/~columns/a%3Bb");
});

test("an undo leaves alone what came meanwhile", async () => {
  client.answers.setViews = ({ views: sent }) => {
    app.catalogue.applyOptimistically({ views: sent.map((view, at) => ({ viewId: 10 + at, ...view, order: at })) });
    return { ok: true, value: null };
  };
  const comes = (name: string) =>
    app.catalogue.applyOptimistically({
      views: [...app.catalogue.views, { viewId: 20, name, link: `#/${name}`, order: 9 }],
    });
  await removeView(app, 2);
  comes("e");
  app.notices.current?.undo?.();
  expect(names()).toBe("abcde");
  await saveView(app, "f");
  comes("g");
  app.notices.current?.undo?.();
  expect(names()).toBe("abcdeg");
  await saveView(app, "a");
  expect(app.catalogue.views[0]?.link).not.toBe("#/a");
  comes("h");
  app.notices.current?.undo?.();
  expect([names(), app.catalogue.views[0]?.link]).toEqual(["abcdegh", "#/a"]);
});

test("an order that could not be stored is taken back", async () => {
  client.answers.setViews = () => ({ ok: false, error: { kind: "quota" } });
  await placeView(app, 1);
  expect(names()).toBe("abcd");
});

test("a step announces the view's new place, and a step back undoes it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.constantFrom(1 as const, -1 as const), async (viewId, by) => {
      const before = names();
      await moveView(app, viewId, by);
      if (names() === before) return;
      const name = views[viewId - 1]?.name ?? "";
      expect(app.notices.current?.text).toBe(`View ${name}: ${names().indexOf(name) + 1} of 4`);
      await moveView(app, viewId, by === 1 ? -1 : 1);
      expect(names()).toBe(before);
    }),
  );
});
