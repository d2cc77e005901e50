import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addToSummary,
  MAX_SINGLE,
  messageNotification,
  type AlertContext,
  type Filter,
  type NotificationData,
  type StoredMessage,
} from "../../src/contract";
import type { MessageEvent, Priority, ServerAddress } from "../../src/protocol";
import { showsAllOf } from "../../src/ui/alerts/alerts.svelte";
import { notificationStrings } from "../../src/ui/alerts/notifications";
import type { Origin } from "../../src/ui/message/origin";
import type { Showable } from "../../src/ui/message/attachment/load-into";
import { areSingle, summaryNotification } from "../../src/ui/alerts/summary";
import { CROSS_SITE_SCRIPTING } from "../e2e/cross-site-scripting";
import type { View } from "../../src/ui/state/navigation/view";
import { ADDRESS, subscription } from "./fake-client";
import { row } from "./fake-reader";

const origin: Origin = { address: "https://ntfy.example" as ServerAddress, topic: "backups", unasked: "files" };
const context: AlertContext<Showable> = {
  origin,
  strings: notificationStrings,
  emoji: new Map([["warning", "⚠️"]]),
  fragment: "#/backups?id=m1&at=1",
  nowMs: 10_000,
};

function message(event: Partial<MessageEvent> & Record<string, unknown> = {}, more: Partial<StoredMessage> = {}) {
  const base = row(1, more);
  return { ...base, event: { ...base.event, topic: "backups", ...event } };
}

const shown = (event: Partial<MessageEvent> & Record<string, unknown>, more: Partial<AlertContext<Showable>> = {}) =>
  messageNotification(message(event), { ...context, ...more });

test("Markdown is shown without its signs, line by line", () => {
  const text = "**disk** full\n- [x] `db`\n- [the log](https://example.com/log)";
  expect(shown({ message: text, content_type: "text/markdown" }).options.body).toBe("disk full\n☑ db\nthe log");
  expect(shown({ message: "**", content_type: "text/markdown" }).options.body).toBe("**");
});

test("a title has its emoji and topic; if there is none, the topic is the title, and the emoji precede the text", () => {
  expect(shown({ title: "Disk full", tags: ["warning", "atlas"] }).title).toBe("⚠️ Disk full · backups");
  const plain = shown({ tags: ["warning"] });
  expect([plain.title, plain.options.body]).toEqual(["ntfy.example/backups", "⚠️ text-1"]);
  expect(shown({}, { origin: { ...origin, name: "Nightly" } }).title).toBe("Nightly");
  expect(shown({ title: "\u200b" }).title, "no character that can be seen").toBe("ntfy.example/backups");
});

test("low priorities make no sound, urgent ones stay on the screen, and a newer version sounds again", () => {
  const of = (priority: Priority) => {
    const { silent, requireInteraction, renotify } = shown({ priority }).options;
    return { silent, requireInteraction, renotify };
  };
  expect(of(1)).toEqual({ silent: true, requireInteraction: false, renotify: false });
  expect(of(2)).toEqual(of(1));
  expect(of(3)).toEqual({ silent: false, requireInteraction: false, renotify: true });
  expect(of(4)).toEqual(of(3));
  expect(of(5)).toEqual({ silent: false, requireInteraction: true, renotify: true });
});

test("versions of one message share a tag, others do not, nor do topics of other servers", () => {
  const tag = (event: Partial<MessageEvent>, more: Partial<AlertContext<Showable>> = {}) =>
    shown(event, more).options.tag;
  expect(tag({ id: "m2", sequence_id: "m1" })).toBe(tag({ id: "m1" }));
  expect(tag({ id: "m2" })).not.toBe(tag({ id: "m1" }));
  const elsewhere = { ...origin, address: "https://other.example" as ServerAddress };
  expect(tag({ id: "m1" }, { origin: elsewhere })).not.toBe(tag({ id: "m1" }));
});

