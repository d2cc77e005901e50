import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { moveLink, NO_HOST_CONFIG, readHostConfig } from "../../src/contract";
import { isTopicName, parseServerAddress, type ServerAddress } from "../../src/protocol";

const PUSH_KEY = Buffer.from([4, ...new Uint8Array(64).fill(7)]).toString("base64url");
const HOME = "https://home.example" as ServerAddress;
const read = (value: unknown) => readHostConfig(JSON.stringify(value));

test("a whole file is taken as it is", () => {
  expect(
    read({
      name: "Acme alerts",
      server: "HTTPS://Ntfy.Example.com:443/",
      colour: "#0B7A75",
      topics: ["backups", "other.example/ci", "backups"],
      allowedServers: ["https://other.example"],
      settings: { theme: "dark", keepDays: 7, singleKeys: false, language: "de" },
      locked: ["keepDays", "density"],
      pushKeys: { "HTTPS://Ntfy.Example.com/": ` ${PUSH_KEY}= `, "http://box:8080": PUSH_KEY },
    }),
  ).toEqual({
    config: {
      name: "Acme alerts",
      server: "https://ntfy.example.com",
      colour: "#0b7a75",
      topics: [{ topic: "backups" }, { server: "https://other.example", topic: "ci" }],
      allowedServers: ["https://other.example"],
      settings: { theme: "dark", keepDays: 7, singleKeys: false, language: "de" },
      locked: ["keepDays", "density"],
      pushKeys: { "https://ntfy.example.com": PUSH_KEY, "http://box:8080": PUSH_KEY },
    },
    problems: [],
  });
});

test("an empty file says nothing", () => {
  expect(read({})).toEqual({ config: NO_HOST_CONFIG, problems: [] });
});

describe("mistakes are named by their place and left out, and the rest counts", () => {
  test.each([
    ["name", ""],
    ["name", 7],
    ["name", "a‮b"],
    ["name", "x".repeat(41)],
    ["server", "javascript:alert(1)"],
    ["server", "https://user:secret@ntfy.example.com"],
    ["server", "https://ntfy.example.com/?a=1"],
    ["server", "https://ntfy.example.com/a'b"],
    ["server", ["https://ntfy.example.com"]],
    ["colour", "red"],
    ["colour", "#123"],
    ["colour", "#123456; background: url(//evil.example)"],
    ["topics", "backups"],
    ["locked", { theme: true }],
    ["settings", [1]],
    ["settings", null],
    ["pushKeys", PUSH_KEY],
    ["pushKeys", [PUSH_KEY]],
  ])("%s: %j", (name, value) => {
    const { config, problems } = read({ [name]: value, theme: 1, density: 2, topics: [], ...{ [name]: value } });
    expect(problems.filter(({ kind }) => kind === "wrong")).toEqual([expect.objectContaining({ at: name })]);
    expect(problems.filter(({ kind }) => kind === "unknown")).toHaveLength(2);
    expect(config).toEqual(NO_HOST_CONFIG);
  });

  test("entries and settings, each by its place", () => {
    const { config, problems } = read({
      topics: ["ok", "bad topic", "https://u:p@x.example/t", "~settings", "a?tags=b", 7, "docs"],
      settings: { theme: "pink", keepDays: -1, keepMessages: 1.5, historyRead: "yes", allowedRemote: [1], host: {} },
      locked: ["theme", "alerts", "__proto__", 3],
    });
    expect(config).toEqual({ topics: [{ topic: "ok" }], settings: {}, locked: ["theme"] });
    expect(problems.map((problem) => ("at" in problem ? problem.at : ""))).toEqual([
      ...[1, 2, 3, 4, 5, 6].map((at) => `topics[${String(at)}]`),
      ...["theme", "keepDays", "keepMessages", "historyRead", "allowedRemote", "host"].map((at) => `settings.${at}`),
      ...[1, 2, 3].map((at) => `locked[${String(at)}]`),
    ]);
  });

  test("names that every object has are as unknown as others", () => {
    const { config, problems } = readHostConfig('{"__proto__":{"server":"https://evil.example"},"constructor":1}');
    expect(config).toEqual(NO_HOST_CONFIG);
    expect(problems).toEqual([
      { kind: "unknown", at: "__proto__" },
      { kind: "unknown", at: "constructor" },
    ]);
  });

  test("the displayed part of a value, and the number of mistakes, are bounded", () => {
    const { problems } = read(
      Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`${"k".repeat(900)}${at}`, 1])),
    );
    expect(problems).toHaveLength(20);
    expect(JSON.stringify(problems).length).toBeLessThan(3_000);
    expect(JSON.stringify(read({ server: "x".repeat(60_000) }).problems).length).toBeLessThan(200);
  });
});

