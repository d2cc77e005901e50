import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  findSharedTopic,
  isCurlCommand,
  namedLink,
  openingLink,
  parseLink,
  parsePastedTopic,
  type AppLink,
} from "../../../src/contract";
import { checkTopicName, parseServerAddress } from "../../../src/protocol";

describe("links from elsewhere", () => {
  it.each<[string, string, string[], string?]>([
    ["ntfy://ntfy.sh/disk", "https://ntfy.sh", ["disk"]],
    ["ntfy://box:8080/disk?secure=false", "http://box:8080", ["disk"]],
    ["ntfy://box/disk?display=Disk%20space", "https://box", ["disk"], "Disk space"],
    ["web+ntfy://ntfy.sh/disk", "https://ntfy.sh", ["disk"]],
    ["web+ntfy:ntfy.sh/disk", "https://ntfy.sh", ["disk"]],
    ["web+ntfy:ntfy://box/disk?secure=false", "http://box", ["disk"]],
    ["web+ntfy:http://box/disk", "http://box", ["disk"]],
    ["  https://ntfy.sh/disk\n", "https://ntfy.sh", ["disk"]],
    ["http://box:8080/push/disk,door/", "http://box:8080/push", ["disk", "door"]],
    ["https://ntfy.sh/disk/json?poll=1&since=all", "https://ntfy.sh", ["disk"]],
    ["https://ntfy.sh/json", "https://ntfy.sh", ["json"]],
    ["ntfy.sh/disk", "https://ntfy.sh", ["disk"]],
    ["https://ntfy.sh/disk/sse", "https://ntfy.sh", ["disk"]],
    ["wss://ntfy.sh/disk/ws?since=all", "https://ntfy.sh", ["disk"]],
    ["ws://box:8080/disk,door/ws", "http://box:8080", ["disk", "door"]],
    ["web+ntfy:wss://ntfy.sh/disk/ws", "https://ntfy.sh", ["disk"]],
    ["https://app.example/#/box:8080/disk", "https://box:8080", ["disk"]],
    ["https://push.example/app/#/disk", "https://push.example/app", ["disk"]],
  ])("reads %j", (text, address, topics, displayName) => {
    expect(parsePastedTopic(text)).toEqual({
      ok: true,
      value: { address, topics, ...(displayName !== undefined && { displayName }) },
    });
  });

  it.each<[string, string, string[]]>([
    ["curl -d x https://ntfy.sh/disk", "https://ntfy.sh", ["disk"]],
    ["curl -s https://ntfy.sh/disk/json", "https://ntfy.sh", ["disk"]],
    ["$ curl -s 'https://ntfy.sh/disk,door/json?poll=1&since=all' | jq .", "https://ntfy.sh", ["disk", "door"]],
    ["curl -s https://ntfy.sh/disk/json?poll=1&since=all", "https://ntfy.sh", ["disk"]],
    ['curl -d "see https://elsewhere.example/page" ntfy.sh/disk', "https://ntfy.sh", ["disk"]],
    ["curl -dx ntfy.sh/disk", "https://ntfy.sh", ["disk"]],
    ["curl -sd 'it''s \\ here' ntfy.sh/disk", "https://ntfy.sh", ["disk"]],
    ['curl -H "Title: a/b" -H Priority:5 -d "say \\"hi\\"" http://box:8080/disk', "http://box:8080", ["disk"]],
    ["curl \\\n  -H 'Tags: x' \\\r\n  -T film.mp4 \\\n  https://ntfy.sh/disk\n", "https://ntfy.sh", ["disk"]],
    ["curl --data-binary @a/b.txt --url https://ntfy.sh/disk", "https://ntfy.sh", ["disk"]],
    ["curl box:8080/disk -d x", "http://box:8080", ["disk"]],
    ["curl -X POST https://ntfy.sh/disk > /dev/null", "https://ntfy.sh", ["disk"]],
    ["curl -d x https://ntfy.sh/disk && echo done/so", "https://ntfy.sh", ["disk"]],
    ["curl.exe -d x https://ntfy.sh/disk", "https://ntfy.sh", ["disk"]],
  ])("reads the command %j", (text, address, topics) => {
    expect(isCurlCommand(text)).toBe(true);
    expect(parsePastedTopic(text)).toEqual({ ok: true, value: { address, topics } });
  });

  it("reads the name that a link behind ~open hands on, and the link as it is pasted", () => {
    const link = parseLink("#/box:8080/disk?priority=high&q=full", undefined);
    if (!link.ok) throw new Error(link.error.kind);
    const opening = openingLink(namedLink(link.value, "Disk & space #1"), "https://app.example/x/?a=b#/y");
    expect(opening).toBe(
      "https://app.example/x/#/~open/%23/box:8080/disk%3Fpriority%3Dhigh%26q%3Dfull%26label%3DDisk%2520%2526%2520space%2520%25231",
    );
    const read = {
      ok: true,
      value: {
        address: "https://box:8080",
        topics: ["disk"],
        displayName: "Disk & space #1",
        filter: link.value.filter,
      },
    };
    const opened = parseLink(new URL(opening).hash, undefined);
    expect(opened.ok && opened.value.scope.kind === "own" && parsePastedTopic(opened.value.scope.rest ?? "")).toEqual(
      read,
    );
    expect(parsePastedTopic(opening)).toEqual(read);
  });

  it("reads back any name and topic that it hands on, in one line and not too long", () => {
    const name = fc.string({ unit: "binary", minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(name, fc.webUrl({ validSchemes: ["http", "https"] }), (label, url) => {
        const address = parseServerAddress(new URL(url).origin);
        if (!address.ok) return;
        const view: AppLink = {
          scope: { kind: "topics", address: address.value, topics: ["disk"] },
          filter: { terms: [] },
        };
        const read = parsePastedTopic(openingLink(namedLink(view, label), "https://app.example/"));
        expect(read).toMatchObject({ ok: true, value: { address: address.value, topics: ["disk"] } });
        const shown = read.ok ? (read.value.displayName ?? "") : "";
        expect([...shown].length).toBeLessThanOrEqual(64);
        expect(shown).not.toMatch(/[\n\r\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });

  it.each([
    "#/box/disk,door?label=both",
    "#/box/disk?label=a&label=b",
    "#/box/disk?label=a&evil=1",
    "#/box/disk?label=a&auth=abc",
    "#/box/my%20disk?label=a",
    "#/~open/%23/~open/",
    "#/~open",
  ])("refuses %j", (text) => {
    expect(parsePastedTopic(text).ok).toBe(false);
    expect(parseLink("#/box/disk?label=a", undefined), "a plain link keeps its meaning").toEqual({
      ok: false,
      error: { kind: "parameter", name: "label" },
    });
  });

  it("reads the filter of a link into a copy of the app", () => {
    expect(parsePastedTopic("https://app.example/earshot/#/box:8080/disk?priority=high")).toEqual({
      ok: true,
      value: {
        address: "https://box:8080",
        topics: ["disk"],
        filter: { terms: [{ not: false, kind: "priority", values: [4] }] },
      },
    });
  });

  it.each(["curl", "curl is slow", "curl,a/b", "curling a/b", "a curl -d x ntfy.sh/disk"])(
    "doesn't take %j for a command",
    (text) => expect(isCurlCommand(text)).toBe(false),
  );

  it.each([
    ["", { kind: "no-topic" }],
    ["disk", { kind: "no-topic" }],
    ["https://ntfy.sh", { kind: "no-topic" }],
    ["https://app.example/#/~settings", { kind: "no-topic" }],
    ["https://app.example/#/", { kind: "no-topic" }],
    ["ntfy://ada:s3cret@ntfy.sh/disk", { kind: "credentials" }],
    ["https://ntfy.sh/disk/json?auth=QmFz", { kind: "credentials" }],
    ["https://app.example/#/disk?auth=QmFz", { kind: "credentials" }],
    ["curl -u ada:s3cret https://ntfy.sh/disk", { kind: "credentials" }],
    ["curl -H 'Authorization: Bearer tk_x' https://ntfy.sh/disk", { kind: "credentials" }],
    ["curl -d x", { kind: "no-topic" }],
    ["curl -d x https://ntfy.sh", { kind: "no-topic" }],
    ["curl -d 'https://ntfy.sh/disk", { kind: "no-topic" }],
    ["ftp://ntfy.sh/disk", { kind: "address", text: "ftp://ntfy.sh", error: "scheme" }],
    ["javascript:alert(1)/disk", { kind: "address", text: "https://javascript:alert(1)", error: "not-an-address" }],
    ["https://ntfy.sh/a.b", { kind: "topic", topic: "a.b", error: { kind: "bad-character", character: ".", at: 1 } }],
    ["https://ntfy.sh/docs", { kind: "topic", topic: "docs", error: { kind: "reserved", name: "docs" } }],
    [`https://ntfy.sh/${"a".repeat(5_000)}`, { kind: "too-long" }],
  ])("refuses %j", (text, error) => {
    expect(parsePastedTopic(text)).toEqual({ ok: false, error });
  });

  it.each<[string[], string, string[]]>([
    [["https://ntfy.sh/disk"], "https://ntfy.sh", ["disk"]],
    [["Our disk alerts: https://ntfy.sh/disk."], "https://ntfy.sh", ["disk"]],
    [["(see <https://ntfy.sh/disk>)"], "https://ntfy.sh", ["disk"]],
    [["\u201cntfy.sh/disk\u201d, I said"], "https://ntfy.sh", ["disk"]],
    [["Subscribe:\nweb+ntfy:ntfy.sh/disk\nThanks"], "https://ntfy.sh", ["disk"]],
    [["Send with\ncurl -d 'a/b' \\\n  box:8080/disk\nas usual"], "http://box:8080", ["disk"]],
    [["https://app.example/#/~settings https://ntfy.sh/disk"], "https://ntfy.sh", ["disk"]],
    [["", "no link, and/or none", "https://ntfy.sh/disk"], "https://ntfy.sh", ["disk"]],
  ])("finds the topic in the shared texts %j", (texts, address, topics) => {
    expect(findSharedTopic(texts)).toEqual({ ok: true, value: { address, topics } });
  });

  it.each([
    [[], { kind: "no-topic" }],
    [["", "  "], { kind: "no-topic" }],
    [["nothing and/or none of it: 12:30, a.b"], { kind: "no-topic" }],
    [["see https://ada:s3cret@ntfy.sh/disk there"], { kind: "credentials" }],
    [
      ["https://news.example/a.html", "https://news.example"],
      { kind: "topic", topic: "a.html", error: { kind: "bad-character", character: ".", at: 1 } },
    ],
  ])("finds none in the shared texts %j", (texts, error) => {
    expect(findSharedTopic(texts)).toEqual({ ok: false, error });
  });

  it("searches only the beginning of a long shared text", () => {
    const address = "https://ntfy.sh/disk";
    expect(findSharedTopic([`${" ".repeat(10_000)}${address}`]).ok).toBe(true);
    expect(findSharedTopic([`${" ".repeat(20_000)}${address}`])).toEqual({ ok: false, error: { kind: "no-topic" } });
  });

  const hostile = fc.string({
    unit: fc.oneof(
      fc.constantFrom(
        "ntfy://",
        "web+ntfy:",
        "https://",
        "wss://",
        "#/",
        "/",
        "?",
        "a",
        ".",
        "%",
        "&",
        "=",
        "display=",
        "@",
      ),
      fc.constantFrom(
        "curl ",
        "-d ",
        "-u",
        "--url ",
        "'",
        '"',
        "\\",
        "\n",
        "\r\n",
        " ",
        "|",
        "$",
        "ntfy.sh/disk",
        ":80",
      ),
      fc.string({ unit: "binary", maxLength: 2 }),
    ),
    maxLength: 60,
  });

  it("never throws", () => {
    fc.assert(fc.property(hostile, (text) => void parsePastedTopic(text)));
    fc.assert(fc.property(fc.array(hostile, { maxLength: 3 }), (texts) => void findSharedTopic(texts)));
  });

  it("gives only topics that can exist, on addresses without credentials", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const read = findSharedTopic([text]);
        if (!read.ok) return;
        expect(read.value.topics.every((topic) => checkTopicName(topic).ok)).toBe(true);
        expect(parseServerAddress(read.value.address)).toEqual({ ok: true, value: read.value.address });
      }),
    );
  });

  it("reads every form of link alike", () => {
    const name = fc.stringMatching(/^[a-z0-9_-]{1,20}$/).filter((topic) => checkTopicName(topic).ok);
    const form = fc.constantFrom<(topic: string) => string>(
      (topic) => `https://box.example/${topic}`,
      (topic) => `wss://box.example/${topic}/ws`,
      (topic) => `ntfy://box.example/${topic}`,
      (topic) => `web+ntfy:box.example/${topic}`,
      (topic) => `https://app.example/#/box.example/${topic}`,
      (topic) => `curl -d "a 'b' c" https://box.example/${topic}`,
      (topic) => `curl -s 'https://box.example/${topic}/json?poll=1' | jq`,
    );
    fc.assert(
      fc.property(name, form, (topic, write) => {
        const value = { address: "https://box.example", topics: [topic] };
        expect(parsePastedTopic(write(topic))).toEqual({ ok: true, value });
        expect(findSharedTopic([`x ${write(topic)} y`, write(topic)])).toEqual({ ok: true, value });
      }),
    );
  });

  it("reads long texts quickly", () => {
    for (const part of ["curl ", "\\", "'", '"\\"', "<(", "a.b", "web+ntfy:", "ntfy://", "-"]) {
      const long = part.repeat(4_000);
      expect(findSharedTopic([long, `curl ${long}`]).ok).toBe(false);
    }
  });
});
