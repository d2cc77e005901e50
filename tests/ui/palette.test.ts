import { beforeEach, expect, test, vi } from "vitest";
import german from "../../src/locales/de.json";
import { situationOf } from "../../src/ui/commands/keyboard";
import { palette, type Entry, noteRecent, recentKeys } from "../../src/ui/palette/entries";
import { EMPTY_CATALOGUE, type Settings } from "../../src/client";
import { MAX_LISTED } from "../../src/ui/parts/form/search-list";
import { SETTINGS_PAGES } from "../../src/ui/settings/setting-place";
import { settingPlaces, type SettingPlace } from "../../src/ui/settings/setting-places";
import { App } from "../../src/ui/state/app.svelte";
import { settingsStrings, speak } from "../../src/ui/strings";
import { ADDRESS, catalogue, FakeClient, server, subscription } from "./fake-client";
import { stubPage } from "./stub-page";

let client: FakeClient;
let app: App;

beforeEach(() => {
  stubPage();
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn() }));
  const stored = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  });
  client = new FakeClient(
    catalogue({
      servers: [server({ name: "Home" })],
      subscriptions: [subscription(), subscription({ subId: 2, displayName: "Türen" })],
    }),
  );
  app = new App(client, client.tables, ADDRESS);
  return () => {
    speak(undefined, "en", "en-GB");
    vi.unstubAllGlobals();
  };
});

const find = (query: string, recent: string[] = []): Entry[] => palette(situationOf(app), recent)(query);
const lines = (query: string, recent: string[] = []) =>
  find(query, recent).map(({ label, hint }) => (hint === "" ? label : `${label} · ${hint}`));

test("the palette finds commands, topics by both of their names, and servers, without accents", () => {
  expect(lines("turen")[0]).toBe("Türen · Home");
  expect(lines("topic2")[0]).toBe("Türen · Home");
  expect(lines("star")[0]).toBe("Starred · Go to");
  expect(lines("home")[0]).toBe("Home · Server");
  find("turen")[0]?.run();
  expect(app.navigation.view).toEqual({ kind: "topics", server: ADDRESS, topics: ["topic2"] });
});

test("the palette leads to saved views, with their filter", () => {
  app.catalogue.applyOptimistically({
    views: [{ viewId: 4, name: "Failing backups", link: "#/topic1?priority=high", order: 0 }],
  });
  const [found] = find("failing");
  expect([found?.label, found?.hint]).toEqual(["Failing backups", "Saved view"]);
  found?.run();
  expect(app.navigation.view).toEqual({ kind: "topics", server: ADDRESS, topics: ["topic1"] });
  expect(app.navigation.filter.terms).toEqual([{ kind: "priority", values: [4], not: false }]);
});

test("each action of a topic is found by its own words and the topic's, in any order", () => {
  for (const query of ["mute turen", "türen silence"]) expect(lines(query)[0], query).toBe("Mute Türen…");
  find("mute turen")[0]?.run();
  expect(app.dialogs.current).toEqual({ kind: "mute", subId: 2 });
  find("send topic2")[0]?.run();
  expect(app.dialogs.current).toEqual({ kind: "publish", subId: 2 });
  find("topic settings turen")[0]?.run();
  expect(app.dialogs.current).toEqual({ kind: "topic", subId: 2 });
  const all = ["Mark all read", "Share", "Remove topic", "Send a message", "Copy a curl command", "Raw live tail"];
  for (const label of all) expect(lines(`${label} turen`)[0], label).toBe(`${label} · Türen`);
  expect(lines("unsubscribe turen")[0]).toBe("Remove topic · Türen");
});

test("an action without a topic's name applies to the current topic first", () => {
  app.navigation.go({ kind: "topics", server: ADDRESS, topics: ["topic2"] });
  expect(lines("mute")).toEqual([
    "Mute Türen…",
    "Mute everything…",
    "Mute everything · Settings · Alerts",
    "Mute topic1…",
    "Search messages for “mute”",
  ]);
});

test("anything muted can be unmuted", () => {
  app.catalogue.applyOptimistically({
    settings: { ...app.catalogue.settings, alertRules: { mutedUntilMs: Infinity } },
    subscriptions: [subscription(), subscription({ subId: 2, displayName: "Türen", mutedUntilMs: Infinity })],
  });
  expect(lines("unmute").slice(0, 2)).toEqual(["Unmute everything", "Unmute Türen"]);
  expect(lines("mute")).not.toContain("Mute everything…");
});

test("topics of the same name are told apart by their server", () => {
  app.catalogue.applyOptimistically({
    servers: [server({ name: "Home" }), server({ serverId: 2, name: "Work" })],
    subscriptions: [subscription({ topic: "ci" }), subscription({ subId: 2, serverId: 2, topic: "ci" })],
  });
  expect(lines("mute ci").slice(0, 2)).toEqual(["Mute ci… · Home", "Mute ci… · Work"]);
});

