import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fetchMedia, MAX_FILE_BYTES } from "../../src/client/fetch-media";

let server: Server;
let asked: IncomingMessage[];
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const at = (path: string) => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}${path}`;

test("a file gets the type that it is shown as, and never one that could run", async () => {
  const types = {
    "image/png": "image/png",
    "audio/wav": "audio/wav",
    "image/svg+xml": "application/octet-stream",
    "image/png;x, text/html": "image/png",
    "image/png, text/html": "application/octet-stream",
    "image/x+xml": "application/octet-stream",
    "text/html": "application/octet-stream",
    "text/javascript": "application/octet-stream",
  };
  for (const [type, shownAs] of Object.entries(types)) {
    answer = (_, response) => response.writeHead(200, { "Content-Type": type }).end("bytes");
    const blob = await fetchMedia(at("/file/a"));
    expect([blob?.type, await blob?.text()]).toEqual([shownAs, "bytes"]);
  }
  expect(asked.every(({ headers }) => !headers.cookie && !headers.authorization && !headers.referer)).toBe(true);
});

test("a redirect is not followed", async () => {
  answer = ({ url }, response) => {
    if (url === "/file/a") response.writeHead(302, { Location: "/b/publish?message=forged" }).end();
    else response.end("forged");
  };
  expect(await fetchMedia(at("/file/a"))).toBeUndefined();
  expect(asked.map(({ url }) => url)).toEqual(["/file/a"]);
});

test("a file that is larger than declared, or missing, is not loaded", async () => {
  let sent = 0;
  answer = (_, response) => {
    const more = (): void => {
      if (response.destroyed) return;
      sent += 1_000_000;
      response.write(Buffer.alloc(1_000_000), more);
    };
    response.writeHead(200, { "Content-Type": "image/png" });
    more();
  };
  expect(await fetchMedia(at("/file/endless.png"))).toBeUndefined();
  expect(sent).toBeGreaterThan(MAX_FILE_BYTES);
  answer = (_, response) => response.writeHead(404).end("no");
  expect(await fetchMedia(at("/file/lost.png"))).toBeUndefined();
  answer = (_, response) => response.destroy();
  expect(await fetchMedia(at("/file/broken.png"))).toBeUndefined();
});
