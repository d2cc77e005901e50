// docs/protocol.md §2, 6, 11 and 13.
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sniffFile } from "../../src/server/sniff";
import { newFolder, start } from "./test-server";

describe("an attachment by address", () => {
  it.each([
    ["https://example.com/pics/flower.jpg", {}, "flower.jpg"],
    ["https://example.com/pics/%C3%BC.jpg?x=1", {}, "ü.jpg"],
    ["https://example.com/", {}, "attachment"],
    ["https://example.com/flower.jpg", { Filename: "rose.jpg" }, "rose.jpg"],
  ])("%s with %j is named %s", async (url, headers, name) => {
    const server = await start();
    const message = await server.publish("t", "", { Attach: url, ...headers });
    expect(message.attachment).toEqual({ name, url });
    expect(message.message).toBe(`You received a file: ${name}`);
    expect((await server.publish("t", "look", { Attach: url })).message).toBe("look");
  });
});

describe("an upload", () => {
  it("is a named body of any size, or a body that is too long or isn't text", async () => {
    const server = await start();
    const { nowS } = server.clock;
    const named = await server.publish("t", "file body", { Filename: "note.txt", Message: "see file" });
    expect(named.attachment).toEqual({
      ...{ name: "note.txt", type: "text/plain; charset=utf-8", size: 9, expires: nowS + 10_800 },
      url: `${server.url}/file/${named.id}.txt`,
    });
    expect(named.message).toBe("see file");
    expect((await server.publish("t", "x".repeat(4_095))).attachment).toBeUndefined();
    const long = await server.publish("t", "x".repeat(4_096));
    expect(long.attachment).toMatchObject({ name: "attachment.txt", size: 4_096 });
    expect(long.message).toBe("You received a file: attachment.txt");
    const bytes = await server.publish("t", Buffer.from([0, 255, 254, 128]));
    expect(bytes.attachment).toMatchObject({ name: "attachment.bin", type: "application/octet-stream", size: 4 });
  });

  it("of an empty body has a name, but neither size nor charset", async () => {
    const server = await start();
    const { id, attachment } = await server.publish("t", "", { Filename: "none.txt" });
    const expires = server.clock.nowS + 10_800;
    expect(attachment).toEqual({
      ...{ name: "none.txt", type: "text/plain", expires },
      url: `${server.url}/file/${id}.txt`,
    });
    for (const headers of [{}, { Range: "bytes=0-" }])
      expect(await server.ask(`/file/${id}.txt`, { headers })).toMatchObject({ status: 200, text: "" });
  });

  it("is served whole, with its name, and HTML is served as plain text without any rights", async () => {
    const server = await start();
    const html = "<html><script>alert(1)</script></html>";
    const { id, attachment } = await server.publish("t", html, { Filename: 'pa"ge.html' });
    expect(attachment?.type).toBe("text/html; charset=utf-8");
    for (const path of [`/file/${id}.html`, `/file/${id}`, `/file/${id}.x`]) {
      const answer = await server.ask(path);
      expect(answer).toMatchObject({ status: 200, text: html });
      expect(answer.headers).toMatchObject({
        ...{ "content-type": "text/plain; charset=utf-8", "access-control-allow-origin": "*" },
        ...{ "content-disposition": 'attachment; filename="pa\\"ge.html"', "content-length": String(html.length) },
        ...{ "content-security-policy": "default-src 'none'; sandbox", "x-content-type-options": "nosniff" },
      });
    }
    const head = await server.ask(`/file/${id}.html`, { method: "HEAD" });
    expect(head).toMatchObject({ status: 200, text: "" });
    expect(head.headers).toMatchObject({
      ...{
        "content-length": String(html.length),
        "content-type": "text/plain; charset=utf-8",
        "accept-ranges": "bytes",
      },
    });
  });

  it.each([
    ["bytes=2-4", 206, "cde", "bytes 2-4/10"],
    ["bytes=7-", 206, "hij", "bytes 7-9/10"],
    ["bytes=-3", 206, "hij", "bytes 7-9/10"],
    ["bytes=-30", 206, "abcdefghij", "bytes 0-9/10"],
    ["bytes=5-500", 206, "fghij", "bytes 5-9/10"],
    ["bytes=0-", 206, "abcdefghij", "bytes 0-9/10"],
    ["bytes=0-0", 206, "a", "bytes 0-0/10"],
    ["bytes=10-", 416, "", "bytes */10"],
    ["bytes=-0", 416, "", "bytes */10"],
    ["bytes=4-2", 200, "abcdefghij", undefined],
    ["bytes=0-1,4-5", 200, "abcdefghij", undefined],
    ["lines=1-2", 200, "abcdefghij", undefined],
  ])("is served in parts, so that audio and video can seek: %s", async (range, status, text, contentRange) => {
    const server = await start({ attachments: { trafficBytesPerDay: 30 } });
    const { id } = await server.publish("t", "abcdefghij", { Filename: "f.txt" });
    const answer = await server.ask(`/file/${id}`, { headers: { Range: range } });
    expect(answer).toMatchObject({ status, text });
    expect(answer.headers["content-range"]).toBe(contentRange);
    // Only what was asked for counts as traffic: 30 bytes less the upload's 10 and this part's.
    const left = await server.ask(`/file/${id}`);
    expect(left.status, "the rest of the allowance").toBe(200);
  });

  it("is sent whole, or as the part that the answer names, whatever range is asked for", async () => {
    const server = await start();
    const content = "abcdefghij";
    const { id } = await server.publish("t", content, { Filename: "f.txt" });
    const number = fc.oneof(fc.nat(12), fc.constantFrom("", "-1", "1.5", "x", "99999999999999999999"));
    const range = fc
      .tuple(number, fc.constantFrom("-", "--", "", ","), number)
      .map((parts) => `bytes=${parts.join("")}`);
    await fc.assert(
      fc.asyncProperty(range, async (range) => {
        const answer = await server.ask(`/file/${id}`, { headers: { Range: range } });
        const part = answer.headers["content-range"];
        const [, from = "", to = ""] = /^bytes (\d+)-(\d+)\/10$/.exec(part ?? "") ?? [];
        expect([
          [200, content, undefined],
          [416, "", "bytes */10"],
          [206, content.slice(Number(from), Number(to) + 1) || "nothing", part],
        ]).toContainEqual([answer.status, answer.text, part]);
      }),
    );
  });

  it("of several megabytes comes back byte by byte", async () => {
    const server = await start();
    const content = Buffer.alloc(3_000_000, "earshot ");
    const { id } = await server.publish("t", content, { Filename: Buffer.from("größer 🎉.bin").toString("latin1") });
    const answer = await server.ask(`/file/${id}`);
    expect(answer.body.equals(content)).toBe(true);
    expect(Buffer.from(answer.headers["content-disposition"] ?? "", "latin1").toString()).toContain('"größer 🎉.bin"');
  });

  it("has an address with the host that each reader used", async () => {
    const server = await start();
    const { id, attachment } = await server.publish("t", "x", { Filename: "f.txt", Host: "localhost:1234" });
    expect(attachment?.url).toBe(`http://localhost:1234/file/${id}.txt`);
    const [read] = await server.poll("t", { Host: "phone.example:8080" });
    expect(read?.attachment?.url).toBe(`http://phone.example:8080/file/${id}.txt`);
    const [made] = await server.poll("t", { Host: 'x"/><script>' });
    expect(made?.attachment?.url).toBe(`${server.url}/file/${id}.txt`);
    const fixed = await start({ baseUrl: "https://topics.example/base/" });
    const message = await fixed.publish("t", "x", { Filename: "f.txt" });
    expect(message.attachment?.url).toBe(`https://topics.example/base/file/${message.id}.txt`);
    expect((await fixed.poll("t"))[0]?.attachment?.url).toBe(message.attachment?.url);
  });

  it("is deleted after three hours, or with its message", async () => {
    const folder = await newFolder();
    const server = await start({ attachments: { folder, keep: "1h" }, cache: "2h" });
    const { id } = await server.publish("t", "x", { Filename: "f.txt" });
    expect(await readdir(folder)).toHaveLength(1);
    server.clock.advance(3_599);
    expect((await server.ask(`/file/${id}`)).status).toBe(200);
    server.clock.advance(1);
    expect(await server.code(`/file/${id}`)).toBe(40401);
    await expect.poll(() => readdir(folder)).toEqual([]);
    expect(await server.code("/file/abcdefghij12.txt")).toBe(40401);
    expect(await server.code("/file/..%2F..%2Fetc%2Fpasswd")).toBe(40401);
  });

  it("never outlives its message, whether that expires or is cancelled before it is due", async () => {
    const folder = await newFolder();
    const server = await start({ attachments: { folder, keep: "3h" }, cache: "1h" });
    const { id, attachment, expires } = await server.publish("t", "x", { Filename: "f.txt" });
    expect(attachment?.expires).toBe(expires);
    const later = await server.publish("t/s", "x", { Filename: "f.txt", Delay: "30m" });
    expect(await server.code("/t/s", { method: "DELETE" })).toBe(0);
    expect(await server.code(`/file/${later.id}`)).toBe(40401);
    server.clock.advance(3_600);
    expect(await server.code(`/file/${id}`)).toBe(40401);
    await expect.poll(() => readdir(folder)).toEqual([]);
  });

  it("is refused beyond each quota, and nothing of it is stored", async () => {
    const folder = await newFolder();
    const options = { folder, fileBytes: 6_000, visitorBytes: 10_000, totalBytes: 100_000 };
    const server = await start({ attachments: options });
    const upload = (bytes: number, headers: http.OutgoingHttpHeaders = {}) =>
      server.code("/t", { method: "PUT", body: Buffer.alloc(bytes, 1), headers });
    expect(await upload(6_001)).toBe(41301);
    expect(await upload(6_001, { "Transfer-Encoding": "chunked" })).toBe(41301);
    expect(await readdir(folder)).toEqual([]);
    expect(await upload(6_000)).toBe(0);
    expect(await upload(5_000)).toBe(41301);
    expect(await upload(4_000, { Filename: "f" })).toBe(0);
    expect(await readdir(folder)).toHaveLength(2);
    expect(await server.code("/t", { method: "PUT", body: "x", headers: { Filename: "f", Delay: "4h" } })).toBe(40015);
  });

  it("counts its downloads against the uploader's traffic", async () => {
    const server = await start({ attachments: { trafficBytesPerDay: 25_000 } });
    const { id } = await server.publish("t", Buffer.alloc(10_000, 1));
    expect((await server.ask(`/file/${id}`)).status).toBe(200);
    expect(await server.code(`/file/${id}`)).toBe(42905);
    expect((await server.ask(`/file/${id}`, { method: "HEAD" })).status).toBe(200);
    server.clock.advance(12 * 3_600 - 600);
    expect(await server.code(`/file/${id}`)).toBe(40401);
  });

  it("counts only what was sent of a download that breaks off", async () => {
    const server = await start({ attachments: { trafficBytesPerDay: 45_000_000 } });
    const { id } = await server.publish("t", Buffer.alloc(15_000_000, 1));
    for (let time = 0; time < 20; time++) {
      await new Promise<void>((resolve, reject) => {
        const path = `/file/${id}`;
        const request = http.get({ host: "127.0.0.1", port: server.server.port, path, agent: false });
        request.on("error", reject).on("response", (response) => {
          if (response.statusCode !== 200) return reject(new Error(`answered ${response.statusCode}`));
          response.once("data", () => request.destroy()).once("close", resolve);
        });
      });
    }
    expect((await server.ask(`/file/${id}`)).body).toHaveLength(15_000_000);
  });

  it("stops simultaneous downloads once the uploader's traffic is used up", async () => {
    const server = await start({ attachments: { trafficBytesPerDay: 35_000_000 } });
    const { id } = await server.publish("t", Buffer.alloc(15_000_000, 1));
    const download = () =>
      server.ask(`/file/${id}`).then(
        ({ body }) => body.length,
        () => 0,
      );
    const sizes = await Promise.all(Array.from({ length: 5 }, download));
    expect(sizes.filter((size) => size === 15_000_000).length).toBeLessThan(2);
    expect(server.reported).toEqual([]);
    expect((await server.ask("/v1/health")).status).toBe(200);
  });

  it("whose file is gone is not found", async () => {
    const folder = await newFolder();
    const server = await start({ attachments: { folder } });
    const { id } = await server.publish("t", Buffer.alloc(10_000, 1));
    await rm(join(folder, `${id}.attachment`));
    expect(await server.code(`/file/${id}`)).toBe(40401);
    expect(server.reported).toEqual([]);
  });

  it("is refused if attachments are off, and then paths below /file are like any others", async () => {
    const server = await start({ attachments: false });
    for (const question of [{ body: "x".repeat(4_096) }, { body: "x", headers: { Filename: "f" } }]) {
      expect(await server.code("/t", { method: "PUT", ...question })).toBe(40014);
    }
    expect(await server.code("/file/json")).toBe(40010);
    expect(await server.code("/file/abcdefghij12")).toBe(40401);
  });

  it("that breaks off leaves nothing behind, and the server goes on", async () => {
    const folder = await newFolder();
    const server = await start({ attachments: { folder } });
    const broken = http.request({ port: server.server.port, method: "PUT", path: "/t", agent: false });
    broken.setHeader("Content-Length", 1_000_000);
    broken.on("error", () => broken.destroy());
    broken.write(Buffer.alloc(100_000, 1));
    await expect.poll(() => readdir(folder)).toHaveLength(1);
    broken.destroy();
    await expect.poll(() => readdir(folder)).toEqual([]);
    expect(await server.texts("t")).toEqual([]);
    await server.publish("t", "next");
    expect(server.reported).toEqual([]);
  });

  it("leaves other files in the folder alone", async () => {
    const folder = await newFolder();
    await writeFile(join(folder, "mine.txt"), "x");
    await writeFile(join(folder, "abcdefghij12.attachment"), "x");
    await start({ attachments: { folder } });
    expect(await readdir(folder)).toEqual(["mine.txt"]);
  });

  it("that can't be removed doesn't keep a server from starting", async () => {
    const folder = await newFolder();
    await mkdir(join(folder, "a folder.attachment"));
    const server = await start({ attachments: { folder } });
    expect(server.reported).toHaveLength(1);
    expect((await server.publish("t", "content", { Filename: "f" })).attachment).toBeDefined();
  });
});

