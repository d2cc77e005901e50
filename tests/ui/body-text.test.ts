import { describe, expect, it } from "vitest";
import type { MessageEvent } from "../../src/protocol";
import { bodyText, hasInk, isSaidBeside, oneLine, ownTitle, stripBidiControls } from "../../src/contract";
import { fittingTags, label, quoted, rawJson, visible, shownAddress } from "../../src/ui/message/label";
import { excerptOf } from "../../src/ui/message/body/body-form";

const event = (more: Partial<MessageEvent>): MessageEvent => ({
  id: "a",
  time: 1,
  event: "message",
  topic: "t",
  message: "",
  ...more,
});

describe("bodyText", () => {
  it("leaves plain text as it is, tabs and line breaks too", () => {
    expect(bodyText(event({ message: "a\tb\nc <b>" }))).toEqual({ kind: "plain", text: "a\tb\nc <b>" });
  });

  it("makes all line ends the same, and control characters visible", () => {
    expect(bodyText(event({ message: "a\r\nb\rc\u2028d\u001b[31m\u0000\u007f\u0085" }))).toEqual({
      kind: "plain",
      text: "a\nb\nc\nd␛[31m␀␡\ufffd",
    });
  });

  it("shows a thousand control characters and all other text", () => {
    const text = `a${"\0".repeat(600)}b${"\u007f\u0085".repeat(100_000)}c`;
    expect(bodyText(event({ message: text }))).toEqual({
      kind: "plain",
      text: `a${"\u2400".repeat(600)}b${"\u2421\ufffd".repeat(200)}c`,
    });
  });

  it("is Markdown only if the message says so", () => {
    expect(bodyText(event({ message: "*a*", content_type: "text/markdown; charset=utf-8" })).kind).toBe("markdown");
    expect(bodyText(event({ message: "*a*", content_type: "text/html" })).kind).toBe("plain");
  });

  it("decodes base64 of text, and gives the size of other data", () => {
    expect(bodyText(event({ message: "w6Q=", encoding: "base64" }))).toEqual({ kind: "plain", text: "ä" });
    expect(bodyText(event({ message: "//8A", encoding: "base64" }))).toEqual({ kind: "bytes", sizeBytes: 3 });
    expect(bodyText(event({ message: "no base64!", encoding: "base64" }))).toEqual({
      kind: "plain",
      text: "no base64!",
    });
  });
});

describe("the server's own text for an empty message", () => {
  it("is left out where title or file say as much, and nowhere else", () => {
    const attachment = { name: "a.pdf", url: "https://a.example/a" };
    expect(isSaidBeside(event({ message: "triggered", title: "Door" }))).toBe(true);
    expect(isSaidBeside(event({ message: "triggered" }))).toBe(false);
    expect(isSaidBeside(event({ message: "triggered", title: "\u200b" })), "no title to be seen").toBe(false);
    expect(isSaidBeside(event({ message: "triggered again", title: "Door" }))).toBe(false);
    expect(isSaidBeside(event({ message: "You received a file: a.pdf", attachment }))).toBe(true);
    expect(isSaidBeside(event({ message: "You received a file: b.pdf", attachment }))).toBe(false);
    const bell = event({ message: "triggered", title: "Door", attachment });
    expect(isSaidBeside(bell, false), "where no file is shown").toBe(true);
    const file = event({ message: "You received a file: a.pdf", attachment });
    expect(isSaidBeside(file, false), "where no file is shown").toBe(false);
    expect(isSaidBeside(event({ message: "You received a file: a.pdf" }))).toBe(false);
  });
});

describe("oneLine", () => {
  it("turns line breaks into spaces", () => expect(oneLine("a\n\tb\r\nc")).toBe("a b c"));
});

describe("a text", () => {
  const unseen = {
    "zero-width characters": "\u200b\u200c\u200d\ufeff",
    "marks of direction": "\u202e\u2066\u200f",
    fillers: "\u3164\uffa0\u115f\u2800",
    "tags and selectors": "\u{e0041}\ufe0f\u00ad",
    blanks: " \u00a0\u3000\n\t",
  };
  it.each(Object.entries(unseen))("of nothing but %s is invisible", (_, text) => {
    expect(hasInk(text)).toBe(false);
    expect(ownTitle(event({ title: text }))).toBeUndefined();
    expect(bodyText(event({ message: text })).kind).toBe("unseen");
    expect(label(text).trim()).not.toBe("");
  });

  it.each(["a", "👍", "ש", "\u0301", "\u0000", "👨\u200d👩\u200d👧"])("of %j is visible", (text) =>
    expect(hasInk(text)).toBe(true),
  );

  it("is replaced by its length if it is invisible", () =>
    expect(bodyText(event({ message: "\u200b\u{e0041} " }))).toEqual({ kind: "unseen", characters: 3 }));

  it("is a title even if it is only emoji", () => expect(ownTitle(event({ title: " 🔥🔥 " }))).toBe("🔥🔥"));

  it("is spelt out in a label if it would be invisible", () => {
    expect(label("\u200b\u{e0041}")).toBe("\\u200b\\udb40\\udc41");
    expect(label("")).toBe("…");
    expect(label("Open\nit")).toBe("Open it");
  });
});

