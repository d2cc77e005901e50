import { expect, test } from "vitest";
import type { MessageKey } from "../../src/contract";
import { World } from "./world";

const ADA = { kind: "basic", user: "ada", password: "hunter2-hunter2" } as const;

/** Everything that is stored, as text. */
async function stored(world: World): Promise<string> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = world.indexedDB.open("earshot");
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(new Error(request.error?.message));
  });
  const names = [...database.objectStoreNames];
  const transaction = database.transaction(names);
  const rows = await Promise.all(
    names.map(
      (name) =>
        new Promise<unknown>((resolve) => {
          const request = transaction.objectStore(name).getAll();
          request.onsuccess = () => resolve([name, request.result]);
        }),
    ),
  );
  database.close();
  return JSON.stringify(rows);
}

test("nothing of a server's topics, messages and sign-in is stored once the last topic is removed", async () => {
  const world = await World.make();
  world.server.users.push(ADA);
  world.server.readers.set("private-topic", [ADA]);
  const { tab, subIds } = await world.subscribed(["private-topic"], { credentials: ADA });
  const [subId = 0] = subIds;
  const keys = ["one", "two", "three"].map((text): MessageKey => {
    const { id, time } = world.server.publish("private-topic", `secret-words ${text}`, {
      sequence_id: `job-${text}`,
      tags: ["secret-tag"],
    });
    return [subId, time, id];
  });
  world.server.publish("private-topic", "secret-words later", { delayS: 600 });
  await world.time.settle();
  await tab.send("mark", { keys, mark: { kind: "starred", on: true } });
  await tab.send("setSetting", { key: "allowedRemote", value: [subId] });
  await tab.send("setSetting", {
    key: "allowedRequests",
    value: [{ subId, method: "POST", address: "https://secret-host.example/hook" }],
  });
  await tab.send("setSetting", {
    key: "sounds",
    value: { byPriority: {}, topics: { [subId]: "bell" } },
  });
  await world.time.advance(120_000);
  const before = await stored(world);
  const words = [ADA.password, "private-topic", "secret-words", "secret-tag", "secret-host", "job-one"];
  for (const word of words) expect(before, word).toContain(word);
  await tab.send("unsubscribe", { subId });
  await world.time.advance(600_000);
  const after = await stored(world);
  for (const word of [...words, "bell", "ada"]) expect(after, word).not.toContain(word);
});

test("no token, password or name of an account is stored after signing out", async () => {
  const world = await World.make();
  world.server.users.push(ADA);
  world.server.readers.set("private-topic", [ADA]);
  world.server.issuesTokens = true;
  const { tab } = await world.subscribed(["private-topic"], { credentials: ADA });
  await world.time.advance(120_000);
  const read = await world.store.accounts();
  const [account] = read.ok ? read.value : [];
  const token = account?.credentials.kind === "token" ? account.credentials.token : "no token";
  expect(await stored(world)).toContain(token);
  await tab.send("setCredentials", { serverId: 1, credentials: null });
  await world.time.advance(120_000);
  const after = await stored(world);
  for (const word of [token, ADA.password, `"${ADA.user}"`]) expect(after, word).not.toContain(word);
});

test("no word of a deleted message is stored once it can't be restored", async () => {
  const world = await World.make();
  const { tab, subIds } = await world.subscribed(["a"]);
  const { id, time } = world.server.publish("a", "secret-words");
  world.server.publish("a", "other-words");
  await world.time.advance(120_000);
  await tab.send("mark", { mark: { kind: "deleted", on: true }, keys: [[subIds[0] ?? 0, time, id]] });
  await world.time.advance(3 * 3_600_000);
  const after = await stored(world);
  expect(after).not.toContain("secret-words");
  expect(after).toContain("other-words");
});

test("no word of a deleted message is stored a minute after the next start, if the app ended right after the delete", async () => {
  const world = await World.make();
  const { hub, tab, subIds } = await world.subscribed(["a"]);
  const { id, time } = world.server.publish("a", "secret-words");
  await world.time.advance(120_000);
  await tab.send("mark", { mark: { kind: "deleted", on: true }, keys: [[subIds[0] ?? 0, time, id]] });
  hub.stop();
  world.startHub();
  await world.time.advance(70_000);
  expect(await stored(world)).not.toContain("secret-words");
});

test("no word of a topic's messages is stored once it is removed, though others are left", async () => {
  const world = await World.make();
  const { tab, subIds } = await world.subscribed(["a", "b"]);
  world.server.publish("a", "secret-words");
  world.server.publish("b", "other-words");
  await world.time.advance(120_000);
  expect((await stored(world)).split("secret-words").length).toBeGreaterThan(2);
  await tab.send("unsubscribe", { subId: subIds[0] ?? 0 });
  await world.time.advance(600_000);
  const after = await stored(world);
  expect(after).not.toContain("secret-words");
  expect(after).toContain("other-words");
});
