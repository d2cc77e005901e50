import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { App } from "../../src/ui/state/app.svelte";
import { groupsOf } from "../../src/ui/state/topics/groups";
import {
  addGroup,
  moveGroup,
  moveTopic,
  currentOrder,
  dropGroup,
  nameGroup,
  renameGroup,
  stepGroup,
  stepTopic,
  toggleGroup,
  type TopicOrder,
} from "../../src/ui/topics/arrange";
import { ADDRESS, catalogue, FakeClient, server, subscription } from "./fake-client";
import { stubPage } from "./stub-page";

const names = ["Home", "Work", "Other"];
const anyGroup = fc.option(fc.constantFrom(...names));
const anyOrder: fc.Arbitrary<TopicOrder> = fc
  .array(fc.record({ serverId: fc.integer({ min: 1, max: 2 }), group: anyGroup }), { maxLength: 8 })
  .map((topics) => ({
    groups: names.map((name) => ({ name })),
    topics: topics.map((topic, subId) => ({ ...topic, subId })),
  }));
const anyId = fc.integer({ min: 0, max: 9 });
const anyStep = fc.constantFrom<-1 | 1>(-1, 1);
const anyChange: fc.Arbitrary<(order: TopicOrder) => TopicOrder> = fc.oneof(
  fc.tuple(anyId, anyGroup, fc.option(anyId, { nil: undefined })).map(
    ([subId, group, before]) =>
      (order: TopicOrder) =>
        moveTopic(order, subId, group, before),
  ),
  fc.tuple(anyId, anyStep).map(
    ([subId, by]) =>
      (order: TopicOrder) =>
        stepTopic(order, subId, by),
  ),
  fc.constantFrom(...names).map((name) => (order: TopicOrder) => renameGroup(order, name, null)),
  fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names, "New")).map(
    ([name, to]) =>
      (order: TopicOrder) =>
        renameGroup(order, name, to),
  ),
);

const ids = ({ topics }: TopicOrder) => topics.map(({ subId }) => subId).sort((a, b) => a - b);

/** The topics of one list in the order in which they are shown. */
const seen = (order: TopicOrder, group: string | null, serverId?: number) =>
  order.topics
    .filter((topic) => topic.group === group && (serverId === undefined || topic.serverId === serverId))
    .map(({ subId }) => subId);

describe("whatever is moved", () => {
  test("no topic is lost or doubled, and each stays with its server", () => {
    fc.assert(
      fc.property(anyOrder, fc.array(anyChange, { maxLength: 20 }), (order, changes) => {
        const after = changes.reduce((last, change) => change(last), order);
        expect(ids(after)).toEqual(ids(order));
        for (const { subId, serverId } of order.topics) {
          expect(after.topics.find((topic) => topic.subId === subId)?.serverId).toBe(serverId);
        }
        expect(new Set(after.groups.map(({ name }) => name)).size).toBe(after.groups.length);
      }),
    );
  });

  test("a step down and up again leaves the list as it was", () => {
    fc.assert(
      fc.property(anyOrder, anyId, anyStep, (order, subId, by) => {
        const there = stepTopic(order, subId, by);
        if (there === order) return;
        const back = stepTopic(there, subId, by === 1 ? -1 : 1);
        for (const group of names) expect(seen(back, group)).toEqual(seen(order, group));
        for (const serverId of [1, 2]) expect(seen(back, null, serverId)).toEqual(seen(order, null, serverId));
      }),
    );
  });

  test("the other topics keep their order", () => {
    fc.assert(
      fc.property(anyOrder, anyId, anyGroup, anyId, (order, subId, group, before) => {
        const others = (from: TopicOrder) => from.topics.map((topic) => topic.subId).filter((other) => other !== subId);
        expect(others(moveTopic(order, subId, group, before))).toEqual(others(order));
      }),
    );
  });
});

describe("a topic", () => {
  const order: TopicOrder = {
    groups: [{ name: "Home" }],
    topics: [
      { subId: 1, serverId: 1, group: "Home" },
      { subId: 2, serverId: 2, group: null },
      { subId: 3, serverId: 1, group: null },
      { subId: 4, serverId: 1, group: null },
    ],
  };

  test("goes before another one, or last", () => {
    expect(seen(moveTopic(order, 4, null, 3), null)).toEqual([2, 4, 3]);
    expect(seen(moveTopic(order, 4, "Home", 1), "Home")).toEqual([4, 1]);
    expect(seen(moveTopic(order, 3, "Home"), "Home")).toEqual([1, 3]);
  });

  test("steps past topics of its own server, and out of its group into the next list", () => {
    expect(seen(stepTopic(order, 3, 1), null, 1)).toEqual([4, 3]);
    expect(seen(stepTopic(order, 1, 1), null, 1)).toEqual([1, 3, 4]);
    expect(seen(stepTopic(order, 3, -1), "Home")).toEqual([1, 3]);
    expect(stepTopic(order, 4, 1)).toBe(order);
    expect(stepTopic(order, 1, -1)).toBe(order);
  });
});

