import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { probe } from "../../src/client/probe";

let server: Server;
let answer: [status: number, body: string];

beforeEach(async () => {
  server = createServer((_, response) => response.writeHead(answer[0]).end(answer[1]));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test.each([
  [200, '{"healthy":true}', "topic-server"],
  [503, '{"healthy":false}', "topic-server"],
  [503, "<html>", "not-a-topic-server"],
  [200, "[]", "not-a-topic-server"],
  [404, '{"code":40401,"http":404,"error":"page not found"}', "not-a-topic-server"],
] as const)("what answers %i and %s at its health is a %s", async (status, body, what) => {
  answer = [status, body];
  const { port } = server.address() as AddressInfo;
  expect(await probe(`http://127.0.0.1:${String(port)}`)).toBe(what);
});