test("each action of a server is found", () => {
  find("connection home")[0]?.run();
  expect(app.dialogs.current).toEqual({ kind: "connection", serverId: 1 });
  find("sign in home")[0]?.run();
  expect(app.dialogs.current).toEqual({ kind: "sign-in", serverId: 1 });
  find("server settings home")[0]?.run();
  expect(app.dialogs.current).toEqual({ kind: "server", serverId: 1 });
});

test("what a server's settings offer is found too, and with a sign-in what an account offers", () => {
  find("test home")[0]?.run();
  expect(app.dialogs.current).toEqual({ kind: "connection", serverId: 1 });
  find("move home")[0]?.run();
  expect(app.dialogs.current).toEqual({ kind: "move-server", serverId: 1 });
  expect(lines("Mark all read home")[0]).toBe("Mark all read · Home");
  expect(lines("sign out home")).not.toContain("Sign out · Home");
  app.catalogue.applyOptimistically({
    accounts: [{ accountId: 1, serverId: 1, credentials: { kind: "token", token: "tk_1" } }],
  });
  expect(lines("sign out home")[0]).toBe("Sign out · Home");
  find("topics of the account home")[0]?.run();
  expect(app.dialogs.current).toEqual({ kind: "account-topics", serverId: 1 });
});

test("groups are found, with what can be done with them", () => {
  app.catalogue.applyOptimistically({
    settings: { ...app.catalogue.settings, groups: [{ name: "My house", collapsed: true }] },
    subscriptions: [subscription({ group: "My house" }), subscription({ subId: 2 })],
  });
  expect(lines("house")[0]).toBe("My house · Group");
  find("rename group house")[0]?.run();
  expect(app.dialogs.current).toEqual({ kind: "group", of: "My house" });
  expect(lines("mark read house")[0]).toBe("Mark all read · My house");
  expect(lines("remove group house")[0]).toBe("Remove group · My house");
  const renamed = find("rename group house")[0]?.key ?? "";
  expect(lines("", [renamed])[0], "as used lately").toBe("Rename group · My house");
  find("house")[0]?.run();
  expect(app.navigation.view).toEqual({ kind: "group", name: "My house" });
});

test("saved views and the view that is shown have their actions", () => {
  app.catalogue.applyOptimistically({
    views: [{ viewId: 4, name: "Failing backups", link: "#/topic1?priority=high", order: 0 }],
  });
  find("rename failing")[0]?.run();
  expect(app.dialogs.current).toEqual({ kind: "view", viewId: 4 });
  expect(lines("remove failing")[0]).toBe("Remove view · Failing backups");
  find("save this view")[0]?.run();
  expect(app.dialogs.current).toEqual({ kind: "view" });
  find("export")[0]?.run();
  expect(app.dialogs.current).toEqual({ kind: "save-view" });
  find("qr code")[0]?.run();
  expect(app.dialogs.current).toMatchObject({ kind: "share" });
  app.navigation.go({ kind: "settings", page: "" });
  expect(lines("save this view")[0], "there is none").not.toBe("Save this view…");
});

test("every stored setting has a place to which the palette leads, except those changed where they are used", () => {
  const places: Record<keyof Settings, readonly SettingPlace[] | "elsewhere"> = {
    keepDays: ["keepDays"],
    keepMessages: ["keepMessages"],
    keepFiles: ["keepFiles", "keepFilesAll"],
    theme: ["theme"],
    density: ["density"],
    display: ["textSize", "times"],
    language: ["language"],
    markRead: ["markRead"],
    historyRead: ["historyRead"],
    alerts: ["alerts"],
    alertRules: ["muteAll", "repeatUrgent", "quietHours", "outages"],
    sounds: ["sounds"],
    swipeLeft: ["swipeLeft"],
    swipeRight: ["swipeRight"],
    singleKeys: ["singleKeys"],
    allowedRemote: ["allowedRemote"],
    allowedRequests: ["allowedRequests"],
    groups: "elsewhere",
    columns: "elsewhere",
    host: "elsewhere",
  };
  const stored = Object.values(places).flatMap((of) => (of === "elsewhere" ? [] : of));
  /** Not stored, but as likely to be looked for. */
  const others: SettingPlace[] = ["hides", "prune", "group", "install", "storage", "backup", "about"];
  expect(new Set([...stored, ...others])).toEqual(new Set(settingPlaces().map(({ place }) => place)));
  expect(Object.keys(places)).toEqual(expect.arrayContaining(Object.keys(EMPTY_CATALOGUE.settings)));
});

test("each setting is found by its name and by its options", () => {
  expect([...new Set(settingPlaces().map(({ page }) => page))]).toEqual(SETTINGS_PAGES);
  for (const { label, page } of settingPlaces()) {
    expect(lines(label), label).toContain(`${label} · Settings · ${settingsStrings.pages[page]}`);
  }
  expect(lines("together")[0]).toBe("Keep attachments: All of them together at most · Settings · Storage");
  expect(lines("dark")[0]).toBe("Theme · Settings · Appearance");
  find("theme")[0]?.run();
  expect(app.navigation.view).toEqual({ kind: "settings", page: "appearance" });
});

