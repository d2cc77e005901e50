import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linkify } from "../../src/ui/message/body/linkify";
import { safeLink } from "../../src/ui/message/body/links";
import { htmlOf } from "../../src/ui/message/body/markdown-html";

/** The words of the links in HTML. */
const seenLinks = (html: string) =>
  [...html.matchAll(/<a [^>]*>(.*?)<\/a>/g)].map(([, words = ""]) =>
    words.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
  );
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
    ["mailto:a@example.com?subject=Hi%20there, and", "mailto:a@example.com?subject=Hi%20there"],
    ["|http://nas:8080|up|", "http://nas:8080"],
    ["~~https://example.com~~", "https://example.com"],
    ["http://nas→down", "http://nas"],
    ["http://user:p$~w@host=x", "http://user:p$~w@host"],
    ["mailto:a@example.com看", "mailto:a@example.com"],
    ["seen https://example.com/a?!", "https://example.com/a"],
    ["seen https://example.com/a!?", "https://example.com/a"],
    ["xmpp:room@example.com?join.", "xmpp:room@example.com?join"],
    ["matrix:r/room:example.org,", "matrix:r/room:example.org"],
    ["看https://example.com看", "https://example.com"],
    ["https://example.comを見て", "https://example.com"],
    ["http://nas를 보세요", "http://nas"],
    ["https://example.com🎉", "https://example.com"],
    ["https://example.com/a🎉", "https://example.com/a"],
    ["https://example.com/a❤️", "https://example.com/a"],
    ["https://example.com/a🇩🇪", "https://example.com/a"],
    ["https://例え.テスト/パス、次", "https://例え.テスト/パス"],
    ["https://abc日本.jp/a", "https://abc日本.jp/a"],
    ["https://münchen.de/straße", "https://münchen.de/straße"],
    ["http://[2001:db8::1]:8080/a,", "http://[2001:db8::1]:8080/a"],
    ["https://example.com/a\\nnext line", "https://example.com/a"],
    ["| https://example.com/a|", "https://example.com/a"],
    ["https://example.com/css?family=A|B", "https://example.com/css?family=A|B"],
    ["https://web.archive.org/web/2/https://example.com/a", "https://web.archive.org/web/2/https://example.com/a"],
    ["https://example.com/a…", "https://example.com/a"],
    ["»https://example.com/a«", "https://example.com/a"],
    ["＜https://example.com/a＞", "https://example.com/a"],
    ["https://example.com/a｜标题", "https://example.com/a"],
    ["https://example.com/a～", "https://example.com/a"],
    ["https://example.com/a→b", "https://example.com/a"],
    ["https://example.com/a│b", "https://example.com/a"],
    ["https://example.com:8080请处理", "https://example.com:8080"],
    ["http://[2001:8ab::1]:8080看", "http://[2001:8ab::1]:8080"],
    ["disk full\\nhttps://example.com/a", "https://example.com/a"],
  ])("in %j the address is %j", (text, address) => expect(links(text)).toEqual([address]));

  it("finds an address with an ü however often it is asked", () => {
    const found = Array.from({ length: 5_000 }, () => links("https://münchen.de/straße").length);
    expect(new Set(found)).toEqual(new Set([1]));
  });

  it.each(["(", "[", "((", "(a", "{", "'", "http://a", "http://a/(", "http:"])("takes no time for many %j", (part) => {
    // Processor time, which is the same on a busy machine.
    const before = process.cpuUsage();
    linkify(`https://example.com/${part.repeat(20_000)}`);
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });

  it.each([",", ";", "|", "，", "、", "→", "｜", "\\n"])("ends an address where %j and another follow", (between) => {
    expect(links(`https://example.com/a${between}https://example.com/b`)).toEqual([
      "https://example.com/a",
      "https://example.com/b",
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
        for (const one of pieces) if (one.kind === "link") expect(one.href).toBe(safeLink(one.text));
      }),
    );
  });

  it("finds just the address that was written, whatever stands around it, and Markdown the same", () => {
    const web = fc
      .tuple(
        fc.constantFrom("http", "https", "HTTPS", "irc", "ntfy"),
        fc.stringMatching(/^[a-z][a-z0-9]{0,5}(?:\.com|:8080|)$/),
        fc.stringMatching(/^(?:\/(?:[\w%~+=@-]|\.[a-z]){0,4}[a-z0-9_]|\/\([a-z]{1,3}\)){0,3}\/?$/),
        fc.stringMatching(/^(?:\?[a-z]=[\w-]{0,4}[a-z0-9_](?:&[a-z]{1,2}=\d)?)?(?:#[\w/]{0,4}[a-z])?$/),
      )
      .map(([scheme, ...rest]) => `${scheme}://${rest.join("")}`);
    const others = "geo:52.5,13.4 mailto:a@b.co?subject=c%20d mailto:a@b.com tel:+4930123 sms:+49 xmpp:a@b.c".split(
      " ",
    );
    const address = fc.oneof(web, fc.constantFrom(...others));
    const before = fc.constantFrom(
      "",
      " ",
      "a\n",
      "a\\n",
      ..."看 를 ( （ 【 “ 「 《 » 👉 → ： ' \" url= é ** |".split(" "),
    );
    const marks =
      `， 。 、 ！ ） 】 ” 」 》 ＞ ｜ ～ → « … 🎉 ❤️ 🇩🇪 ' " | : . , ; ) ] ! ? ?! ... \\n 。然后 )(b </a> "> * ** ~ ~~`.split(
        " ",
      );
    const after = fc.constantFrom("", " ", "\n", "\t", " b", "\u202e", "\u200b", ...marks);
    fc.assert(
      fc.property(before, address, after, (left, written, right) => {
        const text = `${left}${written}${right}`;
        expect(links(text)).toEqual([written]);
        expect(seenLinks(htmlOf(text) ?? "")).toEqual([written]);
      }),
    );
  });

  it("handles long runs of brackets and dots", () => {
    const text = `https://example.com/${")".repeat(100_000)}${".".repeat(100_000)}`;
    expect(links(text)).toEqual(["https://example.com/"]);
  });
});
