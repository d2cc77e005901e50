import fc from "fast-check";
import { expect, test } from "vitest";
import { readActionRequest } from "../../src/contract";
import type { HttpAction } from "../../src/protocol";

const action = (part: Partial<HttpAction>): HttpAction => ({
  ...{ id: "a", action: "http", label: "Go", url: "https://home.example/door" },
  ...part,
});

test("user and password of the address become Basic authorization, and leave the address", () => {
  const request = readActionRequest(action({ url: "http://ad%C3%A4:p%3Aw%25@home.example/x?y#z" }));
  expect(request).toEqual({
    ok: true,
    value: {
      url: "http://home.example/x?y#z",
      method: "POST",
      headers: { Authorization: `Basic ${Buffer.from("adä:p:w%").toString("base64")}` },
    },
  });
  const own = readActionRequest(action({ url: "http://a:b@home.example/", headers: { authorization: "Bearer x" } }));
  expect(own).toMatchObject({
    ok: true,
    value: { url: "http://home.example/", headers: { authorization: "Bearer x" } },
  });
});

test.each([
  ["an address of another kind", { url: "ftp://home.example/" }, { kind: "address" }],
  ["TRACE", { method: "trace" }, { kind: "method", method: "TRACE" }],
  ["CONNECT", { method: "CONNECT" }, { kind: "method", method: "CONNECT" }],
  ["a method that is none", { method: "GET /" }, { kind: "method", method: "GET /" }],
  ["a text with GET", { method: "get", body: "a" }, { kind: "body", method: "GET" }],
  ["a port of another protocol", { url: "http://nas:6667/" }, { kind: "port", port: "6667" }],
  ["a value beyond Latin-1", { headers: { "X-Room": "日本" } }, { kind: "header", name: "X-Room" }],
  ["a value of several lines", { headers: { "X-Room": "a\nb" } }, { kind: "header", name: "X-Room" }],
  ["Cookie", { headers: { Cookie: "a=b" } }, { kind: "header", name: "Cookie" }],
  ["Host", { headers: { host: "other" } }, { kind: "header", name: "host" }],
  ["Sec-", { headers: { "Sec-Fetch-Site": "none" } }, { kind: "header", name: "Sec-Fetch-Site" }],
  ["Proxy-", { headers: { "Proxy-Authorization": "x" } }, { kind: "header", name: "Proxy-Authorization" }],
  ["a name that is none", { headers: { "a b": "c" } }, { kind: "header", name: "a b" }],
])("what a browser can't send is named: %s", (_, part, error) => {
  expect(readActionRequest(action(part))).toEqual({ ok: false, error });
});

test("a port that is refused is one that fetch refuses", async () => {
  const ports = Array.from({ length: 65_535 }, (_, at) => String(at + 1)).filter((port) => {
    const request = readActionRequest(action({ url: `http://127.0.0.1:${port}/` }));
    return !request.ok && request.error.kind === "port";
  });
  expect(ports.length).toBeGreaterThan(80);
  const whys = ports.map((port) => fetch(`http://127.0.0.1:${port}/`).catch((error: unknown) => error));
  for (const why of await Promise.all(whys)) expect(why).toMatchObject({ cause: { message: "bad port" } });
});

test("whatever is read can be sent as a request", () => {
  const part = fc.record(
    {
      url: fc.oneof(fc.webUrl(), fc.string()),
      method: fc.oneof(fc.constantFrom("get", "PUT", "patch", "HEAD", "query"), fc.string()),
      headers: fc.dictionary(
        // Node loses a header of the other name.
        fc.oneof(
          fc.constantFrom("Accept", "X-A", "date"),
          fc.string().filter((name) => name !== "__proto__"),
        ),
        fc.string({ unit: "binary" }),
      ),
      body: fc.string(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(part, (given) => {
      const request = readActionRequest(action(given));
      if (!request.ok) return;
      const { url, ...init } = request.value;
      const made = new Request(url, init);
      for (const [name, value] of Object.entries(init.headers)) {
        expect(made.headers.get(name)).toContain(value.trim());
      }
    }),
  );
});