test("settings and commands are found by what people call them, also in German", () => {
  const found = (query: string) => find(query).map(({ key }) => key);
  const expected = {
    mute: ["muteAll", "setting muteAll", "topic 1 mute"],
    silence: ["setting muteAll", "setting quietHours", "setting alerts", "topic 1 mute"],
    phone: ["setting install", "setting backup", "setting alerts"],
    offline: ["setting storage", "setting keepFiles", "setting install"],
    export: ["saveFile", "setting backup"],
    "free space": ["setting prune", "setting storage"],
  };
  for (const [query, keys] of Object.entries(expected))
    expect(found(query), query).toEqual(expect.arrayContaining(keys));
  speak(german, "de", "de");
  const inGerman = {
    stumm: expected.mute,
    leise: expected.silence,
    handy: expected.phone,
    telefon: expected.phone,
    offline: expected.offline,
    export: expected.export,
    speicherplatz: expected["free space"],
  };
  for (const [query, keys] of Object.entries(inGerman))
    expect(found(query), query).toEqual(expect.arrayContaining(keys));
  expect(lines("stumm")).toContain("Türen stummschalten …");
});

test("a command comes before the setting of its name", () => {
  expect(find("mute everything").map(({ key }) => key)).toEqual(["muteAll", "setting muteAll", "search messages"]);
});

test("a message is sent to the current topic, unless another is chosen", () => {
  app.navigation.go({ kind: "topics", server: ADDRESS, topics: ["topic2"] });
  find("Send a message")
    .find(({ key }) => key === "send")
    ?.run();
  expect(app.dialogs.current).toEqual({ kind: "publish", likely: 2 });
});

test("the last entry searches for the words as the filter box would", () => {
  for (const query of ["disk full", "star", "a"]) expect(lines(query).at(-1)).toBe(`Search messages for “${query}”`);
  expect(lines("")).not.toContain("Search messages for “”");
  app.navigation.go({ kind: "settings", page: "" });
  find("disk priority:high").at(-1)?.run();
  expect(app.navigation.view).toEqual({ kind: "everything" });
  expect(app.navigation.filter.terms).toEqual([
    { kind: "text", text: "disk", not: false },
    { kind: "priority", values: [4], not: false },
  ]);
  find("priority:what").at(-1)?.run();
  expect(app.navigation.filter.terms).toEqual([{ kind: "text", text: "priority:what", not: false }]);
});

test("of a stored list of recent entries that is too long only the newest are read", () => {
  localStorage.setItem("earshot-recent", Array.from({ length: 10_000 }, (_, at) => `topic ${at}`).join("\n"));
  expect(recentKeys()).toEqual(["topic 0", "topic 1", "topic 2", "topic 3", "topic 4", "topic 5"]);
  localStorage.setItem("earshot-recent", "");
});

test("recently used entries come first, the newest at the top, without those that are gone", () => {
  expect(recentKeys()).toEqual([]);
  for (const key of ["topic 9", "settings", "topic 2 mute", "topic 1", "topic 2 mute"]) noteRecent(key);
  expect(recentKeys()).toEqual(["topic 2 mute", "topic 1", "settings", "topic 9"]);
  expect(lines("", recentKeys()).slice(0, 3)).toEqual(["Mute Türen…", "topic1 · Home", "Settings · Go to"]);
  expect(
    lines("", recentKeys()).filter((line) => line === "topic1 · Home"),
    "once",
  ).toHaveLength(1);
  expect(lines("t", ["topic 2"])[0], "among equals too").toBe("Türen · Home");
  for (let at = 0; at < 20; at++) noteRecent(`topic ${String(at)}`);
  expect(recentKeys()).toHaveLength(6);
});

test("actions that need a visible list aren't in the palette, and keys are shown only while they work", () => {
  for (const way of ["up", "down"]) {
    expect(find(`move ${way} turen`).map(({ key }) => key)).not.toContain(`topic 2 ${way}`);
  }
  const keysOf = () => find("settings").find(({ key }) => key === "settings")?.keys;
  expect(keysOf()).toBe("g ,");
  app.catalogue.applyOptimistically({ settings: { ...app.catalogue.settings, singleKeys: false } });
  expect(keysOf()).toBeUndefined();
});

test("the search is among the lines that are drawn, however many match", () => {
  const many = Array.from({ length: 200 }, (_, at) => subscription({ subId: at + 1 }));
  app.catalogue.applyOptimistically({ subscriptions: many });
  expect(lines("topic")).toHaveLength(MAX_LISTED);
  expect(lines("topic").at(-1)).toBe("Search messages for “topic”");
});

test("of ten thousand topics only the most likely have actions", () => {
  const many = Array.from({ length: 10_000 }, (_, at) => subscription({ subId: at + 1 }));
  app.catalogue.applyOptimistically({ subscriptions: many });
  const search = palette(situationOf(app), []);
  expect(search("mute topic9876")[0]?.key).toBe("topic 9876 mute");
  expect(search("mute").length).toBeLessThan(40);
});
