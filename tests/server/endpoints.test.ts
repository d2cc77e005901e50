// docs/protocol.md §1, 2, 10 and 12.
import { describe, expect, it } from "vitest";
import { start } from "./test-server";

describe("topics in a path", () => {
  it.each([
    ["/a,/json", "a trailing comma"],
    ["/,a/json", "a leading comma"],
    ["/a,,b/json", "an empty entry"],
    ["/a/json/", "a trailing slash"],
    ["/a, b/json".replace(" ", "%20"), "a blank"],
    ["/%C3%BC/json", "another letter"],
    [`/${"x".repeat(65)}/json`, "65 characters"],
    ["/a.b/json/x", "a path that is too long"],
    ["/%zz/json", "a damaged escape"],
    ["/%ff/json", "bytes that are no UTF-8"],
    ["//json", "no name at all"],
    ["/a/nothing", "an unknown word"],
    ["/v1/nothing", "an unknown call"],
  ])("answers 404 to %s: %s", async (path) => {
    const server = await start();
    const answer = await server.ask(`${path}?poll=1`);
    expect(answer.status).toBe(404);
    expect(answer.headers["content-type"]).toBe("application/json");
    expect(answer.headers["access-control-allow-origin"]).toBe("*");
    expect(JSON.parse(answer.text)).toMatchObject({ code: 40401, http: 404 });
    expect(answer.text.endsWith("\n")).toBe(true);
  });

  it.each(["/docs/json", "/static/x/y.js"])(
    "says in plain text that %s, like the reference's pages, isn't there",
    async (path) => {
      const server = await start();
      const answer = await server.ask(path);
      expect(answer).toMatchObject({ status: 404, text: "404 page not found\n" });
      expect(answer.headers).toMatchObject({ "content-type": "text/plain; charset=utf-8" });
    },
  );

  it("takes names of 64 characters, escaped or not, and distinguishes case", async () => {
    const server = await start();
    await server.publish("Topic", "upper");
    expect(await server.texts("%54opic")).toEqual(["upper"]);
    expect(await server.texts("topic")).toEqual([]);
    expect((await server.ask(`/${"x".repeat(64)}/json?poll=1`)).status).toBe(200);
  });

  it("refuses reserved names, and those that the operator reserved, to readers and publishers", async () => {
    const server = await start({ reservedTopics: ["house"], attachments: false });
    for (const name of ["app", "metrics", "account", "settings", "signup", "login", "v1", "file", "house"]) {
      expect(await server.code(`/${name}/json?poll=1`), name).toBe(40010);
      expect(await server.code(`/a,${name}/json?poll=1`), name).toBe(40010);
      expect(await server.code(`/${name}`, { method: "PUT", body: "x" }), name).toBe(40010);
    }
    expect(await server.code("/Docs/json?poll=1")).toBe(0);
  });

  it("has nothing below a reserved name, whatever the method", async () => {
    const server = await start({ reservedTopics: ["house"] });
    for (const method of ["POST", "PUT", "DELETE"]) {
      for (const path of ["/file/abcdefghijkl", "/app/x", "/v1/x", "/house/x"]) {
        expect(await server.code(path, { method }), `${method} ${path}`).toBe(40401);
      }
    }
    expect(await server.code("/file/x/clear", { method: "PUT" })).toBe(40401);
  });

  it("asks for a WebSocket before it checks names, if everybody may read", async () => {
    const server = await start();
    expect(await server.code("/a,app/ws")).toBe(40016);
    expect(await server.code("/a.b/ws")).toBe(40401);
  });

  it("accepts very long lists of topics", async () => {
    const server = await start();
    const list = Array.from({ length: 600 }, (_, at) => `topic-number-${at}`);
    await server.publish("topic-number-599", "last");
    expect(await server.texts(list.join(","))).toEqual(["last"]);
  });
});

describe("methods", () => {
  it.each([
    ["PATCH", "/a"],
    ["DELETE", "/a"],
    ["HEAD", "/a/json"],
    ["HEAD", "/a"],
    ["PUT", "/a,b"],
    ["PUT", "/v1/health"],
    ["POST", "/v1/webpush"],
    ["DELETE", "/"],
    ["PROPFIND", "/a/json"],
  ])("answers 404, never 405, to %s %s", async (method, path) => {
    const server = await start();
    const answer = await server.ask(path, { method });
    expect(answer.status).toBe(404);
    expect(answer.headers["content-type"]).toBe("application/json");
  });

  it("answers HEAD / with nothing at all", async () => {
    const server = await start();
    const answer = await server.ask("/", { method: "HEAD" });
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBeUndefined();
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
  });

  it.each(["/", "/a/json", "/v1/account", "/nothing/at/all"])("answers OPTIONS %s for CORS", async (path) => {
    const server = await start();
    const answer = await server.ask(path, { method: "OPTIONS", headers: { Origin: "https://app.example" } });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe("");
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, PUT, POST, PATCH, DELETE",
      "access-control-allow-headers": "*",
      "content-length": "0",
    });
    expect(answer.headers["access-control-max-age"]).toBeUndefined();
  });

  it("lets the operator name another origin", async () => {
    const server = await start({ allowOrigin: "https://app.example" });
    const answer = await server.ask("/v1/health");
    expect(answer.headers["access-control-allow-origin"]).toBe("https://app.example");
  });
});

