import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { CONTRACT_VERSION } from "../../src/contract";

/**
 * The recorded shape of what crosses a boundary. Tabs and hubs of two builds can meet, so whoever changes the contract
 * raises `CONTRACT_VERSION` with it and records both here. A change of the message's type also changes the protocol and
 * what is stored, so it may need a migration.
 */
const RECORDED = {
  contract: { version: 24, fingerprint: "886070bf45dabb86" },
  message: "dece064bc8d96d52",
};

/** A hash of declarations without comments, blanks and imports: all of a file, or those with the given names. */
function fingerprintOf(...parts: (string | [file: string, names: string[]])[]): string {
  const hash = createHash("sha256");
  const printer = ts.createPrinter({ removeComments: true });
  for (const part of parts) {
    const [file, names] = typeof part === "string" ? [part] : part;
    const path = join(import.meta.dirname, "../../src", file);
    const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
    const declarations = source.statements.filter((statement) =>
      names
        ? ts.isInterfaceDeclaration(statement) && names.includes(statement.name.text)
        : !ts.isImportDeclaration(statement),
    );
    if (declarations.length < (names?.length ?? 1))
      throw new Error(`${file} lacks ${(names ?? ["a declaration"]).join(", ")}`);
    for (const declaration of declarations) {
      hash.update(printer.printNode(ts.EmitHint.Unspecified, declaration, source).replace(/\s+/g, " "));
    }
  }
  return hash.digest("hex").slice(0, 16);
}

describe("what crosses a boundary", () => {
  it("keeps its shape: the contract between tabs and hub", () => {
    const fingerprint = fingerprintOf(
      "contract/contract.ts",
      "contract/commands.ts",
      "contract/announcements.ts",
      "contract/server-status.ts",
      "contract/topics.ts",
      "contract/triage.ts",
      "contract/alerts/push.ts",
      "contract/backup/preview.ts",
      "protocol/failure.ts",
      ["protocol/request.ts", ["PublishInput"]],
    );
    expect({ version: CONTRACT_VERSION, fingerprint }).toEqual(RECORDED.contract);
  });

  it("keeps its shape: messages as received and stored", () => {
    expect(fingerprintOf("protocol/message.ts")).toBe(RECORDED.message);
  });
});
