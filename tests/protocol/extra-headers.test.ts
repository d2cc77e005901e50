import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readExtraHeaders, writeExtraHeaders } from "../../src/protocol";

describe("extra headers of a server", () => {
  test("are read one per line, and written as they were read", () => {
    const read = readExtraHeaders("CF-Access-Client-Id:  abc.access \n\n X-Key: a b\tc".replace("\t", " "));
    expect(read).toEqual({ ok: true, value: { "CF-Access-Client-Id": "abc.access", "X-Key": "a b c" } });
    expect(writeExtraHeaders({ "X-Key": "a", B: "c" })).toBe("X-Key: a\nB: c");
  });

  test.each([
    ["no colon", 1],
    ["X-Key:", 1],
    ["X Key: a", 1],
    ["X-Key: a\nX-Other: \u0000", 2],
    ["X-Key: ☃", 1],
    ["Cookie: a=b", 1],
    ["authorization: Bearer x", 1],
    ["Sec-Fetch-Mode: cors", 1],
    ["X-Title: a", 1],
    ["since: all", 1],
    ["poll: 1", 1],
    [Array.from({ length: 11 }, (_, at) => `X-${at}a: 1`).join("\n"), 0],
    [`X-Key: ${"a".repeat(4_000)}`, 0],
    ["__proto__: a", 1],
  ])("%j is refused", (text, error) => expect(readExtraHeaders(text)).toEqual({ ok: false, error }));

  test("whatever is read, a browser can send", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\w-]{1,9}: ?[ -ÿ]{0,9}$/)), (text) => {
        const read = readExtraHeaders(text);
        if (!read.ok) return;
        const headers = new Headers(read.value);
        for (const [name, value] of Object.entries(read.value)) expect(headers.get(name)).toBe(value);
        expect(readExtraHeaders(writeExtraHeaders(read.value))).toEqual(read);
      }),
    );
  });
});
