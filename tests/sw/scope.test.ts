import { describe, expect, it } from "vitest";
import { isAppNavigation } from "../../src/sw/scope";

const at = (href: string, scope: string) => isAppNavigation(new URL(href), scope);

describe("isAppNavigation", () => {
  it.each([
    ["the root of the origin", "https://a.example/", "https://a.example/"],
    ["the root of a path", "https://a.example/ear/", "https://a.example/ear/"],
    ["with a fragment", "https://a.example/#/backups?priority=high", "https://a.example/"],
    ["with a query, as a share brings it", "https://a.example/?text=x&url=y#/~share", "https://a.example/"],
    ["index.html by name", "https://a.example/ear/index.html", "https://a.example/ear/"],
  ])("answers %s", (_, href, scope) => {
    expect(at(href, scope)).toBe(true);
  });

  it.each([
    ["a topic", "https://a.example/backups"],
    ["a topic named like a page", "https://a.example/index"],
    ["a stream", "https://a.example/backups/json"],
    ["a poll", "https://a.example/backups/json?poll=1"],
    ["an attachment", "https://a.example/file/AbCdEf123456.png"],
    ["a page below", "https://a.example/docs/"],
    ["a folder's index", "https://a.example/docs/index.html"],
    ["another origin", "https://b.example/"],
    ["another port", "https://a.example:8443/"],
  ])("leaves %s to the network", (_, href) => {
    expect(at(href, "https://a.example/")).toBe(false);
  });

  it("leaves addresses above its scope to the network", () => {
    expect(at("https://a.example/", "https://a.example/ear/")).toBe(false);
  });
});