describe("the kind of a file", () => {
  it.each([
    ["\x89PNG\r\n\x1a\n", "image/png", ".png"],
    ["\xff\xd8\xff\xe0", "image/jpeg", ".jpg"],
    ["GIF89a", "image/gif", ".gif"],
    ["RIFF\x00\x00\x00\x00WEBP", "image/webp", ".webp"],
    ["%PDF-1.7", "application/pdf", ".pdf"],
    ["PK\x03\x04", "application/zip", ".zip"],
    ["\x00\x01", "application/octet-stream", ".bin"],
    ["", "text/plain", ".txt"],
    ["\xff\xfeh\x00", "text/plain; charset=utf-16le", ".txt"],
    ["\xfe\xff\x00h", "text/plain; charset=utf-16be", ".txt"],
    ["\xef\xbb\xbfhello", "text/plain; charset=utf-8", ".txt"],
    ["h\xe9llo", "text/plain; charset=iso-8859-1", ".txt"],
    ["<p>h\xe9llo", "text/html; charset=iso-8859-1", ".html"],
    [`${"x".repeat(3_071)}\xc3\xa9`, "text/plain; charset=utf-8", ".txt"],
    ["hello", "text/plain; charset=utf-8", ".txt"],
    [" <!DOCTYPE html>", "text/html; charset=utf-8", ".html"],
    ["<b>", "text/html; charset=utf-8", ".html"],
    ["<bold>", "text/plain; charset=utf-8", ".txt"],
    ['<?xml version="1.0"?><svg >', "image/svg+xml", ".svg"],
    ['<?xml version="1.0"?>\n<!-- a > b --> <!DOCTYPE SVG public>\n<SVG>', "image/svg+xml", ".svg"],
    ["\n<svg>", "image/svg+xml", ".svg"],
    ['<?xml version="1.0"?><a>', "text/xml; charset=utf-8", ".xml"],
    ['{"a":1}', "application/json", ".json"],
    ["{not json}", "text/plain; charset=utf-8", ".txt"],
    ["#!/usr/bin/env bash\n", "text/plain; charset=utf-8", ".txt"],
    ["a,b\n1,2\n", "text/plain; charset=utf-8", ".txt"],
  ])("%j is %s", (start, type, extension) => {
    expect(sniffFile(Buffer.from(start, "latin1"))).toEqual({ type, extension });
  });

  it("tells Android's packages by their name", () => {
    expect(sniffFile(Buffer.from("PK\x03\x04"), "App.APK").extension).toBe(".apk");
  });
});
