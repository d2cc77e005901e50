import { describe, expect, test } from "vitest";
import { isAndroidBackup, readAndroidBackup, webAppBackup } from "../../src/contract";
import { openStore } from "../../src/store";
import { memoryEngine } from "../store/memory-engine";
import { feedIds, must, NOW_MS, NOW_S } from "../store/samples";
import { checkConsistency } from "../store/check-consistency";
import { bring } from "./backup-profile";

const android = (more: object = {}) =>
  JSON.stringify({
    magic: "ntfy2586",
    version: 1,
    settings: { minPriority: 1, mutedUntil: 0 },
    subscriptions: [
      {
        id: 1,
        baseUrl: "https://ntfy.example",
        topic: "backups",
        instant: true,
        dedicatedChannels: false,
        mutedUntil: 1,
        minPriority: 4,
        autoDelete: 604_800,
        displayName: "Nightly",
      },
      {
        id: 2,
        baseUrl: "https://ntfy.example",
        topic: "up123",
        instant: true,
        mutedUntil: 0,
        upAppId: "org.example.app",
        upConnectorToken: "secret",
      },
      { id: 3, baseUrl: "javascript:alert(1)", topic: "evil", mutedUntil: 0 },
    ],
    notifications: [
      {
        id: "m2",
        subscriptionId: 1,
        timestamp: NOW_S - 10,
        title: "Two",
        message: "second",
        contentType: "",
        encoding: "",
        priority: 5,
        tags: "a,b",
        click: "https://example.org",
        icon: { url: "https://example.org/i.png", contentUri: null },
        actions: [
          {
            id: "x",
            action: "view",
            label: "Open",
            clear: null,
            url: "https://example.org",
            method: null,
            headers: null,
            body: null,
            intent: null,
            extras: null,
            progress: null,
            error: null,
          },
        ],
        attachment: {
          name: "a.txt",
          type: "text/plain",
          size: 3,
          expires: NOW_S,
          url: "https://ntfy.example/file/a.txt",
          contentUri: null,
          progress: -1,
        },
        deleted: false,
      },
      {
        id: "m1",
        subscriptionId: 1,
        timestamp: NOW_S - 20,
        sequence_id: "m1",
        title: "",
        message: "first",
        contentType: "",
        encoding: "",
        priority: 3,
        tags: "",
        click: "",
        icon: null,
        actions: null,
        attachment: null,
        deleted: false,
      },
      {
        id: "m0",
        subscriptionId: 1,
        timestamp: NOW_S - 30,
        title: "",
        message: "gone",
        priority: 3,
        tags: "",
        click: "",
        deleted: true,
      },
      {
        id: "m9",
        subscriptionId: 3,
        timestamp: NOW_S,
        title: "",
        message: "of no topic",
        priority: 3,
        tags: "",
        click: "",
        deleted: false,
      },
      { id: 7, subscriptionId: 1, timestamp: "soon", message: "no time", deleted: false },
    ],
    users: [
      { baseUrl: "https://ntfy.example", username: "ben", password: "pw" },
      { baseUrl: "https://other.example", username: "x", password: "y" },
    ],
    ...more,
  });

