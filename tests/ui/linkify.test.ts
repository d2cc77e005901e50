import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linkify } from "../../src/ui/message/linkify";

const links = (text: string) => linkify(text).flatMap((piece) => (piece.kind === "link" ? [piece.text] : []));

describe("linkify", () => {
  it("finds addresses within a sentence, without the punctuation that ends it", () => {
    expect(links("See https://example.com/a, http://example.org. Or https://example.net/b?c=d!")).toEqual([
      "https://example.com/a",
      "http://example.org",
      "https://example.net/b?c=d",
    ]);
  });

  it("leaves out brackets around an address, and keeps those in it", () => {
    expect(links("(https://example.com/a_(b)) [https://example.com/c]")).toEqual([
      "https://example.com/a_(b)",
      "https://example.com/c",
    ]);
  });

  it.each([
    "javascript:alert(1)",
    "xhttp://example.com",
    "https://",
    "http:///x",
    "data:text/html,x",
    "ftp://example.com",
  ])("finds none in %j", (text) => expect(links(text)).toEqual([]));

  it("ends an address at characters that turn the direction of text, quotes and angle brackets", () => {
    expect(links("https://example.com/\u202egpj.exe")).toEqual(["https://example.com/"]);
    expect(links('<a href="https://example.com/a">x</a>')).toEqual(["https://example.com/a"]);
  });

  it("shows a link that is too long as text", () => {
    expect(links(`https://example.com/${"a".repeat(3000)}`)).toEqual([]);
  });

  it("gives back the text when its pieces are joined, and makes only web addresses links", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("https://", "http://a.b", "(", ")", ".", " ", "javascript:"),
    );
    fc.assert(
      fc.property(fc.array(piece), (parts) => {
        const text = parts.join("");
        const pieces = linkify(text);
        expect(pieces.map((one) => one.text).join("")).toBe(text);
        for (const one of pieces) if (one.kind === "link") expect(one.href).toMatch(/^https?:\/\//);
      }),
    );
  });

  it("handles long runs of brackets and dots", () => {
    const text = `https://example.com/${")".repeat(100_000)}${".".repeat(100_000)}`;
    expect(links(text)).toEqual(["https://example.com/"]);
  });
});
