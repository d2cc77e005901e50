// docs/protocol.md §6 and 13.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseActions } from "../../src/server/actions";
import { Refusal } from "../../src/server/protocol-error";

const id = expect.stringMatching(/^[A-Za-z0-9]{10}$/) as string;

describe("actions in the short form", () => {
  it("are read as the protocol's example says", () => {
    const text = `view, Open, https://example.com, clear=true; http, Off, https://example.com/off, method=PUT, body='{"on":0}'`;
    expect(parseActions(text)).toEqual([
      { id, action: "view", label: "Open", clear: true, url: "https://example.com" },
      {
        id,
        action: "http",
        label: "Off",
        clear: false,
        url: "https://example.com/off",
        method: "PUT",
        body: '{"on":0}',
      },
    ]);
  });

  it.each([
    ["broadcast, Shoot, extras.cmd=pic, intent=my.intent", { intent: "my.intent", extras: { cmd: "pic" } }],
    ["http, L, https://e.com, headers.X-A=b, headers.C=d", { headers: { "X-A": "b", C: "d" } }],
    ["action=view, label=L, url=https://e.com", { label: "L", url: "https://e.com" }],
    ["label=L, action=view, url=https://e.com", { action: "view", label: "L" }],
    [`view, "a, \\"b\\"; c", https://e.com`, { label: 'a, "b"; c' }],
    [`view, 'it\\'s', https://e.com`, { label: "it's" }],
    ["view, L, https://e.com;", { label: "L" }],
    ["  view ,  L  , https://e.com , clear = YES ", { label: "L", clear: true }],
    ["VIEW, L, url=https://e.com", { action: "view", url: "https://e.com" }],
    ['[{"Action":"view","LABEL":"L","uRL":"https://e.com"}]', { label: "L", url: "https://e.com" }],
    ["copy, Code, 123456", { value: "123456" }],
    ["view, L, https://e.com/?a=b", { url: "https://e.com/?a=b" }],
  ])("%s", (text, expected) => {
    expect(parseActions(text)).toEqual([expect.objectContaining(expected)]);
  });

  it.each([
    "view, Label",
    "view",
    "view, , https://e.com",
    "jump, L, https://e.com",
    "http, L, https://e.com, method=GET, body=x",
    "view, 1, https://e.com; view, 2, https://e.com; view, 3, https://e.com; view, 4, https://e.com",
    'view, "L, https://e.com',
    'view, "L" x, https://e.com',
    "view, L, https://e.com, clear=maybe",
    "view, L, https://e.com, extra",
    "view, L, https://e.com, colour=red",
    "copy, L",
    "VIEW, L, https://e.com",
    "constructor, L, x",
    "__proto__, L, x",
    "[{]",
    "[1]",
    "[null]",
    '[{"action":"view","label":"L","url":"https://e.com","clear":"true"}]',
    '[{"action":"http","label":"L","url":"https://e.com","headers":{"a":1}}]',
  ])("are refused: %s", (text) => {
    expect(() => parseActions(text)).toThrow(Refusal);
    expect(() => parseActions(text)).toThrow(/^40018/);
  });

  it("keep any quoted value as it is", () => {
    // Values with a backslash are left out, as one before a quote has a meaning of its own.
    const value = fc.string({ unit: "binary" }).filter((text) => text !== "" && !text.includes("\\"));
    fc.assert(
      fc.property(value, (label) => {
        const quoted = `"${label.replaceAll('"', '\\"')}"`;
        expect(parseActions(`view, ${quoted}, https://e.com`)[0]).toMatchObject({ label });
      }),
    );
  });

  it("are either read or refused", () => {
    const piece = fc.constantFrom(
      "view",
      "http",
      "copy",
      ",",
      ";",
      " ",
      '"',
      "'",
      "\\",
      "=",
      "url",
      "clear",
      "x",
      "[",
      "é",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        try {
          expect(parseActions(pieces.join("")).length).toBeLessThanOrEqual(3);
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
        }
      }),
    );
  });
});
