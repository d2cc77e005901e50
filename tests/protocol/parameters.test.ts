import { describe, expect, it } from "vitest";
import {
  decodeEncodedWords,
  PARAMETERS,
  parseBoolean,
  readAuthParameter,
  parameterReader,
  type HeaderFields,
  type ParameterName,
} from "../../src/protocol";

const read = (name: ParameterName, headers: HeaderFields, query = "") =>
  parameterReader(headers, new URLSearchParams(query))(name);
/** A header as Node delivers it: each byte of its UTF-8 is one character. */
const asHeader = (text: string) => String.fromCharCode(...new TextEncoder().encode(text));

describe("reading a parameter", () => {
  it.each(Object.entries(PARAMETERS).flatMap(([name, aliases]) => aliases.map((alias) => [name, alias] as const)))(
    "finds %s as %s, in header and query, in any case",
    (name, alias) => {
      const parameter = name as ParameterName;
      expect(read(parameter, { [alias]: "v" })).toBe("v");
      expect(read(parameter, { [alias.toUpperCase()]: "v" })).toBe("v");
      expect(read(parameter, {}, `${alias}=v`)).toBe("v");
      expect(read(parameter, {}, `${alias.toUpperCase()}=v`)).toBe("v");
    },
  );

  it("takes a header before the query, whatever the names", () => {
    expect(read("since", { si: "none" }, "x-since=all")).toBe("none");
  });

  it("takes the first name with a value, in the protocol's order", () => {
    expect(read("title", { t: "short", title: " ", "x-title": "" })).toBe("short");
    expect(read("title", { t: "short", "x-title": "long" })).toBe("long");
    expect(read("title", {}, "t=short&title=middle")).toBe("middle");
  });

  it("counts a repeated name once, by its first value", () => {
    expect(read("poll", {}, "poll=1&poll=0")).toBe("1");
    expect(read("title", {}, "title=&title=x&t=y")).toBe("y");
    expect(read("title", { title: ["a", "b"] })).toBe("a");
  });

  it("trims values, and treats blank ones as absent", () => {
    expect(read("title", { title: "  x y " })).toBe("x y");
    expect(read("title", { title: "   " }, "t=%20z%20")).toBe("z");
    expect(read("title", {}, "t=")).toBeUndefined();
  });

  it("reads a header's bytes as UTF-8, with U+FFFD for invalid ones", () => {
    expect(read("title", { title: asHeader("Überlauf 💾") })).toBe("Überlauf 💾");
    expect(read("title", { title: "caf\u00e9" })).toBe("caf\ufffd");
  });

  it("decodes encoded words in headers only", () => {
    expect(read("title", { title: "=?UTF-8?B?w5xiZXJsYXVm?=" })).toBe("Überlauf");
    expect(read("title", {}, "title=%3D%3FUTF-8%3FB%3Fw5xiZXJsYXVm%3F%3D")).toBe("=?UTF-8?B?w5xiZXJsYXVm?=");
  });

  it.each(["u=1", "u=1, i", "u=3, 5", "i", "u=0,i", "i=?0", "u=7, i=?1", "u=2, x-y=1"])(
    "ignores the HTTP priority %j of browsers and proxies",
    (value) => {
      expect(read("priority", { Priority: value }, "p=5")).toBe("5");
      expect(read("priority", { Priority: value })).toBeUndefined();
    },
  );

  it.each(["5", "high", "4,5", "high, low", "x"])("keeps the priority %j", (value) => {
    expect(read("priority", { Priority: value })).toBe(value);
  });

  it("ignores HTTP priorities under that one name only", () => {
    expect(read("priority", { "X-Priority": "u=1" })).toBe("u=1");
    expect(read("priority", {}, "priority=u%3D1")).toBe("u=1");
  });

  it("reads credentials from the query alone", () => {
    expect(readAuthParameter(new URLSearchParams("auth=a"))).toBe("a");
    expect(readAuthParameter(new URLSearchParams("AUTH=a&authorization=b"))).toBe("b");
    expect(readAuthParameter(new URLSearchParams("auth="))).toBeUndefined();
  });
});

describe("encoded words", () => {
  it.each([
    ["plain", "plain"],
    ["=?utf-8?q?p=C3=A4ss_wort?=", "päss wort"],
    ["=?iso-8859-1?Q?p=E4ss?= and more", "päss and more"],
    ["=?UTF-8?B?w5w=?=  =?UTF-8?B?w5w=?=", "ÜÜ"],
    ["=?UTF-8?B?w5w=?= x =?UTF-8?B?w5w=?=", "Ü x Ü"],
    ["=?UTF-8?B?!!?=", "=?UTF-8?B?!!?="],
    ["=?UTF-8?Q?=ZZ?=", "=?UTF-8?Q?=ZZ?="],
    ["=?UTF-8?Q?\u20ac?=", "=?UTF-8?Q?\u20ac?="],
    ["=?koi8-r?B?w5w=?=", "=?koi8-r?B?w5w=?="],
    ["=?UTF-8?X?x?=", "=?UTF-8?X?x?="],
  ])("%j is %j", (value, text) => {
    expect(decodeEncodedWords(value)).toBe(text);
  });
});

describe("booleans", () => {
  it.each(["1", "true", "YES", "True"])("%s is true", (text) => {
    expect(parseBoolean(text)).toBe(true);
  });
  it.each(["0", "no", "on", "y", "2", "false"])("%s is false, whatever the default", (text) => {
    expect(parseBoolean(text, true)).toBe(false);
  });
  it("nothing is the default", () => {
    expect(parseBoolean(undefined)).toBe(false);
    expect(parseBoolean("")).toBe(false);
    expect(parseBoolean(undefined, true)).toBe(true);
  });
});