describe("the server's own paths", () => {
  it("report health and counts", async () => {
    const server = await start();
    expect((await server.ask("/v1/health")).text).toBe('{"healthy":true}\n');
    await server.publish("a", "one");
    await server.publish("a", "two", { Cache: "no" });
    expect(JSON.parse((await server.ask("/v1/stats")).text)).toEqual({ messages: 2, messages_rate: 0 });
    server.clock.advance(60);
    expect(JSON.parse((await server.ask("/v1/stats")).text)).toEqual({ messages: 2, messages_rate: 2 / 60 });
  });

  it("describe the server to its app, as a script and as JSON", async () => {
    const server = await start();
    const script = await server.ask("/config.js");
    expect(script.headers["content-type"]).toBe("text/javascript");
    expect(script.headers["cache-control"]).toBe("no-cache");
    expect(script.headers["access-control-allow-origin"]).toBeUndefined();
    const [, json = ""] = /^var config = (.*);\n$/s.exec(script.text) ?? [];
    const config = await server.ask("/v1/config");
    expect(JSON.parse(json)).toEqual(JSON.parse(config.text));
    expect(JSON.parse(json)).toMatchObject({
      ...{ base_url: "", enable_login: false, require_login: false, web_push_public_key: "" },
    });
    expect(config.headers).toMatchObject({ "cache-control": "no-cache", "access-control-allow-origin": "*" });
  });

  it("have a hash of the app's settings that changes with them", async () => {
    const hashOf = async (options?: Parameters<typeof start>[0]) => {
      const server = await start(options);
      return (JSON.parse((await server.ask("/v1/config")).text) as { config_hash: string }).config_hash;
    };
    const hash = await hashOf();
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await hashOf()).toBe(hash);
    expect(await hashOf({ reservedTopics: ["mine"] })).not.toBe(hash);
  });

  it("answer the discovery of UnifiedPush", async () => {
    const server = await start();
    expect((await server.ask("/upabcdefghijkl?up=1")).text).toBe('{"unifiedpush":{"version":1}}\n');
    expect((await server.ask("/upabcdefghijkl?up=0")).status).toBe(404);
  });

  it("tell anybody that a topic may be read if there is no access control", async () => {
    const server = await start();
    const headers = { Authorization: "Basic bm9ib2R5Om5vYm9keQ==" };
    expect((await server.ask("/a,b/auth", { headers })).text).toBe('{"success":true}\n');
    expect((await server.ask("/a,/auth")).status).toBe(404);
  });
});

describe("every answer", () => {
  it.each([
    ["GET", "/v1/health", {}],
    ["GET", "/v1/stats", {}],
    ["GET", "/v1/config", {}],
    ["GET", "/v1/account", {}],
    ["POST", "/v1/account/token", {}],
    ["GET", "/config.js", {}],
    ["HEAD", "/", {}],
    ["OPTIONS", "/t", {}],
    ["PUT", "/t", {}],
    ["POST", "/", {}],
    ["PUT", "/app", {}],
    ["DELETE", "/t/s", {}],
    ["GET", "/t/publish", {}],
    ["GET", "/t/auth", {}],
    ["GET", "/t?up=1", {}],
    ["GET", "/t", {}],
    ["GET", "/t/ws", {}],
    ["GET", "/t/json?poll=1", {}],
    ["GET", "/t/sse?poll=1", {}],
    ["GET", "/t/raw?poll=1", {}],
    ["GET", "/t/json?poll=1&since=bad", {}],
    ["GET", "/%zz/json", {}],
    ["GET", "/nothing/at/all", {}],
    ["PROPFIND", "/t", {}],
    ["GET", "/file/abcdefghij12", {}],
    ["GET", "/v1/health", { Expect: "wonders" }],
  ])("%s %s is what it says it is, with %j", async (method, path, headers) => {
    const server = await start();
    const answer = await server.ask(path, { method, headers });
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    expect(answer.headers["content-type"] ?? "none").toMatch(
      /^(none|application\/|text\/(plain|javascript|event-stream))/,
    );
  });

  it("forbids guessing its content type on a stream too", async () => {
    const server = await start();
    for (const format of ["json", "sse", "raw"]) {
      const stream = await server.open(`/t/${format}`);
      expect(stream.headers["x-content-type-options"]).toBe("nosniff");
      stream.close();
    }
  });
});
