import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readAccount, readToken } from "../../src/protocol";

describe("reading an account", () => {
  test("nobody is signed in, and how long messages are kept", () => {
    const answer = { username: "*", role: "anonymous", limits: { messages_expiry_duration: 43_200 } };
    expect(readAccount(answer)).toEqual({ keepsS: 43_200, topics: [], reserved: [], tokens: [] });
  });

  test("who is signed in, with topics and tokens", () => {
    const answer = {
      username: "ada",
      sync_topic: "st_abc",
      subscriptions: [
        { base_url: "https://a.example.com", topic: "one", display_name: "One" },
        { base_url: "", topic: "two", display_name: null },
        { base_url: 7 },
        "three",
      ],
      reservations: [{ topic: "mine", everyone: "deny-all" }, { topic: 7 }, "other"],
      tokens: [{ token: "tk_1", expires: 17 }, { token: "tk_2" }, { token: "bad token" }],
    };
    expect(readAccount(answer)).toEqual({
      user: "ada",
      topics: [{ topic: "one", baseUrl: "https://a.example.com", displayName: "One" }, { topic: "two" }],
      reserved: ["mine"],
      tokens: [
        { token: "tk_1", expires: 17 },
        { token: "tk_2", expires: 0 },
      ],
    });
  });

  test("a time beyond the year 9999 is invalid", () => {
    const limits = { messages_expiry_duration: 253_402_300_800 };
    expect(readAccount({ username: "*", limits })).not.toHaveProperty("keepsS");
    expect(readToken({ token: "tk_1", expires: 2 ** 53 })).toEqual({ token: "tk_1", expires: 0 });
  });

  test("anything else is ignored, and never throws", () => {
    expect(readAccount(undefined)).toBeUndefined();
    expect(readAccount({ user: "ada" })).toBeUndefined();
    expect(readToken({ token: "a\nb" })).toBeUndefined();
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        readAccount(value);
        readToken(value);
        readAccount({ username: "ada", limits: value, subscriptions: value, reservations: value, tokens: [value] });
      }),
    );
  });
});
