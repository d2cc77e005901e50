import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FirstTables, SubscriptionRecord } from "../../src/client";
import { formatLink, parseLink } from "../../src/contract";
import type { ServerAddress } from "../../src/protocol";
import { whichFeed } from "../../src/ui/prerender/which-feed";

const HOME = "https://home.test" as ServerAddress;
const OTHER = "https://other.test/path" as ServerAddress;
const PLAIN = "http://plain.test" as ServerAddress;

type Chosen = "system" | "en" | "de";

function tables(more: { views?: string[]; language?: Chosen } = {}): FirstTables {
  const subscription = (subId: number, serverId: number, topic: string, rest: object = {}) =>
    ({ subId, serverId, topic, ...rest }) as SubscriptionRecord;
  return {
    servers: [HOME, OTHER, PLAIN].map((address, at) => ({ serverId: at + 1, address })),
    subscriptions: [
      subscription(10, 1, "backup"),
      subscription(11, 2, "backup", { displayName: "Backups" }),
      subscription(12, 3, "doors"),
    ],
    views: (more.views ?? []).map((link, at) => ({ viewId: at, name: "saved", link, order: at })),
    gaps: [],
    settings: { language: more.language ?? "system" } as FirstTables["settings"],
  };
}

function asked(fragment: string, given: Parameters<typeof tables>[0] = {}, chosen: Chosen = "system") {
  return whichFeed(tables(given), { fragment, home: HOME }, { chosen, everything: "Everything" });
}

describe("the feed that is drawn before the app has come", () => {
  it("is everything if the address says nothing", () => {
    for (const fragment of ["", "#", "#/"]) expect(asked(fragment)).toEqual({ title: "Everything" });
  });

  it("is the topic of a link, under the name that the user gave it", () => {
    expect(asked("#/backup")).toMatchObject({ subscription: { subId: 10 }, title: "backup" });
    expect(asked("#/other.test/path/backup")).toMatchObject({ subscription: { subId: 11 }, title: "Backups" });
  });

  it("is none for any other address", () => {
    const others = [
      "#/?q=x",
      "#/backup?priority=5",
      "#/~urgent",
      "#/unknown",
      "#/backup,doors",
      "#/http:plain.test/doors",
    ];
    for (const fragment of others) expect(asked(fragment), fragment).toBeUndefined();
  });

  it("is none for a view that was saved under a name", () => {
    expect(asked("", { views: ["#/"] })).toBeUndefined();
    expect(asked("#/backup", { views: ["#/backup"] })).toBeUndefined();
    expect(asked("#/", { views: ["#/backup"] })).toBeDefined();
  });

  it("is none if the language was changed since its texts were stored", () => {
    expect(asked("#/", { language: "de" })).toBeUndefined();
    expect(asked("#/", { language: "de" }, "de")).toBeDefined();
    expect(asked("#/", {}, "en")).toBeUndefined();
  });

  it("is none if nothing is subscribed", () => {
    const none = { ...tables(), subscriptions: [] };
    expect(
      whichFeed(none, { fragment: "#/", home: HOME }, { chosen: "system", everything: "Everything" }),
    ).toBeUndefined();
  });

  it("is what the app reads from the same address", () => {
    const fragments = fc.constantFrom(
      "",
      "#",
      "#/",
      "#/backup",
      "#/other.test/path/backup",
      "#/home.test/backup",
      "#/doors",
    );
    const ends = fc.constantFrom("", "?", "/", "?q=a", "?id=1&at=2", ",backup", " ");
    fc.assert(
      fc.property(fragments, ends, (fragment, end) => {
        const chosen = asked(`${fragment}${end}`);
        if (!chosen) return;
        const link = parseLink(`${fragment}${end}`, HOME);
        if (!link.ok) throw new Error(`${fragment}${end} is no link`);
        const { subscription } = chosen;
        const address = tables().servers.find(({ serverId }) => serverId === subscription?.serverId)?.address;
        const scope =
          subscription && address
            ? ({ kind: "topics", address, topics: [subscription.topic] } as const)
            : ({ kind: "everything" } as const);
        expect(link.value).toEqual({ scope, filter: { terms: [] } });
        expect(formatLink(link.value, HOME)).toBe(`${fragment}${end}`.replace(/^#?$/, "#/"));
      }),
    );
  });
});
