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

  it.each([
    ["请看https://example.com/a", "https://example.com/a"],
    ["https://example.com/a，请处理", "https://example.com/a"],
    ["（https://example.com/a）。", "https://example.com/a"],
    ["【https://example.com/a】", "https://example.com/a"],
    ["「https://example.com/a」を見る", "https://example.com/a"],
    ["“https://example.com/a”", "https://example.com/a"],
    ["https://例え.jp/パス。", "https://例え.jp/パス"],
    ["https://youtu.be/dQw4w9WgXc_", "https://youtu.be/dQw4w9WgXc_"],
    ["https://en.wikipedia.org/wiki/Foo_(bar)", "https://en.wikipedia.org/wiki/Foo_(bar)"],
    ["**https://example.com/a**", "https://example.com/a"],
    ["https://example.com/a:", "https://example.com/a"],
    ["'https://example.com/a'", "https://example.com/a"],
    ["http://my_host:8080/x.", "http://my_host:8080/x"],
    ["https://a_b.c_d.example.com/e_f", "https://a_b.c_d.example.com/e_f"],
    ["https://_dmarc.example.com，", "https://_dmarc.example.com"],
    ["http://user:pw@host:8080/x", "http://user:pw@host:8080/x"],
    ["at geo:52.5,13.4, now", "geo:52.5,13.4"],
    ["tel:+49301234.", "tel:+49301234"],
    ["irc://irc.libera.chat/#ntfy!", "irc://irc.libera.chat/#ntfy"],
    ["(ntfy://ntfy.sh/topic)", "ntfy://ntfy.sh/topic"],
    ["mailto:a@example.com;", "mailto:a@example.com"],
    ["xmpp:room@example.com?join.", "xmpp:room@example.com?join"],
    ["matrix:r/room:example.org,", "matrix:r/room:example.org"],
  ])("in %j the address is %j", (text, address) => expect(links(text)).toEqual([address]));

  it.each(["(", "[", "((", "(a", "{", "'", "http://a", "http://a/(", "http:"])("takes no time for many %j", (part) => {
    const began = performance.now();
    linkify(`https://example.com/${part.repeat(20_000)}`);
    expect(performance.now() - began).toBeLessThan(2_000);
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
    "tel: 1",
    "Geo:north",
  ])("finds none in %j", (text) => expect(links(text)).toEqual([]));

  it("ends an address at characters that turn the direction of text, quotes and angle brackets", () => {
    expect(links("https://example.com/\u202egpj.exe")).toEqual(["https://example.com/"]);
    expect(links('<a href="https://example.com/a">x</a>')).toEqual(["https://example.com/a"]);
  });

  it("shows a link that is too long as text", () => {
    expect(links(`https://example.com/${"a".repeat(3000)}`)).toEqual([]);
  });

  it("gives back the text when its pieces are joined, and links only schemes that the app opens", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "https://",
        "http://a.b",
        "geo:1,2",
        "tel:",
        "irc://a",
        "，",
        "_",
        "*",
        "(",
        ")",
        ".",
        " ",
        "javascript:",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece), (parts) => {
        const text = parts.join("");
        const pieces = linkify(text);
        expect(pieces.map((one) => one.text).join("")).toBe(text);
        for (const one of pieces) if (one.kind === "link") expect(one.href).toMatch(/^(?:https?|mailto|tel|geo|irc):/);
      }),
    );
  });

  it("handles long runs of brackets and dots", () => {
    const text = `https://example.com/${")".repeat(100_000)}${".".repeat(100_000)}`;
    expect(links(text)).toEqual(["https://example.com/"]);
  });
});
