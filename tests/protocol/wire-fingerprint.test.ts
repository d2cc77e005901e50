import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { CONTRACT_VERSION } from "../../src/protocol";

/**
 * Recorded shape of what crosses a boundary. Tabs and hubs of two builds can meet, so whoever changes the contract raises
 * `CONTRACT_VERSION` with it and records both here; a change of the message's type is one of the protocol and of what is
 * stored, so it needs a look at the migrations.
 */
const RECORDED = {
  contract: { version: 4, fingerprint: "3ab5549cc28c31bb" },
  message: "7a87dee3ecc18b49",
};

/** A hash of the types alone: comments, blanks and the order of lines within the file's layout do not count. */
function fingerprintOf(file: string): string {
  const path = join(import.meta.dirname, "../../src/protocol", file);
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
  const printed = ts.createPrinter({ removeComments: true }).printFile(source).replace(/\s+/g, " ");
  return createHash("sha256").update(printed).digest("hex").slice(0, 16);
}

describe("what crosses a boundary", () => {
  it("keeps its shape: the contract between tabs and hub", () => {
    expect({ version: CONTRACT_VERSION, fingerprint: fingerprintOf("contract.ts") }).toEqual(RECORDED.contract);
  });

  it("keeps its shape: messages as received and stored", () => {
    expect(fingerprintOf("message.ts")).toBe(RECORDED.message);
  });
});