test("only the app's own pictures, and those that were judged and loaded, are shown", () => {
  const attachment = { name: "a.png", url: "https://ntfy.example/file/a.png" };
  const brings = { icon: "https://ntfy.example/file/i.png", attachment };
  expect(shown(brings).options).toMatchObject({ icon: "./icon-192.png", badge: "./badge-96.png" });
  expect(shown(brings).options.image).toBeUndefined();
  const pictures = { icon: "blob:i" as Showable, image: "blob:a" as Showable };
  expect(shown(brings, { pictures }).options).toMatchObject({ ...pictures, badge: "./badge-96.png" });
});

test("only buttons that work here are shown; links are judged by their address", () => {
  const actions = [
    { id: "b", action: "broadcast", label: "Broadcast" },
    { id: "x", action: "view", label: "Bad", url: "javascript:alert(1)" },
    { id: "v", action: "view", label: "Open", url: "https://docs.example/" },
    { id: "h", action: "http", label: "Restart", url: "https://atlas.example/restart" },
    { id: "w", action: "view", label: "More", url: "https://more.example/" },
  ];
  const { options } = shown({ actions });
  expect(options.actions).toEqual([
    { action: "v", title: "Open" },
    { action: "h", title: "Restart" },
    { action: "w", title: "More" },
    { action: "earshot:done", title: "Done" },
    { action: "earshot:snooze", title: "Snooze for 1 hour" },
  ]);
  expect(options.data.links).toEqual({ v: "https://docs.example/", w: "https://more.example/" });
});

test("the app's own buttons come after those of the message, which can't take their names", () => {
  const view = { id: "v", action: "view", label: "Open", url: "https://docs.example/" };
  const titles = (...actions: (typeof view)[]) => shown({ actions }).options.actions?.map(({ title }) => title);
  expect(titles()).toEqual(["Done", "Snooze for 1 hour"]);
  expect(titles(view)).toEqual(["Open", "Done", "Snooze for 1 hour"]);
  const named = { ...view, id: "earshot:done", label: "Harmless" };
  expect(titles(named)).toEqual(["Done", "Snooze for 1 hour"]);
  expect(shown({ actions: [named] }).options.data.links).toEqual({});
  // A worker whose strings are those of an earlier version.
  expect(shown({}, { strings: { ...notificationStrings, buttons: undefined } }).options.actions).toBeUndefined();
});

test("a message is in view where all messages of its topic are shown, and nowhere else", () => {
  const shows = (view: View, rows = [row(1)], filter: Filter = { terms: [] }) =>
    showsAllOf({ view, filter, unsubscribed: [], covered: [subscription(), subscription({ subId: 2 })] }, rows);
  const topics = { kind: "topics" as const, server: ADDRESS, topics: ["topic1", "topic2"] };
  expect(shows(topics)).toBe(true);
  expect(shows(topics, [row(1), row(2, { subId: 3 })])).toBe(false);
  expect(shows(topics, [row(1)], { terms: [{ not: false, kind: "priority", values: [5] }] })).toBe(false);
  expect(shows({ kind: "several", parts: [topics] })).toBe(true);
  for (const kind of ["everything", "urgent", "topic-list"] as const) expect(shows({ kind })).toBe(false);
});

test("title and body are always cut short, on their own lines, without characters that reverse the text", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 2000 }),
      fc.string({ unit: "binary", maxLength: 200 }),
      (a, b) => {
        const { title, options } = shown({ title: `t${a}`, message: `${a}\u202e${b}` });
        expect(title).not.toMatch(/[\n\r\p{Bidi_Control}]/u);
        expect(title.length).toBeLessThan(300);
        expect(options.body).not.toMatch(/\p{Bidi_Control}/u);
        expect([...(options.body ?? "")].length).toBeLessThanOrEqual(610);
      },
    ),
  );
});

