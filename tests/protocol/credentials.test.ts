import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  authorizationHeader,
  authParameter,
  checkCredentials,
  decodeAuthorization,
  decodeAuthParameter,
  type Credentials,
} from "../../src/protocol";

const TOKEN = "tk_0123456789abcdefghijklmnopqrs";

describe("requests to a server", () => {
  it.each<[Credentials, string]>([
    [{ kind: "basic", user: "ada", password: "s3cret" }, "QmFzaWMgWVdSaE9uTXpZM0psZEE9PQ"],
    [{ kind: "basic", user: "carl", password: "pässwort" }, "QmFzaWMgWTJGeWJEcHd3NlJ6YzNkdmNuUT0"],
    [{ kind: "token", token: TOKEN }, "QmVhcmVyIHRrXzAxMjM0NTY3ODlhYmNkZWZnaGlqa2xtbm9wcXJz"],
  ])("writes the protocol's test value of %j", (credentials, auth) => {
    expect(authParameter(credentials)).toBe(auth);
    expect(decodeAuthParameter(auth)).toBe(authorizationHeader(credentials));
  });

  it("writes headers", () => {
    expect(authorizationHeader({ kind: "basic", user: "ada", password: "s3cret" })).toBe("Basic YWRhOnMzY3JldA==");
    expect(authorizationHeader({ kind: "token", token: TOKEN })).toBe(`Bearer ${TOKEN}`);
  });

  it("passes any password, of any length, there and back", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]+$/), fc.string({ unit: "grapheme" }), (user, password) => {
        const header = decodeAuthParameter(authParameter({ kind: "basic", user, password }));
        expect(decodeAuthorization(header ?? "")).toEqual({ kind: "basic", user, password });
      }),
    );
    expect(() => authParameter({ kind: "basic", user: "a", password: "x".repeat(500_000) })).not.toThrow();
  });
});

describe("reading parameters", () => {
  it.each(["QmFzaWMgWVdSaE9uTXpZM0psZEE9PQ==", "***", "A", "a b", "a+b/"])("finds %j malformed", (text) => {
    expect(decodeAuthParameter(text)).toBeUndefined();
  });

  it.each([
    [`Bearer ${TOKEN}`, { kind: "token", token: TOKEN }],
    [`bearer ${TOKEN}`, "malformed"],
    ["basic YWRhOnMzY3JldA==", { kind: "basic", user: "ada", password: "s3cret" }],
    [`Basic ${btoa(`:${TOKEN}`)}`, { kind: "token", token: TOKEN }],
    [`Basic ${btoa("a:b:c")}`, { kind: "basic", user: "a", password: "b:c" }],
    [`Basic ${btoa("no colon")}`, "malformed"],
    ["Basic YWRhOnMzY3JldA", "malformed"],
    ["Digest x", "anonymous"],
    ["", "anonymous"],
  ])("reads the header %j", (header, read) => {
    expect(decodeAuthorization(header)).toEqual(read);
  });
});

describe("credentials as typed", () => {
  it.each<[Credentials, unknown]>([
    [
      { kind: "basic", user: "", password: "x" },
      { kind: "user", problem: "empty" },
    ],
    [
      { kind: "basic", user: "a b", password: "x" },
      { kind: "user", problem: "bad-character" },
    ],
    [
      { kind: "basic", user: "a:b", password: "x" },
      { kind: "user", problem: "bad-character" },
    ],
    [
      { kind: "basic", user: "ada", password: "" },
      { kind: "password", problem: "empty" },
    ],
    [
      { kind: "token", token: "" },
      { kind: "token", problem: "empty" },
    ],
    [
      { kind: "token", token: "tk_ä" },
      { kind: "token", problem: "bad-character" },
    ],
    [
      { kind: "token", token: "tk\r\nX: y" },
      { kind: "token", problem: "bad-character" },
    ],
  ])("refuses %j", (credentials, error) => {
    expect(checkCredentials(credentials)).toEqual({ ok: false, error });
  });

  it.each<Credentials>([
    { kind: "basic", user: "ada.l+x@example.com", password: " ü:💾 " },
    { kind: "token", token: TOKEN },
    { kind: "token", token: "eyJhbGciOi.J9-_~+/x==" },
  ])("takes %j", (credentials) => {
    expect(checkCredentials(credentials)).toEqual({ ok: true, value: credentials });
  });
});
