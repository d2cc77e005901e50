import { describe, expect, test } from "vitest";
import type { SubscriptionRecord } from "../../src/client";
import { drawnAtFirst, shortList } from "../../src/ui/state/topics/short-list";
import { findTopics } from "../../src/ui/state/topics/names";

function topics(count: number, special: Record<number, Partial<SubscriptionRecord>> = {}): SubscriptionRecord[] {
  return Array.from({ length: count }, (_, order) => ({
    subId: order + 1,
    serverId: 1,
    accountId: 0,
    topic: `t${String(order)}`,
    order,
    unread: 0,
    unreadUrgent: 0,
    unreadHigh: 0,
    starred: 0,
    scheduled: 0,
    snoozed: 0,
    inFeed: 0,
    total: 0,
    ...special[order],
  }));
}

const names = (list: readonly SubscriptionRecord[]) => list.map(({ topic }) => topic);

describe("a list of topics", () => {
  test("is drawn whole up to some 150 topics; of more, each section draws between ten and 150", () => {
    expect([drawnAtFirst(0, 0), drawnAtFirst(120, 3), drawnAtFirst(150, 40)]).toEqual([0, 120, 150]);
    expect([drawnAtFirst(10_000, 1), drawnAtFirst(10_000, 3), drawnAtFirst(10_000, 500)]).toEqual([150, 50, 10]);
  });

  test("keeps open, then urgent, then unread, then the first topics in their order when it is shortened", () => {
    const all = topics(100, { 40: { unread: 2 }, 60: { unread: 1, unreadUrgent: 1 }, 80: { unread: 1 } });
    const isOpen = ({ topic }: SubscriptionRecord) => topic === "t90";
    expect(names(shortList(all, 100))).toHaveLength(100);
    expect(names(shortList(all, 1, isOpen))).toEqual(["t90"]);
    expect(names(shortList(all, 2, isOpen))).toEqual(["t60", "t90"]);
    expect(names(shortList(all, 3, isOpen))).toEqual(["t40", "t60", "t90"]);
    expect(names(shortList(all, 6, isOpen))).toEqual(["t0", "t1", "t40", "t60", "t80", "t90"]);
    expect(names(shortList(all, 4))).toEqual(["t0", "t40", "t60", "t80"]);
  });

  test("is searched by name, topic, group and server, without case and accents", () => {
    const all = topics(4, {
      0: { displayName: "Café door" },
      1: { group: "Home" },
      2: { topic: "backups", serverId: 2 },
    });
    const found = (query: string) =>
      findTopics(all, query, (serverId) => (serverId === 2 ? "atlas.local" : "ntfy.example")).map(({ subId }) => subId);
    expect([found("cafe"), found("T0"), found("home"), found("atlas back")]).toEqual([[1], [1], [2], [3]]);
    expect([found("  "), found("nothing")]).toEqual([[1, 2, 3, 4], []]);
  });
});
