import { beforeAll, describe, expect, it, test, vi } from "vitest";
import { type BackupCredentials, decodeBackupLine, writeBackupLine } from "../../src/contract";
import type { ServerAddress } from "../../src/protocol";
import { credentialsOf, seal, unseal } from "../../src/ui/backup/sealed";
import { ADDRESS, catalogue, server, subscription } from "./fake-client";

const CREDENTIALS: BackupCredentials[] = [
  {
    server: "https://ntfy.example" as ServerAddress,
    topics: ["backups"],
    credentials: { kind: "basic", user: "ben", password: "canary-5f1d" },
  },
  { server: "https://b.example" as ServerAddress, topics: ["x"], credentials: { kind: "token", token: "tk_canary" } },
  {
    server: "https://c.example" as ServerAddress,
    topics: ["x"],
    credentials: { kind: "token", token: "tk_canary" },
    ...{ user: "ben", issued: 1, expires: 1_800_000_000 },
  },
  { server: "https://b.example" as ServerAddress, topics: [], headers: { "X-Key": "canary-header" } },
];

describe("sealed credentials", () => {
  beforeAll(() => void vi.stubGlobal("isSecureContext", true));

  it("open with their passphrase alone, and show nothing without it", async () => {
    const sealed = await seal(CREDENTIALS, "correct horse");
    const text = writeBackupLine(sealed);
    expect(text).not.toMatch(/canary|ben/);
    expect(sealed.iterations).toBe(600_000);
    const read = decodeBackupLine(text, 0);
    expect(read).toEqual({ ok: true, value: sealed });
    expect(await unseal(sealed, "correct horse")).toEqual(CREDENTIALS);
    expect(await unseal(sealed, "correct hors")).toBeUndefined();
    expect(await unseal(sealed, "")).toBeUndefined();
    const changed = { ...sealed, data: sealed.data.replace(/^./, (letter) => (letter === "A" ? "B" : "A")) };
    expect(await unseal(changed, "correct horse")).toBeUndefined();
    expect(await unseal({ ...sealed, salt: "____" }, "correct horse")).toBeUndefined();
  });

  it("differ each time, and open however the same letters were typed", async () => {
    const [one, two] = await Promise.all([seal(CREDENTIALS, "caf\u00e9 noir"), seal(CREDENTIALS, "caf\u00e9 noir")]);
    expect(one.data).not.toBe(two.data);
    expect(await unseal(one, "cafe\u0301 noir")).toEqual(CREDENTIALS);
  });

  it("leave out impossible entries, whoever wrote them", async () => {
    const hostile = [
      { server: "javascript:alert(1)", topics: ["x"], credentials: { kind: "token", token: "t" } },
      { server: "https://a.example", topics: ["ok", "a/b", 7], credentials: { kind: "token", token: "t" } },
      { server: "https://a.example", topics: ["ok"], credentials: { kind: "token", token: "line\nbreak" } },
      { server: "https://a.example", topics: [], headers: { "X-Key": "line\nbreak" } },
      { server: "https://a.example", topics: [], headers: { Authorization: "x" } },
      { server: "https://a.example", topics: [], headers: { "X-Key": 7 } },
      null,
    ] as unknown as BackupCredentials[];
    expect(await unseal(await seal(hostile, "long enough"), "long enough")).toEqual([
      { server: "https://a.example", topics: ["ok"], credentials: { kind: "token", token: "t" } },
    ]);
  });
});

test("a token goes along with whose it is and when it ends, if the server issued it to the app", () => {
  const credentials = { kind: "token", token: "tk_1" } as const;
  const about = { user: "ada", issued: 1, expires: 1_800_000_000 } as const;
  const accounts = [{ accountId: 1, serverId: 1, credentials, ...about }];
  const tables = catalogue({ servers: [server({})], accounts, subscriptions: [subscription({ accountId: 1 })] });
  expect(credentialsOf(tables)).toMatchObject([{ server: ADDRESS, credentials, ...about }]);
});

test("sign-ins and extra headers of servers in use are sealed, and those of others aren't", () => {
  const tables = catalogue({
    servers: [
      server({ headers: { "X-Key": "abc" } }),
      server({ serverId: 2, address: "https://b.example" as ServerAddress, headers: { "X-Key": "unused" } }),
    ],
    subscriptions: [subscription()],
  });
  expect(credentialsOf(tables)).toEqual([{ server: ADDRESS, topics: [], headers: { "X-Key": "abc" } }]);
});
