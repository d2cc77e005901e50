import { expect, test } from "vitest";
import { parseServerAddress } from "../../src/protocol";
import { plainAddress } from "../../src/ui/topics/server/check-server";

function plainOf(text: string): string | undefined {
  const address = parseServerAddress(text);
  if (!address.ok) throw new Error(`${text} is no address`);
  return plainAddress(address.value);
}

test.each([
  "nas",
  "nas:8080",
  "nas.local",
  "door.cam.local/ntfy",
  "router.home.arpa",
  "localhost:2586",
  "app.localhost",
  "10.0.0.7",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.5:8080",
  "169.254.3.4",
  "127.0.0.1",
  "127.1",
  "[::1]:2586",
  "[fd12:3456::1]",
  "[fe80::1]",
])("%s may be reached by http", (text) => {
  expect(plainOf(text)).toMatch(/^http:\/\//);
});

test.each([
  "ntfy.example.com",
  "nas.local.example.com",
  "local.example",
  "172.15.0.1",
  "172.32.0.1",
  "192.169.0.1",
  "11.0.0.1",
  "10.example.com",
  "127.0.0.1.example.com",
  "[2001:db8::1]",
  "[fe00::1]",
  "http://nas.local",
])("%s is left as it is", (text) => {
  expect(plainOf(text)).toBeUndefined();
});
