import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CSV_HEAD, csvLine, type StoredMessage } from "../../src/contract";

const row = (more: Partial<StoredMessage["event"]> = {}, marks: Partial<StoredMessage> = {}): StoredMessage => ({
  subId: 1,
  time: 1_700_000_000,
  id: "a",
  event: { id: "a", time: 1_700_000_000, event: "message", topic: "t", message: "hello", ...more },
  via: "stream",
  arrival: 1,
  receivedAtMs: 1_700_000_001_000,
  ...marks,
});
const PLACE = { server: "ntfy.example", topic: "t" };

/** Reads CSV as RFC 4180 says, independently of what writes it. */
function parse(text: string): string[][] {
  const rows: string[][] = [[]];
  let cell = "";
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (text[at + 1] === '"') cell += text[++at];
      else isQuoted = false;
    } else if (letter === '"') isQuoted = true;
    else if (letter === ",") {
      rows.at(-1)?.push(cell);
      cell = "";
    } else if (letter === "\r" && text[at + 1] === "\n") {
      rows.at(-1)?.push(cell);
      cell = "";
      at++;
      if (at + 1 < text.length) rows.push([]);
    } else cell += letter;
  }
  return rows;
}

describe("a line of CSV", () => {
  it("has a cell for each name of the head, which begins with a byte order mark", () => {
    expect(CSV_HEAD.startsWith("\uFEFFtime,server,topic,")).toBe(true);
    const [names, cells] = parse(`${CSV_HEAD}${csvLine(row({ title: "T", priority: 5, tags: ["a", "b"] }), PLACE)}`);
    expect(cells).toHaveLength(names?.length ?? 0);
    expect(cells?.slice(0, 7)).toEqual(["2023-11-14T22:13:20.000Z", "ntfy.example", "t", "5", "T", "hello", "a,b"]);
  });

  it("keeps any text in its cell, and never lets one begin like a formula", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (message, title) => {
        const [cells] = parse(csvLine(row({ message, title }), PLACE));
        expect(cells).toHaveLength(15);
        expect([message, `'${message}`]).toContain(cells?.[5]);
        for (const cell of cells ?? []) expect(cell).not.toMatch(/^[=+\-@\t\r\n]/);
      }),
    );
  });

  it("decodes text that came as base64", () => {
    expect(parse(csvLine(row({ message: "aGk=", encoding: "base64" }), PLACE))[0]?.[5]).toBe("hi");
  });

  it("survives any time", () => {
    expect(csvLine(row({ time: 253_402_300_799 }, { receivedAtMs: 1e20 }), PLACE)).toContain("9999-12-31");
  });
});
