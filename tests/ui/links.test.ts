import { describe, expect, it } from "vitest";
import { linkHost, safeLink } from "../../src/ui/message/body/links";
import { webLink } from "../../src/contract";

describe("safeLink", () => {
  it.each([
    ["https://example.com/a?b#c", "https://example.com/a?b#c"],
    ["HTTP://Example.com", "http://example.com/"],
    ["mailto:a@example.com", "mailto:a@example.com"],
    ["tel:+4912345", "tel:+4912345"],
    ["geo:52.5,13.4", "geo:52.5,13.4"],
  ])("opens %s", (given, href) => expect(safeLink(given)).toBe(href));

  it.each([
    "javascript:alert(1)",
    " javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "java\tscript:alert(1)",
    "\u0001javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "blob:https://example.com/1",
    "file:///etc/passwd",
    "intent://x#Intent;end",
    "about:blank",
    "/relative",
    "example.com",
    "",
    `https://example.com/${"a".repeat(5000)}`,
  ])("does not open %j", (given) => expect(safeLink(given)).toBeUndefined());
});

describe("webLink", () => {
  it("takes only http and https", () => {
    expect(webLink("https://example.com/x.png")).toBe("https://example.com/x.png");
    expect(webLink("mailto:a@example.com")).toBeUndefined();
  });
});

describe("linkHost", () => {
  it("names where a link leads, not what it looks like", () => {
    expect(linkHost("https://bank.example@evil.example/")).toBe("evil.example");
    expect(linkHost("tel:1")).toBeUndefined();
  });
});
