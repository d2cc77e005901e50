import { expect, test } from "vitest";
import { isLoopback, isNearby } from "../../src/protocol";

test.each(["localhost:2586", "app.localhost", "127.0.0.1", "127.1", "[::1]:2586"])("%s is this device", (host) => {
  expect([isLoopback(`http://${host}/`), isNearby(`http://${host}/`)]).toEqual([true, true]);
});

test.each([
  "nas",
  "NAS.local",
  "door.cam.local",
  "router.home.arpa",
  "10.0.0.7",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.5:8080",
  "169.254.3.4",
  "[fd12:3456::1]",
  "[fe80::1]",
])("%s is in a private network", (host) => {
  expect([isLoopback(`https://${host}/a`), isNearby(`https://${host}/a`)]).toEqual([false, true]);
});

test.each([
  "ntfy.example.com",
  "localhost.example.com",
  "nas.local.example.com",
  "172.15.0.1",
  "172.32.0.1",
  "192.169.0.1",
  "11.0.0.1",
  "10.example.com",
  "127.0.0.1.example.com",
  "[2001:db8::1]",
  "[fe00::1]",
])("%s may be anywhere", (host) => {
  expect([isLoopback(`https://${host}/`), isNearby(`https://${host}/`)]).toEqual([false, false]);
});
