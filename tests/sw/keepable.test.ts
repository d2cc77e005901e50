import { describe, expect, it } from "vitest";
import { isKeepable } from "../../src/sw/keepable";

describe("isKeepable", () => {
  it.each([
    ["/assets/app-x.js", "text/javascript; charset=utf-8"],
    ["/assets/app-x.js", "application/javascript"],
    ["/ear/assets/app-x.js", "application/x-javascript"],
    ["/assets/app-x.css", "text/css"],
    ["/index.html", "text/html; charset=utf-8"],
    ["/manifest.webmanifest", "application/octet-stream"],
    ["/icon.svg", null],
  ])("takes %s as %s", (path, type) => {
    expect(isKeepable(path, 200, type)).toBe(true);
  });

  it.each([
    ["/assets/app-x.js", 200, "text/html"],
    ["/assets/app-x.js", 200, "text/plain"],
    ["/assets/app-x.js", 200, null],
    ["/assets/app-x.css", 200, "text/html"],
    ["/index.html", 200, "application/json"],
    ["/assets/app-x.js", 404, "text/javascript"],
    ["/icon.svg", 503, "image/svg+xml"],
    ["/icon.svg", 206, "image/svg+xml"],
  ])("refuses %s with status %i as %s", (path, status, type) => {
    expect(isKeepable(path, status, type)).toBe(false);
  });
});
