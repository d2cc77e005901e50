import { describe, expect, it } from "vitest";
import { classifyAnswer, parseErrorBody } from "../../src/protocol";

const JSON_TYPE = "application/json";
const body = (code: number | undefined, http: number) =>
  JSON.stringify({ code, http, error: "words", link: "https://x" });

describe("the body of an error", () => {
  it("is read with its code or without", () => {
    expect(parseErrorBody(`${body(40301, 403)}\n`)).toEqual({ code: 40301, http: 403, error: "words" });
    expect(parseErrorBody(body(undefined, 500))).toEqual({ http: 500, error: "words" });
  });

  it.each(["", "<html>", "null", "[]", '{"code":40301}', '{"error":"x"}', '{"http":"403","error":"x"}'])(
    "is none: %j",
    (text) => {
      expect(parseErrorBody(text)).toBeUndefined();
    },
  );

  it("is kept short", () => {
    expect(parseErrorBody(JSON.stringify({ http: 500, error: "x".repeat(9_999) }))?.error).toHaveLength(200);
  });
});

describe("classifying answers", () => {
  it.each([
    [401, 40101, { kind: "unauthorized", code: 40101 }],
    [403, 40301, { kind: "forbidden", code: 40301, topics: [] }],
    [404, 40401, { kind: "no-topic-server" }],
    [429, 42901, { kind: "busy", code: 42901 }],
    [429, 42903, { kind: "busy", code: 42903 }],
    [429, 42909, { kind: "busy", code: 42909 }],
    [400, 40008, { kind: "http", status: 400, code: 40008, text: "words" }],
    [500, 50001, { kind: "http", status: 500, code: 50001, text: "words" }],
  ])("%d with code %d", (status, code, failure) => {
    expect(classifyAnswer(status, JSON_TYPE, body(code, status))).toEqual(failure);
  });

  it("is decided by the code, not by the status", () => {
    expect(classifyAnswer(502, JSON_TYPE, body(40301, 403)).kind).toBe("forbidden");
  });

  it.each([401, 403, 404, 429, 502])("is an outage when a proxy answers %d with a page", (status) => {
    expect(classifyAnswer(status, "text/html; charset=utf-8", "<html>")).toEqual({ kind: "http", status });
    expect(classifyAnswer(status, null, "")).toEqual({ kind: "http", status });
    expect(classifyAnswer(status, "text/html", body(40301, 403))).toEqual({ kind: "http", status });
  });

  it.each([401, 403, 404])("is an outage when JSON with %d has no code", (status) => {
    expect(classifyAnswer(status, JSON_TYPE, body(undefined, status))).toEqual({ kind: "http", status, text: "words" });
    expect(classifyAnswer(status, JSON_TYPE, '{"message":"Forbidden"}')).toEqual({ kind: "http", status });
  });

  it("is malformed when a 200 holds a page, as from the sign-in of a guest network", () => {
    expect(classifyAnswer(200, "text/html", "<html>")).toEqual({ kind: "malformed", text: "text/html" });
  });
});