test.each(["", "{", "<!doctype html>", "[]", '"text"', "null", "7", "{} {}"])("%j is not a file at all", (text) => {
  const { config, problems } = readHostConfig(text);
  expect(config).toBeUndefined();
  expect(problems).toHaveLength(1);
});

test("whatever the file holds, reading it ends in a config of the right form", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc
          .dictionary(
            fc.constantFrom("name", "server", "colour", "topics", "allowedServers", "settings", "locked"),
            fc.jsonValue(),
          )
          .map((value) => JSON.stringify(value)),
        fc.string(),
      ),
      (text) => {
        const { config, problems } = readHostConfig(text);
        expect(problems.length > 0 || config !== undefined).toBe(true);
        if (!config) return;
        for (const address of [config.server, ...(config.allowedServers ?? [])]) {
          if (address !== undefined) expect(parseServerAddress(address)).toEqual({ ok: true, value: address });
        }
        for (const { topic } of config.topics) expect(isTopicName(topic)).toBe(true);
        expect(config.colour ?? "#000000").toMatch(/^#[0-9a-f]{6}$/);
      },
    ),
  );
});

test.each([["https://any.example"], [null], [["ftp://x"]], [{}]])(
  "a list of allowed servers that can't be read leaves none but the default one: %j",
  (allowedServers) => expect(read({ allowedServers }).config?.allowedServers).toEqual([]),
);

test("an offered topic of a server that is not allowed is left out, and named", () => {
  const { config, problems } = read({
    server: "home.example",
    allowedServers: ["a.example"],
    topics: ["x", "home.example/w", "a.example/y", "b.example/z", "http://a.example/y"],
  });
  expect(config?.topics.map(({ topic }) => topic)).toEqual(["x", "w", "y"]);
  expect(problems).toEqual([
    { kind: "not-allowed", at: "topics[3]" },
    { kind: "not-allowed", at: "topics[4]" },
  ]);
});

test("a link leads where it led after links without a server came to mean another one", () => {
  const to = "https://home.example/tools/earshot" as ServerAddress;
  const moved = (link: string) => moveLink(link, HOME, to);
  expect(moved("#/backups?priority=high")).toBe("#/home.example/backups?priority=high");
  expect(moved("#/home.example/tools/earshot/backups")).toBe("#/backups");
  expect(moved("#/other.example/a,b")).toBe("#/other.example/a,b");
  expect(moved("#/~several/a+other.example/b")).toBe("#/~several/home.example/a%2Bother.example/b");
  for (const same of ["#/", "#/~urgent", "#/~group/x", "#/~server/home.example", "#/bad topic"]) {
    expect(moved(same)).toBe(same);
  }
});

test.each([
  ["ftp://ntfy.example.com", PUSH_KEY, "address"],
  ["https://user:secret@ntfy.example.com", PUSH_KEY, "address"],
  ["https://other.example", "no key", "push-key"],
  ["https://other.example", PUSH_KEY.slice(1), "push-key"],
  ["https://other.example", "", "push-key"],
  ["https://other.example", 7, "push-key"],
  ["https://other.example", { toString: PUSH_KEY }, "push-key"],
])("an impossible key for pushes is named by its server, and others count: %s %j", (name, key, wanted) => {
  const text = `{"pushKeys":{${JSON.stringify(name)}:${JSON.stringify(key)},"https://ntfy.example.com":"${PUSH_KEY}"}}`;
  const { config, problems } = readHostConfig(text);
  expect(config?.pushKeys).toEqual({ "https://ntfy.example.com": PUSH_KEY });
  expect(problems).toEqual([expect.objectContaining({ at: `pushKeys.${name}`, wanted })]);
});