describe("a group", () => {
  const order: TopicOrder = {
    groups: names.map((name) => ({ name })),
    topics: [{ subId: 1, serverId: 1, group: "Home" }],
  };
  const groups = (from: TopicOrder) => from.groups.map(({ name }) => name);

  test("moves, by one place or before another", () => {
    expect(groups(stepGroup(order, "Home", 1))).toEqual(["Work", "Home", "Other"]);
    expect(groups(stepGroup(order, "Other", -1))).toEqual(["Home", "Other", "Work"]);
    expect(stepGroup(order, "Other", 1)).toBe(order);
    expect(groups(moveGroup(order, "Other", "Home"))).toEqual(["Other", "Home", "Work"]);
    expect(groups(moveGroup(order, "Home"))).toEqual(["Work", "Other", "Home"]);
  });

  test("is added once, renamed with its topics, merged with a group of the same name, folded and unfolded", () => {
    expect(groups(addGroup(addGroup(order, "New"), "New"))).toEqual([...names, "New"]);
    expect(renameGroup(order, "Home", "House")).toMatchObject({
      groups: [{ name: "House" }, { name: "Work" }, { name: "Other" }],
      topics: [{ group: "House" }],
    });
    expect(renameGroup(order, "Home", "Work")).toMatchObject({
      groups: [{ name: "Work" }, { name: "Other" }],
      topics: [{ group: "Work" }],
    });
    const folded = toggleGroup(order, "Work");
    expect(folded.groups[1]).toEqual({ name: "Work", collapsed: true });
    expect(toggleGroup(folded, "Work")).toEqual(order);
  });

  test("leaves muted topics out of its sum until they are no longer muted", () => {
    const topics = [
      subscription({ subId: 1, group: "Home", unread: 2, mutedUntilMs: 1_000 }),
      subscription({ subId: 2, group: "Home", unread: 3 }),
    ];
    expect(groupsOf([], topics, 999)[0]?.unread).toBe(3);
    expect(groupsOf([], topics, 1_000)[0]?.unread).toBe(5);
  });

  test("is shown even if only a topic names it, with its sum of unread messages", () => {
    const topics = [
      subscription({ subId: 1, group: "Lost", unread: 2 }),
      subscription({ subId: 2, group: "Lost", unread: 3 }),
      subscription({ subId: 3 }),
    ];
    expect(groupsOf([{ name: "Empty" }], topics)).toEqual([
      { name: "Empty", subscriptions: [], unread: 0 },
      { name: "Lost", subscriptions: topics.slice(0, 2), unread: 5 },
    ]);
    expect(currentOrder([], topics)).toMatchObject({
      groups: [{ name: "Lost" }],
      topics: [{ group: "Lost" }, {}, { group: null }],
    });
  });
});

describe("a group whose name changes", () => {
  function open(hash: string): App {
    stubPage(`https://app.example/${hash}`);
    vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn() }));
    const columns = [{ link: "~group/Home?priority=urgent" }, { link: "~group/Work" }, { link: "~view/Nights" }];
    const client = new FakeClient(
      catalogue({
        servers: [server()],
        subscriptions: [subscription({ group: "Home" })],
        views: [{ viewId: 1, name: "Nights", link: "#/~group/Home?q=night", order: 0 }],
        settings: { ...catalogue().settings, groups: [{ name: "Home" }, { name: "Work" }], columns },
      }),
    );
    const app = new App(client, client.tables, ADDRESS);
    app.navigation.start();
    return app;
  }
  afterEach(() => vi.unstubAllGlobals());

  test("stays on the page, in columns and in saved views", async () => {
    const app = open("#/~group/Home?q=door");
    await nameGroup(app, "Home", "House");
    expect(location.hash).toBe("#/~group/House?q=door");
    expect(app.catalogue.settings.columns.map(({ link }) => link)).toEqual([
      "~group/House?priority=urgent",
      "~group/Work",
      "~view/Nights",
    ]);
    const sent = (app.client as FakeClient).sent.find(({ name }) => name === "setViews");
    expect(sent?.input).toEqual({ views: [{ viewId: 1, name: "Nights", link: "#/~group/House?q=night" }] });
  });

  test("stays a column that is shown", async () => {
    const app = open("#/~columns/~group/Home;~urgent");
    await nameGroup(app, "Home", "House");
    expect(app.navigation.view).toMatchObject({ parts: [{ view: { kind: "group", name: "House" } }, {}] });
  });

  test("leaves the page when it is removed", async () => {
    const app = open("#/~group/Home");
    await dropGroup(app, "Work");
    expect(app.navigation.view).toEqual({ kind: "group", name: "Home" });
    await dropGroup(app, "Home");
    expect(app.navigation.view).toEqual({ kind: "everything" });
  });
});
