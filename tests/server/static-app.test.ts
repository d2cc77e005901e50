// docs/design.md §3: the built app on the topic server's own origin.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CONTENT_SECURITY_POLICY } from "../../src/server";
import { compressAssets } from "../../src/build";
import { start } from "./test-server";

const BIG = "// code that is long enough to be compressed\n".repeat(100);

let app: string;
beforeAll(async () => {
  app = await mkdtemp(join(tmpdir(), "earshot-test-"));
  await mkdir(join(app, "assets"));
  await mkdir(join(app, "mytopic"));
  await writeFile(join(app, "index.html"), "<!doctype html><title>Earshot</title>");
  await writeFile(join(app, "sw.js"), "// service worker");
  await writeFile(join(app, "assets", "index-abc123.js"), "// code");
  await writeFile(join(app, "assets", "big-def456.js"), BIG);
  await compressAssets(app);
  await writeFile(join(app, "config.js"), "// not the server's");
  await writeFile(join(app, "mytopic", "json"), "not a topic");
});
afterAll(() => rm(app, { recursive: true }));

it.each(["QUERY", "PROPFIND", "MKCOL", "TRACE"])(
  "%s of the app's page is not found, and is not an error of the server",
  async (method) => {
    const server = await start({ app });
    const answer = await server.ask("/", { method });
    expect([answer.status, server.reported]).toEqual([404, []]);
  },
);

describe("the app", () => {
  it.each([
    ["/", "no-cache", "text/html"],
    ["/index.html", "no-cache", "text/html"],
    ["/sw.js", "no-cache", "javascript"],
    ["/assets/index-abc123.js", "public, max-age=31536000, immutable", "javascript"],
  ])("is served at %s under the policy, cached as %s", async (path, cache, type) => {
    const server = await start({ app });
    const answer = await server.ask(path);
    expect(answer.status).toBe(200);
    expect(answer.headers["content-security-policy"]).toBe(CONTENT_SECURITY_POLICY);
    expect(answer.headers["cache-control"]).toBe(cache);
    expect(answer.headers["content-type"]).toContain(type);
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    const etag = String(answer.headers["etag"]);
    expect((await server.ask(path, { headers: { "If-None-Match": etag } })).status).toBe(304);
  });

  it("is sent compressed to clients that accept it, each encoding with its own ETag", async () => {
    const server = await start({ app });
    const ask = async (accepted?: string) => {
      const answer = await server.ask("/assets/big-def456.js", {
        headers: accepted === undefined ? {} : { "Accept-Encoding": accepted },
      });
      expect(answer.status).toBe(200);
      expect(answer.headers["content-type"]).toContain("javascript");
      expect(answer.headers["cache-control"]).toContain("immutable");
      expect(answer.headers["vary"]).toBe("Accept-Encoding");
      return { encoding: answer.headers["content-encoding"], bytes: answer.body, etag: String(answer.headers["etag"]) };
    };
    const [plain, gz, br] = [await ask(), await ask("gzip, deflate"), await ask("gzip, deflate, br, zstd")];
    expect(plain).toMatchObject({ encoding: undefined, bytes: Buffer.from(BIG) });
    expect(gz.encoding).toBe("gzip");
    expect(gunzipSync(gz.bytes).toString()).toBe(BIG);
    expect(br.encoding).toBe("br");
    expect(brotliDecompressSync(br.bytes).toString()).toBe(BIG);
    expect(new Set([plain.etag, gz.etag, br.etag]).size).toBe(3);

    const again = await server.ask("/assets/big-def456.js", {
      headers: { "Accept-Encoding": "br", "If-None-Match": br.etag },
    });
    expect(again.status).toBe(304);
    const head = await server.ask("/assets/big-def456.js", { method: "HEAD", headers: { "Accept-Encoding": "br" } });
    expect(head.headers["content-encoding"]).toBe("br");
    expect(head.headers["content-length"]).toBe(String(br.bytes.length));
    expect((await server.ask("/assets/big-def456.js.br")).headers["content-encoding"]).toBeUndefined();
    expect((await server.ask("/assets/big-def456.js.br")).status).toBe(404);
  });

  it("sends its page compressed, as it is on the disk now", async () => {
    const folder = await mkdtemp(join(tmpdir(), "earshot-test-"));
    await writeFile(join(folder, "index.html"), "");
    const server = await start({ app: folder });
    for (const text of ["<!doctype html><title>before</title>", "<!doctype html><title>edited by the host</title>"]) {
      await writeFile(join(folder, "index.html"), text);
      for (const path of ["/", "/index.html"]) {
        const br = await server.ask(path, { headers: { "Accept-Encoding": "gzip, br" } });
        expect(br.headers).toMatchObject({
          "content-encoding": "br",
          vary: "Accept-Encoding",
          "cache-control": "no-cache",
        });
        expect(br.headers["content-security-policy"]).toBe(CONTENT_SECURITY_POLICY);
        expect(br.headers["content-type"]).toContain("text/html");
        expect(brotliDecompressSync(br.body).toString()).toBe(text);
        const gz = await server.ask(path, { headers: { "Accept-Encoding": "gzip, deflate" } });
        expect(gunzipSync(gz.body).toString()).toBe(text);
        const plain = await server.ask(path, { headers: { "Accept-Encoding": "identity" } });
        expect(plain.headers["content-encoding"]).toBeUndefined();
        expect(plain.body.toString()).toBe(text);
        const etag = String(br.headers["etag"]);
        const again = await server.ask(path, { headers: { "Accept-Encoding": "br", "If-None-Match": etag } });
        expect(again.status).toBe(304);
      }
    }
    await rm(folder, { recursive: true });
  });

  it.each([
    ["/mytopic", "./#/mytopic"],
    ["/a-topic?priority=high&auth=c2VjcmV0", "./#/a-topic?priority=high"],
    ["/settings", "./#/~settings"],
    ["/account", "./"],
    ["/other.example:8443/topic", "../#/other.example:8443/topic"],
    ["/b%C3%BCcher.example/topic", "../#/b%C3%BCcher.example/topic"],
    ["/a%0D%0AX-Y:z.b%3Fc%23/topic", "../#/a%0D%0AX-Y:z.b%3Fc%23/topic"],
  ])("leads %s to %s", async (path, location) => {
    const server = await start({ app });
    const answer = await server.ask(path, { headers: { Accept: "text/html" } });
    expect(answer.status).toBe(302);
    expect(answer.headers.location).toBe(location);
    expect(server.reported).toEqual([]);
  });

  it("hides no path of the protocol", async () => {
    const server = await start({ app });
    await server.publish("assets", "hello");
    await server.publish("mytopic", "there");
    expect(await server.texts("assets")).toEqual(["hello"]);
    expect(await server.texts("mytopic")).toEqual(["there"]);
    expect((await server.ask("/mytopic?up=1")).text).toBe('{"unifiedpush":{"version":1}}\n');
    expect((await server.ask("/config.js")).text).toMatch(/^var config = /);
    expect((await server.ask("/", { method: "HEAD" })).headers["content-type"]).toBeUndefined();
    expect((await server.ask("/", { method: "POST", body: '{"topic":"t"}' })).status).toBe(200);
    expect((await server.ask("/%2e%2e/package.json")).status).toBe(404);
  });

  it("is answered with 404 if there is no build", async () => {
    const server = await start({ app: join(app, "nowhere") });
    expect(await server.code("/")).toBe(40401);
    expect(await server.code("/mytopic")).toBe(40401);
    expect((await server.ask("/", { method: "HEAD" })).status).toBe(200);
  });
});
