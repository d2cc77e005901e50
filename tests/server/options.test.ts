import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import vapid from "web-push";
import { OptionsError, readConfigFile, readOptions, startServer } from "../../src/server";
import { newFolder } from "./test-server";

const problems = (options: unknown) => {
  const read = readOptions(options);
  return read.ok ? [] : read.error;
};

describe("options", () => {
  it("have the protocol's defaults", () => {
    const read = readOptions({ attachments: {} });
    expect(read.ok && read.value).toMatchObject({
      ...{ host: "127.0.0.1", port: 8080, keepalive: 45, cache: 43_200, scheduleInterval: 10, cleanupInterval: 60 },
      limits: {
        ...{ messageBytes: 4096, delayMin: 10, delayMax: 259_200, requests: 60, requestRefill: 5, streams: 30 },
        ...{ failedLogins: 30, failedLoginRefill: 60, topics: 15_000, newTopics: 100, newTopicRefill: 60 },
      },
      attachments: { fileBytes: 15 * 2 ** 20, visitorBytes: 100 * 2 ** 20, totalBytes: 5 * 2 ** 30, keep: 10_800 },
      access: undefined,
    });
    expect(readOptions({})).toMatchObject({ value: { attachments: undefined } });
  });

  it.each([
    ["45s", 45],
    ["1h30m", 5_400],
    ["3d", 259_200],
    ["0.5d", 43_200],
    [90, 90],
    [0, 0],
  ])("read the duration %j as %i seconds", (cache, seconds) => {
    expect(readOptions({ cache })).toMatchObject({ value: { cache: seconds } });
  });

  it.each([
    [{ kepalive: 5 }, /^kepalive: there is no such option in this version; known here: .*keepalive/],
    [{ limits: { request: 1 } }, /^limits\.request: there is no such option/],
    [{ port: "80" }, /^port: expected a whole number from 0 to 65535, found "80"$/],
    [{ port: 70_000 }, /^port: expected/],
    [{ cache: "12 hours" }, /^cache: expected a duration such as .*, found "12 hours"$/],
    [{ cache: -1 }, /^cache: expected/],
    [{ keepalive: 0 }, /^keepalive: expected a duration of at least/],
    [{ behindProxy: "yes" }, /^behindProxy: expected true or false, found "yes"$/],
    [{ reservedTopics: "a" }, /^reservedTopics: expected a list/],
    [{ reservedTopics: ["a", "b c"] }, /^reservedTopics\[1\]: expected a topic name, found "b c"$/],
    [{ access: { users: [{ name: "a b", password: "x" }] } }, /^access\.users\[0\]\.name: expected a user name/],
    [{ access: { users: [{ name: "ada" }] } }, /^access\.users\[0\]\.password is missing$/],
    [{ access: { rules: [{ user: "bob", topic: "t", allow: "read-only" }] } }, /there is no user "bob"$/],
    [{ access: { rules: [{ user: "*", topic: "t", allow: "read" }] } }, /allow: expected one of "read-write"/],
    [{ baseUrl: "topics.example" }, /^baseUrl: expected an address/],
    [{ attachments: [] }, /^attachments: expected an object/],
    [
      { webPush: { ...vapid.generateVAPIDKeys(), publicKey: "a" } },
      /^webPush\.publicKey: expected a VAPID key, 87 characters/,
    ],
    [{ webPush: { publicKey: "A".repeat(87) } }, /^webPush: publicKey and privateKey go together/],
    [{ webPush: { privateKey: "A".repeat(43) } }, /^webPush: publicKey and privateKey go together/],
    [{ webPush: { ...vapid.generateVAPIDKeys(), privateKey: "A".repeat(43) } }, /do not belong together$/],
    [
      { webPush: { ...vapid.generateVAPIDKeys(), privateKey: vapid.generateVAPIDKeys().privateKey } },
      /do not belong together$/,
    ],
    [{ webPush: { contact: "nobody" } }, /^webPush\.contact: expected an e-mail address, found "nobody"$/],
    [{ webPush: { warnAfter: "3d", expireAfter: "2d" } }, /^webPush: warnAfter is longer than expireAfter$/],
    ["text", /^options: expected an object/],
  ])("refuse %j in words", (options, words) => {
    expect(problems(options)).toEqual([expect.stringMatching(words)]);
  });

  it("report all problems at once, and a user who is listed twice", () => {
    expect(problems({ port: "x", cache: "y" })).toHaveLength(2);
    const user = { name: "ada", password: "x" };
    expect(problems({ access: { users: [user, user] } })).toEqual(['access.users[1].name: "ada" stands there twice']);
  });

  it("keep a server with problems from starting", async () => {
    await expect(startServer({ port: -1 })).rejects.toThrow(OptionsError);
  });
});

describe("a config file", () => {
  it("is read with paths relative to its own folder, and its problems name it", async () => {
    const folder = await newFolder();
    const path = join(folder, "config.json");
    await writeFile(path, JSON.stringify({ port: 1, stateFile: "state", attachments: { folder: "files" } }));
    expect(await readConfigFile(path)).toEqual({
      port: 1,
      stateFile: join(folder, "state"),
      attachments: { folder: join(folder, "files") },
    });
    await writeFile(path, "{ not json");
    await expect(readConfigFile(path)).rejects.toThrow(/config\.json:1: this is not JSON/);
    await writeFile(path, '{ "prot": 1 }');
    await expect(readConfigFile(path)).rejects.toThrow(/config\.json:1: prot: there is no/);
    await rm(path);
    await expect(readConfigFile(path)).rejects.toThrow(/can't be read/);
  });
});

describe("docs/server.md", () => {
  const docs = readFileSync(join(import.meta.dirname, "../../docs/server.md"), "utf8");

  it("has an example that can be used as it is", () => {
    const [, example = ""] = /```json\n(.*?)```/s.exec(docs) ?? [];
    expect(problems(JSON.parse(example))).toEqual([]);
  });

  it("names every option", () => {
    const webPush = { ...vapid.generateVAPIDKeys(), contact: "a@example.com" };
    const user = { name: "ada", password: "x" };
    const rule = { user: "*", topic: "t" };
    const read = readOptions({ attachments: {}, access: { users: [user], rules: [rule] }, webPush });
    const names = (value: unknown): string[] =>
      typeof value === "object" && value !== null
        ? Object.entries(value).flatMap(([name, inner]) => [...(Array.isArray(value) ? [] : [name]), ...names(inner)])
        : [];
    const missing = names(read.ok && read.value).filter((name) => !docs.includes(`\`${name}\``));
    expect(missing).toEqual([]);
  });
});
