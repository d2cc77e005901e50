import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeEvent, decodeLine } from "../../src/protocol";

const MESSAGE = { id: "abcdefghij12", time: 1_760_000_000, event: "message", topic: "a", message: "hi" };
const FULL = {
  ...MESSAGE,
  expires: 1_760_043_200,
  title: "Backup",
  tags: ["disk", "warning"],
  priority: 5,
  click: "https://example.com",
  icon: "https://example.com/i.png",
  content_type: "text/markdown",
  encoding: "base64",
  sequence_id: "seq-1",
  attachment: { name: "a.txt", url: "https://x/file/a.txt", type: "text/plain", size: 9, expires: 1_760_010_800 },
  actions: [
    { id: "a1", action: "view", label: "Open", clear: true, url: "mailto:x" },
    { id: "a2", action: "http", label: "Off", clear: false, url: "x", method: "PUT", headers: { A: "b" }, body: "{}" },
    { id: "a3", action: "broadcast", label: "Shoot", clear: false, intent: "i", extras: { cmd: "pic" } },
    { id: "a4", action: "copy", label: "Copy", clear: false, value: "x" },
  ],
};

describe("events", () => {
  it.each([
    MESSAGE,
    FULL,
    { id: "x", time: 0, event: "open", topic: "a,b" },
    { id: "x", time: 1, event: "keepalive", topic: "a" },
    { id: "x", time: 1, event: "poll_request", topic: "a" },
    { id: "x", time: 1, event: "poll_request", topic: "a", message: "New message", poll_id: "y" },
    { id: "x", time: 1, event: "message_delete", topic: "a", sequence_id: "s", expires: 5 },
    { id: "x", time: 1, event: "message_clear", topic: "a", sequence_id: "s" },
  ])("hands back the very object of %j", (event) => {
    expect(decodeEvent(event)).toBe(event);
  });

  it("keeps fields and actions that it does not know", () => {
    const line = JSON.stringify({
      ...MESSAGE,
      colour: { deep: [1, null] },
      actions: [{ action: "teleport", label: 5, url: {} }],
    });
    expect(JSON.stringify(decodeEvent(JSON.parse(line)))).toBe(line);
  });

  it("treats __proto__ and similar names as fields like any other", () => {
    const line = `{"__proto__":{"polluted":true,"title":7},"constructor":1,${JSON.stringify(MESSAGE).slice(1)}`;
    expect(JSON.stringify(decodeEvent(JSON.parse(line)))).toBe(line);
    expect({}).not.toHaveProperty("polluted");
    expect(decodeLine('{"event":"__proto__"}')).toEqual({ kind: "unknown" });
  });

  it("tells events of a newer server from malformed ones", () => {
    expect(decodeLine(JSON.stringify({ ...MESSAGE, event: "message_archive", time: "late" }))).toEqual({
      kind: "unknown",
    });
  });

  it("knows an error that ends the stream from inside", () => {
    expect(decodeLine('{"code":50001,"http":500,"error":"internal server error","link":"https://x"}')).toEqual({
      kind: "error",
      body: { code: 50001, http: 500, error: "internal server error" },
    });
  });

  it.each(["{", "nonsense", '{"id":"x"', "{'id':1}"])("finds no JSON in %j", (line) => {
    expect(decodeLine(line)).toEqual({ kind: "malformed" });
  });

  it.each(["1", "null", '"text"', "[]", "true"])("finds no object in %s", (line) => {
    expect(decodeLine(line)).toEqual({ kind: "malformed" });
  });

  const wrong: [string, object][] = [
    ["event", { ...MESSAGE, event: 5 }],
    ["event", { id: "x" }],
    ["id", { ...MESSAGE, id: 5 }],
    ["id", { ...MESSAGE, id: "" }],
    ["time", { ...MESSAGE, time: "1760000000" }],
    ["time", { ...MESSAGE, time: -1 }],
    ["time", { ...MESSAGE, time: 1.5 }],
    ["time", { ...MESSAGE, time: 2 ** 53 }],
    ["topic", { ...MESSAGE, topic: null }],
    ["message", { ...MESSAGE, message: undefined }],
    ["message", { ...MESSAGE, message: 5 }],
    ["expires", { ...MESSAGE, expires: "soon" }],
    ["title", { ...MESSAGE, title: ["x"] }],
    ["title", { ...MESSAGE, title: null }],
    ["tags", { ...MESSAGE, tags: "a,b" }],
    ["tags[1]", { ...MESSAGE, tags: ["a", 5] }],
    ["priority", { ...MESSAGE, priority: 0 }],
    ["priority", { ...MESSAGE, priority: 6 }],
    ["priority", { ...MESSAGE, priority: "5" }],
    ["click", { ...MESSAGE, click: {} }],
    ["icon", { ...MESSAGE, icon: 1 }],
    ["content_type", { ...MESSAGE, content_type: 1 }],
    ["encoding", { ...MESSAGE, encoding: 1 }],
    ["sequence_id", { ...MESSAGE, sequence_id: 1 }],
    ["attachment", { ...MESSAGE, attachment: "x" }],
    ["attachment", { ...MESSAGE, attachment: [] }],
    ["attachment.name", { ...MESSAGE, attachment: { url: "x" } }],
    ["attachment.url", { ...MESSAGE, attachment: { name: "x" } }],
    ["attachment.size", { ...MESSAGE, attachment: { name: "x", url: "x", size: "9" } }],
    ["actions", { ...MESSAGE, actions: {} }],
    ["actions[0]", { ...MESSAGE, actions: ["view"] }],
    ["actions[0].action", { ...MESSAGE, actions: [{ label: "x" }] }],
    ["actions[1].url", { ...MESSAGE, actions: [{ action: "view" }, { action: "view", url: 5 }] }],
    ["actions[0].headers", { ...MESSAGE, actions: [{ action: "http", headers: { A: 1 } }] }],
    ["sequence_id", { ...MESSAGE, event: "message_delete" }],
    ["poll_id", { ...MESSAGE, event: "poll_request", poll_id: 1 }],
  ];
  it.each(wrong)("refuses a wrong %s in %j", (_, event) => {
    expect(decodeEvent(event)).toBeUndefined();
  });

  const ID_FIELDS = [
    ["id", MESSAGE],
    ["topic", MESSAGE],
    ["sequence_id", MESSAGE],
    ["sequence_id", { ...MESSAGE, event: "message_clear" }],
    ["poll_id", { ...MESSAGE, event: "poll_request" }],
  ] as const;
  it.each(ID_FIELDS)("accepts as %s only what is short and fits in an address: %j", (field, event) => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 600 }), (text) => {
        const decoded = decodeEvent({ ...event, [field]: text });
        const fits = text.length <= 256;
        expect(decoded !== undefined).toBe(fits);
        if (decoded) encodeURIComponent(text);
      }),
    );
    for (const half of ["\ud800", "a\udfff", "\udc00\ud800"]) {
      expect(decodeEvent({ ...event, [field]: half })).toBeUndefined();
    }
  });

  it("refuses objects so deep that copying them could overflow the stack", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect(decodeLine(`${JSON.stringify(MESSAGE).slice(0, -1)},"x":${deep}}`)).toEqual({ kind: "malformed" });
  });

  it("never throws, whatever is received", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, line) => {
        decodeEvent(value);
        decodeEvent({ ...FULL, title: value, tags: value, actions: [value], attachment: value });
        decodeLine(line);
      }),
    );
  });
});
