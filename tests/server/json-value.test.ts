import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFirstJson } from "../../src/server/json-value";

describe("the first JSON value of a text", () => {
  it("is what the text begins with, whatever follows", () => {
    const value = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean());
    fc.assert(
      fc.property(value, fc.string(), (content, rest) => {
        const text = JSON.stringify(content);
        expect(parseFirstJson(` \n${text}${rest}`)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each(["", "{", '{"a":"}', '"\\', "]", "}{}", "nul", '{"a"}', "["])("is absent in %j", (text) => {
    expect(() => parseFirstJson(text)).toThrow(SyntaxError);
  });
});