describe("a backup of the Android app", () => {
  test("brings its topics, messages, deletions and sign-ins", async () => {
    expect(isAndroidBackup(android().slice(0, 200))).toBe(true);
    const read = must(readAndroidBackup(android(), NOW_MS));
    expect(read.leftOut).toBe(3);
    expect(read.credentials).toEqual([
      {
        server: "https://ntfy.example",
        topics: ["backups"],
        credentials: { kind: "basic", user: "ben", password: "pw" },
      },
    ]);
    expect(read.text).not.toContain("pw");
    const engine = memoryEngine();
    const store = must(await openStore(engine));
    const preview = await bring(store, read.text);
    expect(preview).toMatchObject({ unreadable: 0, messages: { added: 2 }, newServers: ["https://ntfy.example"] });
    expect(await feedIds(store)).toEqual(["m2", "m1"]);
    const { subscriptions } = await store.reader.catalogue();
    expect(subscriptions).toMatchObject([
      { topic: "backups", displayName: "Nightly", mutedUntilMs: Infinity, minPriority: 4, keepDays: 7, unread: 0 },
    ]);
    const { messages, tombstones } = await checkConsistency(engine);
    expect(tombstones.map(({ id }) => id)).toEqual(["m0"]);
    expect(messages.find(({ id }) => id === "m2")?.event).toMatchObject({
      ...{ title: "Two", priority: 5, tags: ["a", "b"], icon: "https://example.org/i.png" },
      ...{ actions: [{ id: "x", action: "view", label: "Open", url: "https://example.org" }] },
      attachment: { name: "a.txt", url: "https://ntfy.example/file/a.txt" },
    });
    store.close();
  });

  test.each(["actions", "attachment", "subscriptionId", "message"])(
    "leaves out what nests deeply in %s",
    async (field) => {
      // As text: what writes it would overflow the stack too.
      const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
      const nested =
        field === "attachment"
          ? `{"name":"a","url":"b","x":${deep}}`
          : field === "actions"
            ? `[{"action":"x","y":${deep}}]`
            : deep;
      const text = android().replace(
        '"notifications":[',
        `"notifications":[{"id":"deep","subscriptionId":1,"timestamp":${String(NOW_S)},"${field}":${nested}},`,
      );
      const backup = readAndroidBackup(text, NOW_MS);
      // Some engines read no JSON that deep.
      if (!backup.ok) return expect(backup.error).toBe("not-a-backup");
      const store = must(await openStore(memoryEngine()));
      await bring(store, backup.value.text);
      expect(await feedIds(store)).toContain("m2");
      store.close();
    },
  );

  test("brings a topic once that has its server's address in two spellings", async () => {
    const subscription = { topic: "t", mutedUntil: 0 };
    const notification = { message: "x", timestamp: NOW_S - 5, deleted: false };
    const text = android({
      subscriptions: [
        { ...subscription, id: 1, baseUrl: "https://ntfy.example" },
        { ...subscription, id: 2, baseUrl: "https://NTFY.example/" },
      ],
      notifications: [
        { ...notification, id: "a", subscriptionId: 1 },
        { ...notification, id: "b", subscriptionId: 2 },
      ],
    });
    const store = must(await openStore(memoryEngine()));
    await bring(store, must(readAndroidBackup(text, NOW_MS)).text);
    expect((await store.reader.catalogue()).subscriptions).toHaveLength(1);
    expect(await feedIds(store)).toEqual(["b", "a"]);
    store.close();
  });

  test("brings a topic with an impossible retention", async () => {
    const topic = { id: 1, baseUrl: "https://ntfy.example", topic: "t", mutedUntil: 0, autoDelete: 1e300 };
    const text = android({ subscriptions: [topic], notifications: [] });
    const store = must(await openStore(memoryEngine()));
    await bring(store, must(readAndroidBackup(text, NOW_MS)).text);
    expect((await store.reader.catalogue()).subscriptions[0]).not.toHaveProperty("keepDays");
  });

  test("that is invalid or cut is refused", () => {
    expect(isAndroidBackup('{"magic":"other"}')).toBe(false);
    expect(readAndroidBackup(android().slice(0, 900), NOW_MS).ok).toBe(false);
    expect(readAndroidBackup("[]", NOW_MS).ok).toBe(false);
    expect(must(readAndroidBackup('{"magic":"ntfy2586","subscriptions":{},"notifications":7}', NOW_MS)).leftOut).toBe(
      0,
    );
  });
});

describe("the web app's database", () => {
  test("brings what is new as unread, and leaves out the topic that keeps devices in step", async () => {
    const id = "https://ntfy.example/backups";
    const backup = webAppBackup(
      {
        subscriptions: [
          { id, baseUrl: "https://ntfy.example", topic: "backups", mutedUntil: 0, displayName: "Nightly" },
          {
            id: "https://ntfy.example/st_sync",
            baseUrl: "https://ntfy.example",
            topic: "st_sync",
            mutedUntil: 0,
            internal: true,
          },
        ],
        notifications: [
          {
            id: "b",
            time: NOW_S - 5,
            event: "message",
            topic: "backups",
            message: "new",
            subscriptionId: id,
            new: 1,
            priority: 4,
          },
          { id: "a", time: NOW_S - 9, event: "message", topic: "backups", message: "old", subscriptionId: id, new: 0 },
          { id: "c", time: 1e300, message: "hostile", subscriptionId: id, new: 0 },
          "nonsense",
        ],
        users: [{ baseUrl: "https://ntfy.example", username: "ben", token: "tk_1" }],
      },
      NOW_MS,
    );
    expect(backup.leftOut).toBe(1);
    expect(backup.credentials).toMatchObject([{ topics: ["backups"], credentials: { kind: "token", token: "tk_1" } }]);
    const store = must(await openStore(memoryEngine()));
    await bring(store, backup.text);
    expect(await feedIds(store)).toEqual(["b", "a"]);
    const { subscriptions } = await store.reader.catalogue();
    expect(subscriptions).toMatchObject([{ topic: "backups", displayName: "Nightly", unread: 1, unreadHigh: 1 }]);
    store.close();
  });
});
