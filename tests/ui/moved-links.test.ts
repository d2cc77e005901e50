import { describe, expect, test } from "vitest";
import type { ServerAddress } from "../../src/protocol";
import { leadOn, presentAddress } from "../../src/ui/topics/server/move-server.svelte";

const at = (text: string) => text as ServerAddress;
const HOME = at("https://home.example.com");
const SERVERS = [
  { address: at("https://new.example.com"), formerAddresses: [at("https://old.example.com"), at("http://10.0.0.2")] },
  { address: HOME },
];

describe("a link with a server's former address", () => {
  test.each([
    ["#/old.example.com/a,b", "#/new.example.com/a,b"],
    ["#/old.example.com/a?priority=5&q=x", "#/new.example.com/a?priority=urgent&q=x"],
    ["#/old.example.com/a?id=abc&at=17", "#/new.example.com/a?id=abc&at=17"],
    ["#/http:10.0.0.2/a", "#/new.example.com/a"],
    ["#/~server/old.example.com", "#/~server/new.example.com"],
    ["#/~raw/old.example.com/a", "#/~raw/new.example.com/a"],
    ["#/~several/old.example.com/a+b", "#/~several/new.example.com/a%2Bb"],
    ["#/~columns/old.example.com/a;b", "#/~columns/new.example.com/a%3Bb"],
    ["#/~wall/old.example.com/a", "#/~wall/new.example.com/a"],
  ])("%s leads to %s", (from, to) => {
    expect(leadOn(from, HOME, SERVERS)).toBe(to);
  });

  test.each([
    "#/",
    "#/a",
    "#/new.example.com/a",
    "#/else.example.com/a",
    "#/~settings",
    "#/~view/name",
    "#/not a link",
    "#/old.example.com/a?auth=x",
  ])("%s stays", (link) => {
    expect(leadOn(link, HOME, SERVERS)).toBeUndefined();
  });

  test("an address that a server has now is that server's, though another one had it", () => {
    const servers = [...SERVERS, { address: at("https://old.example.com") }];
    expect(leadOn("#/old.example.com/a", HOME, servers)).toBeUndefined();
    expect(presentAddress(at("https://old.example.com"), servers)).toBe("https://old.example.com");
  });

  test("a link without a host leads on from the app's own server, which has moved", () => {
    const servers = [{ address: at("https://new.example.com"), formerAddresses: [HOME] }];
    expect(leadOn("#/a", HOME, servers)).toBe("#/new.example.com/a");
  });
});
