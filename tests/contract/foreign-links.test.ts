import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePastedTopic } from "../../src/contract";

describe("what names a topic elsewhere", () => {
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
    ["https://app.example/#/box:8080/disk?priority=high", "https://box:8080", ["disk"]],
    ["https://push.example/app/#/disk", "https://push.example/app", ["disk"]],
  ])("reads %j", (text, address, topics, displayName) => {
    expect(parsePastedTopic(text)).toEqual({
      ok: true,
      value: { address, topics, ...(displayName !== undefined && { displayName }) },
    });
  });

  it.each([
    ["", { kind: "no-topic" }],
    ["disk", { kind: "no-topic" }],
    ["https://ntfy.sh", { kind: "no-topic" }],
    ["https://app.example/#/~settings", { kind: "no-topic" }],
    ["https://app.example/#/", { kind: "no-topic" }],
    ["ntfy://ada:s3cret@ntfy.sh/disk", { kind: "credentials" }],
    ["https://ntfy.sh/disk/json?auth=QmFz", { kind: "credentials" }],
    ["https://app.example/#/disk?auth=QmFz", { kind: "credentials" }],
    ["ftp://ntfy.sh/disk", { kind: "address", text: "ftp://ntfy.sh", error: "scheme" }],
    ["javascript:alert(1)/disk", { kind: "address", text: "https://javascript:alert(1)", error: "not-an-address" }],
    ["https://ntfy.sh/a.b", { kind: "topic", topic: "a.b", error: { kind: "bad-character", character: ".", at: 1 } }],
    ["https://ntfy.sh/docs", { kind: "topic", topic: "docs", error: { kind: "reserved", name: "docs" } }],
    [`https://ntfy.sh/${"a".repeat(5_000)}`, { kind: "too-long" }],
  ])("refuses %j", (text, error) => {
    expect(parsePastedTopic(text)).toEqual({ ok: false, error });
  });

  it("never throws", () => {
    const unit = fc.constantFrom(
      "ntfy://",
      "web+ntfy:",
      "https://",
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
    );
    fc.assert(fc.property(fc.string({ unit }), (text) => void parsePastedTopic(text)));
  });
});
