import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { situationOf } from "../../src/ui/commands/keyboard";
import { columnChoices } from "../../src/ui/columns/column-choices";
import { palette } from "../../src/ui/palette/entries";
import { viewMenu } from "../../src/ui/topics/menus";
import { App } from "../../src/ui/state/app.svelte";
import { fragmentOf, routeOf } from "../../src/ui/state/navigation/route";
import { isFeed } from "../../src/ui/state/navigation/view";
import { viewTitle } from "../../src/ui/state/navigation/view-title";
import { groupsOf } from "../../src/ui/state/topics/groups";
import { ADDRESS, catalogue, FakeClient, server, subscription } from "./fake-client";
import { stubPage } from "./stub-page";
import { runs } from "../long";

const odd = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "\ud83d",
    "a\ud83dé",
    "__proto__",
    "constructor",
    "a/b?c#d",
    "\u202eabc",
    "\u0000",
    "%",
    "+;,",
  ),
  fc.string({ unit: "binary" }),
);
const link = fc.oneof(
  fc.constantFrom("#/", "#/~columns/a;b", "#/~open/setup:abc", "#/~raw/a.example/b", "#/~view/a", "#/?q=%22"),
  fc.constantFrom("#/~several/a.b/c+d", "#/~wall/~view/a;", "#/~group/x", "#/x?at=1&id=b", "#/a b"),
  odd.map((text) => `#/${text}`),
);
const number = fc.constantFrom(0, -1, 1.5, 1e300, Infinity);
const TABLES = fc.record({
  groups: fc.array(fc.record({ name: odd })),
  columns: fc.array(fc.record({ link: odd, width: number })),
  views: fc.array(fc.record({ name: odd, link }), { maxLength: 4 }),
  topics: fc.array(
    fc.record(
      { displayName: odd, icon: odd, group: odd, colour: number, mutedUntilMs: number, quietHours: fc.anything() },
      { requiredKeys: [] },
    ),
    { maxLength: 4 },
  ),
  serverName: odd,
  alertRules: fc.object(),
  sounds: fc.object(),
  words: odd,
  fragment: link,
});

test("whatever groups, views, columns and looks are stored, and wherever a link leads, the page has what it shows", () => {
  stubPage();
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn() }));
  fc.assert(
    fc.property(TABLES, ({ groups, columns, views, topics, serverName, alertRules, sounds, words, fragment }) => {
      const tables = catalogue({
        servers: [server({ name: serverName })],
        subscriptions: topics.map((topic, at) => subscription({ subId: at + 1, ...(topic as object) })),
        views: views.map((view, at) => ({ ...view, viewId: at + 1, order: at })),
      });
      const settings = { ...tables.settings, groups, columns, alertRules, sounds };
      Object.assign(tables, { settings });
      const app = new App(new FakeClient(tables), tables, ADDRESS);
      // Lists are drawn by these, and two of the same would end the page.
      const names = groupsOf(groups, tables.subscriptions).map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      for (const { part } of columnChoices(app)) fragmentOf(part, ADDRESS);
      palette(situationOf(app), [words])(words);
      for (const at of [fragment, ...views.map((view) => view.link)]) {
        const route = routeOf(at, ADDRESS, tables.views);
        fragmentOf(route, ADDRESS);
        app.navigation.go(route.view, route.filter);
        viewTitle(app.pane, app);
        if (isFeed(route.view)) viewMenu(app, route.view);
      }
    }),
    { numRuns: runs(300) },
  );
  vi.unstubAllGlobals();
});