it("drops direction marks, so that a program's name can't end like a document's", () => {
  expect(stripBidiControls("invoice\u202efdp.exe")).toBe("invoicefdp.exe");
  expect(ownTitle(event({ title: "invoice\u202efdp.exe" }))).toBe("invoicefdp.exe");
  expect(label("a\u2066b\u2069\u200ec\u200fd\u061c.exe")).toBe("abcd.exe");
  expect(stripBidiControls("שלום 👩‍👩‍👧"), "letters and joined emoji stay").toBe("שלום 👩‍👩‍👧");
});

describe("a label inside a sentence", () => {
  it("stays as it is", () => expect(quoted("Switch off")).toBe("Switch off"));
  it("is isolated, so that its direction ends with it", () => {
    expect(quoted("שלום")).toBe("\u2068שלום\u2069");
    expect(quoted("a\u202eb\u2066")).toBe("ab");
  });
});

describe("an excerpt", () => {
  const log = (count: number) => Array.from({ length: count }, (_, at) => `12:00:0${String(at)} INFO step`).join("\n");
  const excerpt = (text: string, kind: "plain" | "markdown" = "plain") => excerptOf({ kind, text });

  it("has three lines of a log, and says how many more there are", () => {
    expect(excerpt(log(9))).toEqual({ text: log(3), isLog: true, more: 6 });
    expect(excerpt(`\n${log(4)}\n\n`)).toEqual({ text: log(3), isLog: true, more: 1 });
  });

  it("has the beginning of any other text, without empty lines and marks of Markdown", () => {
    expect(excerpt("one\n\n\ntwo\n")).toEqual({ text: "one\ntwo", isLog: false, more: 0 });
    expect(excerpt("# Head\n\n- **bold** [link](https://a.example)", "markdown").text).toBe("Head\nbold link");
    expect(excerpt("x".repeat(4000)).text).toHaveLength(400);
  });

  it("begins near what is searched for", () => {
    const text = `${"so many words ".repeat(20)}Bäckup of atlas`;
    const found = (wanted: string, of = text) => excerptOf({ kind: "plain", text: of }, [wanted]).text;
    expect(found("backup")).toBe("… so many words so many words Bäckup of atlas");
    expect(found("so many"), "its beginning shows it").toBe(text);
    expect(found("nowhere")).toBe(text);
    expect(found("故障", `${"东".repeat(500)}故障`), "words without spaces").toBe(`… ${"东".repeat(30)}故障`);
    expect(excerptOf({ kind: "plain", text: `${log(9)}\n12:01:00 ERROR disk` }, ["error"])).toEqual({
      text: "12:01:00 ERROR disk",
      isLog: true,
      more: 9,
    });
  });

  it("cuts no character in two", () => expect(excerpt(`x${"😀".repeat(3000)}`).text).toHaveLength(399));
});

describe("the tags beside a topic", () => {
  it("never repeat its name, and are as many as have room", () => {
    expect(fittingTags(["Backups", "photos", "atlas"], ["backups"], 40)).toEqual({
      shown: ["photos", "atlas"],
      more: 0,
    });
    expect(fittingTags(["photos", "atlas", "nas"], ["backups"], 18)).toEqual({ shown: ["photos", "atlas"], more: 1 });
    expect(fittingTags(["photos"], ["a-very-long-topic"], -20)).toEqual({ shown: [], more: 1 });
  });

  it("count a long one as no longer than it is shown", () =>
    expect(fittingTags(["x".repeat(4000)], ["a"], 20).shown).toHaveLength(1));
});

describe("an address that can't be opened", () => {
  it("is shown as it is, with invisible characters spelt out", () =>
    expect(shownAddress("java\u200bscript:alert(1)")).toBe("java\\u200bscript:alert(1)"));
  it("is cut if it is long, but no character in two", () => {
    expect(shownAddress(`x:${"🔥".repeat(5_000)}`)).toBe(`x:${"🔥".repeat(99)}…`);
    expect(shownAddress("x".repeat(200))).toBe("x".repeat(200));
  });
});

describe("rawJson", () => {
  it("is the message again when it is read", () => {
    const given = { ...event({ message: "\u202eevil\u200b\u0085" }), unknown: [1, { a: null }] };
    const json = rawJson(given);
    expect(JSON.parse(json)).toEqual(given);
    expect(json).not.toMatch(/[\u200b\u202e\u0085]/);
    expect(json).toContain("\\u202eevil");
  });

  it("leaves letters of all scripts unchanged", () => expect(visible("שלום مرحبا 👍")).toBe("שלום مرحبا 👍"));
});

it("a title is never longer than can be laid out quickly", () => {
  expect(oneLine("\u05d0".repeat(200_000))).toHaveLength(4_096);
});
