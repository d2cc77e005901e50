import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linkify } from "../../src/ui/message/body/linkify";
import { htmlOf } from "../../src/ui/message/body/markdown-html";

/** The text that a reader sees. */
const seen = (html: string) =>
  html
    .replace(/<br>|<\/p>/g, "\n")
    .replace(/<[^>]*>/g, "")
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, "&");
const hrefs = (text: string) =>
  [...(htmlOf(text) ?? "").matchAll(/<a href="([^"]*)"/g)].map(([, href]) => seen(href ?? ""));

describe("only two tildes strike", () => {
  it.each(["18~21°C inside, 5~7°C", "~x~", "a ~b c~ d", "~/src and ~/bin", "1~2 3~4 5~6", "~~~x"])("not %j", (text) =>
    expect(htmlOf(text)).not.toContain("<del>"),
  );
  it.each(["~~x~~", "a ~~b c~~ d", "~~18~21~~"])("%j", (text) => expect(htmlOf(text)).toContain("<del>"));
  it("and single ones never do, whatever is between them", () => {
    const piece = fc.oneof(fc.constantFrom("~", " ", "°C", "*", "- ", "\n", "5", "温", "`", "\\"), fc.string());
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join("").replace(/~+/g, "~");
        expect(htmlOf(text) ?? "").not.toContain("<del>");
      }),
    );
  });
});

describe("nothing that was written disappears", () => {
  it.each([
    "[ERROR]: timeout",
    "[a]: b",
    "[a]: https://example.com/a",
    "[a]: b\n[a]: c",
    "| a | b |\n|---|---|\n| `x|y` | z |",
    "| a | b |\n|---|---|\n| c | d | e |",
    "first\n\n[WARN]: disk\n\nlast",
    "> [a]: b",
    "- [x1]: b\n- c",
    "<!-- note -->",
    "<script>alert(1)</script>",
    "<div>\nwords\n</div>",
    "![](data:image/png;base64,AAAA)",
    "![alt](file:///etc/passwd)",
    "[x](javascript:alert(1))",
    "[x](readme.txt2)",
    "[x](readme.md)",
    "[x](Change_Log.MD#new)",
    "[x](report.pdf?page=2)",
    "[x](docs/readme.md)",
    "[x](./readme.md)",
    "[x](/etc/hosts)",
    "[x](#part)",
    "[x]()",
    "[](javascript:a)",
    "``` error: disk full\n```",
  ])("%j", (text) => {
    const shown = seen(htmlOf(text) ?? "");
    for (const word of text.match(/[\p{L}\p{N}]+/gu) ?? []) expect(shown).toContain(word);
  });

  it("however it is combined", () => {
    const piece = fc.constantFrom(
      "[a]: b",
      "[ERR]: c d",
      "<b>e</b>",
      "<!-- f -->",
      "~g~",
      "**h**",
      "[i](j:k)",
      "![l](m)",
      "- n",
      "> o",
      "\n",
      "\n\n",
      " ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (parts) => {
        const shown = seen(htmlOf(parts.join("")) ?? "");
        for (const part of parts) for (const word of part.match(/[A-Zc-z]+/g) ?? []) expect(shown).toContain(word);
      }),
    );
  });

  it("and the order stays: a log's lines aren't definitions", () => {
    const log = "[ERROR]: timeout\n[WARN]: disk full\n[ERROR]: refused";
    expect(seen(htmlOf(log) ?? "").trim()).toBe(log);
    expect(seen(htmlOf("[^1]\n\n[^1]: a note") ?? "").trim()).toBe("[^1]\n\n[^1]: a note");
  });

  it.each(["#", ">", "a\n\n#\n\nb", "a\n\n>\n\nb", "## #"])("not even marks with nothing behind them: %j", (text) => {
    for (const mark of text.match(/[#>]/g) ?? []) expect(seen(htmlOf(text) ?? "")).toContain(mark);
  });

  it("but a definition that is used isn't part of the text", () => {
    expect(
      seen(htmlOf("see [the docs][d] and [e]\n\n[d]: https://example.com/d\n[E]: https://example.com/e") ?? "").trim(),
    ).toBe("see the docs and e");
  });
});

describe("links", () => {
  it.each([
    ["[x](geo:1,2)", "geo:1,2"],
    ["[x](ntfy://ntfy.sh/t)", "ntfy://ntfy.sh/t"],
    ["[x](irc://a.b/c)", "irc://a.b/c"],
    ["[x](github.com/a)", "https://github.com/a"],
    ["[x](ntfy.sh)", "https://ntfy.sh/"],
    ["[x](readme.md/a)", "https://readme.md/a"],
    ["[x](a_b.example.com/c)", "https://a_b.example.com/c"],
    ["http://my_host/a", "http://my_host/a"],
    ["[x](www.example.com)", "https://www.example.com/"],
    ["[x](example.com:8080/a)", "https://example.com:8080/a"],
    ["[x](//example.com/a)", "https://example.com/a"],
    ["[x][y]\n\n[y]: example.com/a", "https://example.com/a"],
    ["<geo:1,2>", "geo:1,2"],
    ["[x](http://[::1]:8080/a)", "http://[::1]:8080/a"],
    ["[x](https://example.com/100%25)", "https://example.com/100%25"],
    ["[x](https://example.com/a_(b) 'title')", "https://example.com/a_(b)"],
    ["[x](192.168.1.1:8080/a)", "http://192.168.1.1:8080/a"],
    ["[x](localhost:8080/a)", "http://localhost:8080/a"],
    ["<b>https://example.com/a</b>", "https://example.com/a"],
    ["<div>\nhttps://example.com/a\n</div>", "https://example.com/a"],
    ["[a]: https://example.com/a", "https://example.com/a"],
    ["see [the docs][d]\n\n[d]: example.com/a", "https://example.com/a"],
  ])("%j leads to %j", (text, href) => expect(hrefs(text)).toEqual([href]));

  it.each([
    "javascript:a",
    "JaVaScRiPt:a",
    "java&#115;cript:a",
    "data:text/html,a",
    "vbscript:a",
    "file:///a",
    "/a",
    "#a",
    "a@b.com",
  ])("none to %j", (href) => expect(hrefs(`[x](${href})`)).toEqual([]));

  it.each([
    "请看https://example.com/a，请处理",
    "（https://example.com/a）https://example.com/b。",
    "https://youtu.be/dQw4w9WgXc_",
    "https://example.com/_a_/*b*/~~c~~",
    "xhttps://example.com",
    "https://en.wikipedia.org/wiki/Foo_(bar).",
    "geo:52.5,13.4, tel:+4930",
    "www.example.com and a@example.com",
    "ftp://example.com/a",
    "https://example.com/a🎉 https://example.com看",
    "https://example.com/a,https://example.com/b",
    "http://[::1]:80/a",
    "https://example.com/?a=1&b=2",
  ])("in %j are those of plain text", (text) =>
    expect(hrefs(text)).toEqual(linkify(text).flatMap((piece) => (piece.kind === "link" ? [piece.href] : []))),
  );

  it("are not made in code or links", () => {
    expect(hrefs("`https://a.b`\n\n    https://c.d\n\n[https://e.f](https://g.h)")).toEqual(["https://g.h/"]);
  });
});
