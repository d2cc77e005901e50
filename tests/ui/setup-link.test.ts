import { describe, expect, it } from "vitest";
import { EMPTY_CATALOGUE } from "../../src/client";
import type { ServerAddress } from "../../src/protocol";
import { parseLink } from "../../src/contract";
import { setupLink, setupOf } from "../../src/ui/backup/setup-link";
import { SETUP } from "../../src/ui/state/packed-text";
import { subscription } from "./fake-client";

const tables = (topics: number) => ({
  ...EMPTY_CATALOGUE,
  servers: [{ serverId: 1, address: "https://ntfy.example" as ServerAddress }],
  accounts: [{ accountId: 5, serverId: 1, credentials: { kind: "token" as const, token: "tk_canary" } }],
  subscriptions: Array.from({ length: topics }, (_, at) => ({
    ...subscription({ subId: at + 1, topic: `topic-${String(Math.sin(at)).slice(3)}` }),
    serverId: 1,
    accountId: 5,
  })),
  settings: { ...EMPTY_CATALOGUE.settings, theme: "dark" as const },
});

describe("a link to how the app is set up", () => {
  it("is read back, holds no credentials, and only settings that were changed", async () => {
    const link = await setupLink(tables(12), "https://app.example/x/?a#/y", 1_700_000_000_000);
    expect(link).toMatch(/^https:\/\/app\.example\/x\/#\/~open\/setup:[\w-]+$/);
    const parsed = parseLink(link?.replace(/^[^#]*/, "") ?? "", undefined);
    const scope = parsed.ok && parsed.value.scope;
    const payload = scope && scope.kind === "own" ? (scope.rest ?? "").slice(SETUP.length) : "";
    const text = await (await setupOf(payload))?.text();
    expect(text).not.toContain("canary");
    expect(text?.match(/"kind":"topic"/g)).toHaveLength(12);
    expect(text?.match(/"kind":"setting".*/g)).toEqual(['"kind":"setting","name":"theme","value":"dark"}']);
  });

  it("is refused whole if any letter of it was changed, or its end is missing", async () => {
    const link = (await setupLink(tables(5), "https://app.example/", 1_700_000_000_000)) ?? "";
    const payload = link.slice(link.indexOf(SETUP) + SETUP.length);
    // The letters before stand for the time of compression, which gzip doesn't protect.
    for (let at = 14; at < payload.length - 1; at += 7) {
      const other = payload[at] === "A" ? "B" : "A";
      const changed = `${payload.slice(0, at)}${other}${payload.slice(at + 1)}`;
      expect(await setupOf(changed), `letter ${at}`).toBeUndefined();
    }
    expect(await setupOf(payload.slice(0, payload.length / 2))).toBeUndefined();
    expect(await setupOf("no base64!")).toBeUndefined();
  });

  it("of something huge, packed small, is refused", async () => {
    const stream = new Blob(["x".repeat(5_000_000)]).stream().pipeThrough(new CompressionStream("gzip"));
    const packed = Buffer.from(await new Response(stream).arrayBuffer()).toString("base64url");
    expect(await setupOf(packed)).toBeUndefined();
  });

  it("isn't made where it would be too long", async () => {
    expect(await setupLink(tables(1_500), "https://app.example/", 0)).toBeUndefined();
  });
});