test("a few messages are shown one by one, many in one summary, and those right after a summary join it", () => {
  const single = (shownAtMs: number): NotificationData => ({ fragment: "#/", shownAtMs, key: [1, 1, "m1"] });
  const summary = (shownAtMs: number, of: NotificationData["summary"] = { 1: { count: 9, urgent: 0 } }) =>
    ({ fragment: "#/", shownAtMs, summary: of }) as NotificationData;
  const stop: NotificationData = { fragment: "#/", shownAtMs: 99_000 };
  const now = 100_000;
  expect(areSingle(MAX_SINGLE, [], now)).toBe(true);
  expect(areSingle(MAX_SINGLE + 1, [], now)).toBe(false);
  const few = Array.from({ length: MAX_SINGLE }, () => single(99_000));
  expect(areSingle(1, few, now)).toBe(false);
  expect(areSingle(MAX_SINGLE, [single(80_000), stop], now), "what was shown long ago, or of a server").toBe(true);
  expect(areSingle(1, [summary(99_000)], now)).toBe(false);
  expect(areSingle(1, [summary(80_000)], now)).toBe(true);
  expect(areSingle(1, [summary(99_000, {})], now), "a worker's that came without an alert").toBe(true);
});

const rows = (subId: number, ...priorities: Priority[]) =>
  priorities.map((priority, at) => message({ priority }, { subId, id: `${subId}-${at}` }));
const data = (summary: NotificationData["summary"], shownAtMs: number): NotificationData => ({
  fragment: "#/",
  shownAtMs,
  summary: summary ?? {},
});

test("a summary counts by topic and priority, and grows", () => {
  const first = addToSummary({}, rows(1, 3, 5, 5));
  expect(first).toEqual({ 1: { count: 3, urgent: 2 } });
  expect(addToSummary(first, rows(2, 3))).toEqual({ 1: { count: 3, urgent: 2 }, 2: { count: 1, urgent: 0 } });
  const one = summaryNotification([{ topic: "backups", count: 12, urgent: 2 }], data({}, 1), false, undefined);
  expect([one.title, one.options.body, one.options.requireInteraction]).toEqual([
    "12 new in backups, 2 urgent",
    "",
    true,
  ]);
});

test("a summary of several topics lists them, urgent first, and says how many are left out", () => {
  const parts = [1, 2, 3, 4, 5].map((n) => ({ topic: `t${n}`, count: n, urgent: n === 2 ? 1 : 0 }));
  const { title, options } = summaryNotification(parts, data({}, 1), false, undefined);
  expect(title).toBe("15 new in 5 topics, 1 urgent");
  expect(options.body?.split("\n")).toEqual([
    "t2: 2 messages, 1 urgent",
    "t5: 5 messages",
    "t4: 4 messages",
    "and 2 more topics",
  ]);
});

test("a growing summary sounds again after a while or for an urgent message, but never for low priorities", () => {
  const before = data({ 1: { count: 5, urgent: 0 } }, 0);
  const heard = (urgent: number, atMs: number, isSilent = false) =>
    summaryNotification([{ topic: "a", count: 9, urgent }], data({ 1: { count: 9, urgent } }, atMs), isSilent, before)
      .options.renotify;
  expect(heard(0, 1_000)).toBe(false);
  expect(heard(1, 1_000)).toBe(true);
  expect(heard(0, 60_000)).toBe(true);
  expect(heard(0, 60_000, true)).toBe(false);
});

test("hostile texts in any field load nothing, open only web pages, and leave no control characters", () => {
  expect(CROSS_SITE_SCRIPTING.length).toBeGreaterThanOrEqual(200);
  for (const text of CROSS_SITE_SCRIPTING) {
    const { title, options } = shown({
      ...{ message: text, title: text, tags: [text], click: text, icon: text },
      attachment: { name: `${text}.png`, url: text, type: "image/png" },
      actions: [
        { id: "v", action: "view", label: text, url: text },
        { id: "h", action: "http", label: text, url: text, body: text },
      ] as MessageEvent["actions"] & object,
    });
    expect(options.icon, text).toBe("./icon-192.png");
    expect(options.image, text).toBeUndefined();
    for (const address of Object.values((options.data as { links: Record<string, string> }).links)) {
      expect(address).toMatch(/^https?:/);
    }
    const said = [title, options.body ?? "", ...(options.actions ?? []).map((action) => action.title)].join("\n");
    expect(said, text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  }
});
