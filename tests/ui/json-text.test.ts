import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { indentedJson, isJsonText } from "../../src/ui/message/body/body-form";

describe("recognising JSON", () => {
  it.each(['{"a":1}', ' [1, "b"]\n', '{"a":{}}'])("%s", (text) => expect(isJsonText(text)).toBe(true));
  it.each(["", "{}", "[]", "[x]", "{a: 1}", '"text"', "12", '{"a":1} and more', "[info] started]", '{"a":1'])(
    "not %s",
    (text) => expect(isJsonText(text)).toBe(false),
  );
  it("isn't recognised in a text too long to read at once", () =>
    expect(isJsonText(`["${"x".repeat(200_000)}"]`)).toBe(false));
});

describe("indented JSON", () => {
  it("is what JSON.stringify makes of it, however it was indented before", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, 2, "\t"), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        // -0 is written as 0, and invisible characters stay escaped.
        const parsed: unknown = JSON.parse(text);
        expect(JSON.parse(indentedJson(text))).toEqual(parsed);
        if (/^[\x20-\x7e\s]*$/.test(text)) expect(indentedJson(text)).toBe(JSON.stringify(parsed, null, 2));
      }),
    );
  });

  it("keeps the order of keys, duplicate keys and long numbers", () => {
    expect(indentedJson('{"b": 12345678901234567890, "1": 1.10, "b": [2e400, [ ], {}]}')).toBe(
      '{\n  "b": 12345678901234567890,\n  "1": 1.10,\n  "b": [\n    2e400,\n    [],\n    {}\n  ]\n}',
    );
  });

  it("shows escaped letters, and escapes what is unseen", () => {
    expect(indentedJson('["T\\u00fcr", "a\u202eb", "\\n"]')).toBe('[\n  "Tür",\n  "a\\u202eb",\n  "\\n"\n]');
  });

  it("stays as written if it is too deep to read", () => {
    const nested = (depth: number) => `${"[".repeat(depth)}1${"]".repeat(depth)}`;
    expect(indentedJson(nested(5_000))).toBe(nested(5_000));
    expect(indentedJson(nested(60))).toContain("\n  [\n");
  });

  it("stays as written if its indents would fill megabytes", () => {
    const text = `${"[".repeat(60)}${"1,".repeat(90_000)}1${"]".repeat(60)}`;
    expect(indentedJson(text)).toBe(text);
  });
});
