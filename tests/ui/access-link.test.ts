import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseLink, type AppLink } from "../../src/contract";
import type { Credentials, ServerAddress } from "../../src/protocol";
import { ACCESS, accessLink, accessOf, packed } from "../../src/ui/topics/link/access-link";

const view: AppLink = {
  scope: { kind: "topics", address: "http://box:8080" as ServerAddress, topics: ["disk"] },
  filter: { terms: [{ not: false, kind: "priority", values: [5] }] },
};
const token: Credentials = { kind: "token", token: "tk_abcdefghijklmnopqrstuvwxyz123" };
const password: Credentials = { kind: "basic", user: "ada", password: "pass: w\u00f6rd \ud83d\udd11" };

/** What a link holds behind `#/~open/access:`. */
function payloadOf(link: string): string {
  const read = parseLink(new URL(link).hash, undefined);
  const rest = (read.ok && read.value.scope.kind === "own" && read.value.scope.rest) || "";
  expect(rest.startsWith(ACCESS)).toBe(true);
  return rest.slice(ACCESS.length);
}

describe("a link with a sign-in", () => {
  it.each([token, password])("returns what was put in: %j", async (credentials) => {
    const link = await accessLink(view, "Disk space", credentials, "https://app.example/x/#/y");
    expect(link).toMatch(/^https:\/\/app\.example\/x\/#\/~open\/access:[\w-]+$/);
    expect(link.length, "it fits into a QR code that a phone reads").toBeLessThan(500);
    expect(await accessOf(payloadOf(link))).toEqual({
      ...{ address: "http://box:8080", topics: ["disk"], displayName: "Disk space", filter: view.filter },
      credentials,
    });
    const unnamed = await accessOf(payloadOf(await accessLink(view, undefined, credentials, "https://app.example/")));
    expect(unnamed).not.toHaveProperty("displayName");
  });

  it("is refused whole if any letter of it was changed", async () => {
    const payload = payloadOf(await accessLink(view, "Disk", password, "https://app.example/"));
    const before = JSON.stringify(await accessOf(payload));
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    await fc.assert(
      fc.asyncProperty(fc.nat(payload.length - 1), fc.constantFrom(...letters), async (at, letter) => {
        const read = await accessOf(payload.slice(0, at) + letter + payload.slice(at + 1));
        // A few bits of the head of gzip say nothing, and those behind the last byte neither.
        if (read) expect(JSON.stringify(read)).toBe(before);
      }),
      { numRuns: 300 },
    );
    for (const cut of [0, 1, 10, payload.length - 5]) expect(await accessOf(payload.slice(0, cut))).toBeUndefined();
  });

  it.each([
    "",
    "not json",
    "[]",
    "null",
    { link: "#/box/disk" },
    { credentials: token },
    { link: "https://box/disk", credentials: token },
    { link: "#/~settings", credentials: token },
    { link: "#/box/my%20disk", credentials: token },
    { link: "#/box/disk?evil=1", credentials: token },
    { link: "#/box/disk", credentials: { kind: "token", token: "a b" } },
    { link: "#/box/disk", credentials: { kind: "token", token: "" } },
    { link: "#/box/disk", credentials: { kind: "basic", user: "ada" } },
    { link: "#/box/disk", credentials: { kind: "basic", user: "a:da", password: "x" } },
    { link: "#/box/disk", credentials: { kind: "other" } },
    { link: 7, credentials: token },
  ])("that holds %j is refused", async (value) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    expect(await accessOf(await packed(text))).toBeUndefined();
  });

  it("that is too long is refused", async () => {
    const numbers = Array.from({ length: 5_000 }, (_, at) => Math.sin(at));
    const text = JSON.stringify({ link: "#/box/disk", credentials: token, numbers });
    expect(await accessOf(await packed(text))).toBeUndefined();
  });
});
