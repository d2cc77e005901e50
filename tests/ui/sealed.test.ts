import { beforeAll, describe, expect, it, vi } from "vitest";
import type { BackupCredentials } from "../../src/contract";
import { decodeBackupLine, writeBackupLine } from "../../src/contract";
import type { ServerAddress } from "../../src/protocol";
import { seal, unseal } from "../../src/ui/backup/sealed";

const CREDENTIALS: BackupCredentials[] = [
  {
    server: "https://ntfy.example" as ServerAddress,
    topics: ["backups"],
    credentials: { kind: "basic", user: "ben", password: "canary-5f1d" },
  },
  { server: "https://b.example" as ServerAddress, topics: ["x"], credentials: { kind: "token", token: "tk_canary" } },
];

describe("sealed credentials", () => {
  beforeAll(() => void vi.stubGlobal("isSecureContext", true));

  it("open with their passphrase alone, and show nothing without it", async () => {
    const sealed = await seal(CREDENTIALS, "correct horse");
    const text = writeBackupLine(sealed);
    expect(text).not.toMatch(/canary|ben/);
    expect(sealed.iterations).toBe(600_000);
    const read = decodeBackupLine(text);
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

  it("leave out what can't be, whoever wrote it", async () => {
    const hostile = [
      { server: "javascript:alert(1)", topics: ["x"], credentials: { kind: "token", token: "t" } },
      { server: "https://a.example", topics: ["ok", "a/b", 7], credentials: { kind: "token", token: "t" } },
      { server: "https://a.example", topics: ["ok"], credentials: { kind: "token", token: "line\nbreak" } },
      null,
    ] as unknown as BackupCredentials[];
    expect(await unseal(await seal(hostile, "long enough"), "long enough")).toEqual([
      { server: "https://a.example", topics: ["ok"], credentials: { kind: "token", token: "t" } },
    ]);
  });
});
