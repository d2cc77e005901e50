import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import type { PageQuery } from "../../src/client";
import { absenceSince, absenceText, readAbsence, sumUp, Away } from "../../src/ui/away/away";
import { type HubEvent, newestFirst, type StoredMessage } from "../../src/contract";
import { App } from "../../src/ui/state/app.svelte";
import { awayStrings } from "../../src/ui/strings";
import { ADDRESS, catalogue, FakeClient, server, subscription } from "./fake-client";
import { row } from "./fake-reader";
import { stubPage } from "./stub-page";

const MINUTE_MS = 60_000;

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("half an hour without a look is an absence, but a first visit and a clock set back are not", () => {
  const now = 100 * MINUTE_MS;
  expect(absenceSince(71 * MINUTE_MS, now)).toBeUndefined();
  expect(absenceSince(70 * MINUTE_MS, now)).toEqual({ fromMs: 70 * MINUTE_MS, toMs: now });
  expect(absenceSince(0, now)).toBeUndefined();
  expect(absenceSince(now + 90 * MINUTE_MS, now)).toBeUndefined();
});

test("an absence survives a reload, and a malformed stored one is ignored", () => {
  const absence = { fromMs: 5, toMs: 1_800_005 };
  expect(readAbsence(absenceText(absence), 1_800_005)).toEqual(absence);
  for (const text of [undefined, "", "5", "5-x", "x5-6", "6-5"]) expect(readAbsence(text, 10), text).toBeUndefined();
});

test("no stored absence begins or ends later than now", () => {
  const moment = fc.oneof(fc.nat(), fc.bigInt({ min: 0n, max: 10n ** 30n }));
  fc.assert(
    fc.property(moment, moment, fc.nat(), (from, to, nowMs) => {
      const read = readAbsence(`${from}-${to}`, nowMs);
      expect(read === undefined || (read.fromMs < read.toMs && read.toMs <= nowMs)).toBe(true);
    }),
  );
});

test("messages are counted by urgency, then by topic with the largest number first", () => {
  const message = (number: number, subId: number, priority?: 1 | 2 | 3 | 4 | 5) => {
    const stored = row(number, { subId });
    return priority ? { ...stored, event: { ...stored.event, priority } } : stored;
  };
  const rows = [message(9, 1), message(8, 2, 5), message(7, 2, 1), message(6, 2), message(5, 3, 4), message(4, 2, 3)];
  const summary = sumUp(rows, false, () => true);
  expect(summary.count).toBe(6);
  expect(summary.groups.map(({ name, topics }) => [name, topics])).toEqual([
    ["urgent", [{ subId: 2, count: 1 }]],
    ["high", [{ subId: 3, count: 1 }]],
    [
      "others",
      [
        { subId: 2, count: 3 },
        { subId: 1, count: 1 },
      ],
    ],
  ]);
  expect(summary.groups[0]?.rows.map(({ id }) => id)).toEqual(["m8"]);
  expect(sumUp(rows.slice(-1), false, () => true).groups).toHaveLength(1);
});

test("three or more repeats in a row count as one, unless their topic shows each", () => {
  const rows = [5, 4, 3, 2, 1].map((number) => {
    const plain = row(number, { subId: number > 2 ? 1 : 2 });
    return { ...plain, event: { ...plain.event, message: `Disk at 9${String(number)} %` } };
  });
  const summary = sumUp(rows, false, () => true);
  expect(summary.count).toBe(5);
  const [others] = summary.groups;
  expect(others?.rows).toHaveLength(5);
  expect(others?.count).toBe(3);
  expect(others?.topics).toEqual([
    { subId: 2, count: 2 },
    { subId: 1, count: 1 },
  ]);
  expect(sumUp(rows, false, () => false).groups[0]?.count).toBe(5);
});

/**
 * Opens the page for a user who was away for an hour, in which `count` messages came; resolves to its summary, and to a
 * function that lets more come, sums up again and resolves to how many reads that took.
 */
async function toldAfterHour(count: number, older = 0) {
  const nowMs = 1_800_000_000_000;
  vi.useFakeTimers({ now: nowMs });
  stubPage();
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn() }));
  vi.stubGlobal("document", { visibilityState: "visible", addEventListener: vi.fn() });
  localStorage.setItem("earshot-seen", String(nowMs - 60 * MINUTE_MS));
  const client = new FakeClient(
    catalogue({ servers: [server()], subscriptions: [subscription({ unread: count + older, unreadUrgent: 3 })] }),
  );
  const rows = Array.from({ length: count + older }, (_, at) => {
    const ageS = at < count ? at % 3_000 : 7_200 + at;
    const time = nowMs / 1000 - ageS;
    return row(1_000_000 - at, { time, receivedAtMs: time * 1000 });
  }).sort(newestFirst);
  let reads = 0;
  client.reader.page = ({ from, count: wanted }: PageQuery) => {
    reads++;
    const ahead = rows.filter((one) => !from || newestFirst(one, from) > 0);
    const page = ahead.slice(0, wanted);
    const last = page.at(-1);
    const next = last && ahead.length > wanted ? { time: last.time, arrival: last.arrival } : undefined;
    return Promise.resolve({ rows: page, ...(next && { next }) });
  };
  const app = new App(client, client.tables, ADDRESS);
  new Away(app).start();
  await vi.advanceTimersByTimeAsync(1_000);
  const more = async (event: HubEvent, added: StoredMessage[] = []) => {
    rows.unshift(...added.toSorted(newestFirst));
    const before = reads;
    client.announce(event);
    await vi.advanceTimersByTimeAsync(1_000);
    return reads - before;
  };
  return { summary: app.absence?.summary, reads, app, more };
}

test("older unread messages are not part of the summary", async () => {
  const { summary } = await toldAfterHour(7, 20);
  expect([summary?.count, summary?.isPart]).toEqual([7, false]);
});

test("what came in an absence is summed up again without reading what came since", async () => {
  const { app, more } = await toldAfterHour(7, 20);
  const nowS = Date.now() / 1000;
  const since = Array.from({ length: 5_000 }, (_, at) => {
    const time = nowS + 90 + at;
    return row(2_000_000 + at, { time, receivedAtMs: time * 1000 });
  });
  const rows = { changed: [], removed: [], more: 0, counts: [], total: 0, lastArrival: 0 };
  expect(await more({ kind: "rows", added: since.slice(-1), ...rows }, since)).toBe(1);
  expect(app.absence?.summary.count).toBe(7);
  expect(await more({ kind: "missed" }), "nor if announcements may be missing").toBe(1);
});

test("fewer than five messages show no card", async () => {
  expect((await toldAfterHour(4)).summary).toBeUndefined();
  vi.useRealTimers();
  expect((await toldAfterHour(5)).summary?.count).toBe(5);
});

test("of very many messages the newest are summarized, and the counters say how many there are", async () => {
  const { summary, reads, app } = await toldAfterHour(3_214);
  expect([summary?.count, summary?.isPart]).toEqual([1_000, true]);
  expect(summary?.groups[0]?.topics).toEqual([{ subId: 1, count: 1_000 }]);
  expect(reads).toBeLessThan(8);
  expect(
    awayStrings.newestAndUrgent({
      shown: summary?.count ?? 0,
      unread: app.catalogue.unread,
      count: app.unreadUrgent,
    }),
  ).toBe("The 1,000 newest of 3,214 unread; 3 of all are high or urgent");
  expect(awayStrings.newest({ shown: 1_000, unread: 1_001 })).toBe("The 1,000 newest of 1,001 unread");
});
