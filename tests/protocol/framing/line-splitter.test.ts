import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineSplitter, MAX_LINE_LENGTH, type SplitLine } from "../../../src/protocol";
import { bytesOf, pushCut } from "./fixtures";

const linesOf = (text: string, loneCr = false): SplitLine[] => new LineSplitter(loneCr).push(bytesOf(text));
const filled = (length: number, byte = 0x78): Uint8Array => new Uint8Array(length).fill(byte);
const LF = Uint8Array.of(10);

/** Random positions to cut at, which also leave empty pieces. */
const cutsOf = (length: number) =>
  fc.array(fc.integer({ min: 0, max: length }), { maxLength: 8 }).map((cuts) => cuts.sort((a, b) => a - b));

describe("lines", () => {
  it("end with LF or CRLF, and the last one is held until it ends", () => {
    const splitter = new LineSplitter();
    expect(splitter.push(bytesOf("a\r\nb\n\nc"))).toEqual(["a", "b", ""]);
    expect(splitter.end()).toBe(false);
    expect(splitter.push(bytesOf("d\n"))).toEqual(["cd"]);
    expect(splitter.end()).toBe(true);
  });

  it("keep a CR within, unless CR ends lines too", () => {
    expect(linesOf("a\rb\n")).toEqual(["a\rb"]);
    expect(linesOf("a\rb\r\nc\n\r\r\nd\r", true)).toEqual(["a", "b", "c", "", "", "d"]);
  });

  it("end once at CR LF even if a chunk ends between the two", () => {
    const splitter = new LineSplitter(true);
    expect(splitter.push(bytesOf("a\r"))).toEqual(["a"]);
    expect(splitter.push(new Uint8Array())).toEqual([]);
    expect(splitter.push(bytesOf("\n"))).toEqual([]);
    expect(splitter.push(bytesOf("\nb\r"))).toEqual(["", "b"]);
    expect(splitter.push(bytesOf("c\n"))).toEqual(["c"]);
  });

  it("lose a byte order mark at the start of the stream, and only there", () => {
    const splitter = new LineSplitter();
    const text = bytesOf("\uFEFFa\n\uFEFFb\n");
    expect(pushCut(splitter, text, [1, 2, 5])).toEqual(["a", "\uFEFFb"]);
  });

  it("replace bytes that aren't UTF-8, whole or cut off, and go on", () => {
    const bytes = Uint8Array.of(0x61, 0xff, 10, 0x62, 0xe2, 0x82, 10, 0x63, 10);
    expect(new LineSplitter().push(bytes)).toEqual(["a\uFFFD", "b\uFFFD", "c"]);
  });

  it.each([false, true])("come out the same wherever the chunks break (CR ends lines: %s)", (loneCr) => {
    const unit = fc.constantFrom("a", "ü", "💾", "\n", "\r", "\r\n", ":", "\uFEFF", "\ud83d");
    const texts = fc.string({ unit, maxLength: 40 });
    fc.assert(
      fc.property(
        texts.chain((text) => fc.tuple(fc.constant(bytesOf(text)), cutsOf(bytesOf(text).length))),
        ([bytes, cuts]) => {
          const text = new TextDecoder().decode(bytes);
          const expected = loneCr
            ? text.split(/\r\n|\r|\n/)
            : text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
          const splitter = new LineSplitter(loneCr);
          expect(pushCut(splitter, bytes, cuts)).toEqual(expected.slice(0, -1));
          const last = bytes.at(-1);
          expect(splitter.end()).toBe(text === "" || last === 10 || (loneCr && last === 13));
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("the cap on a line", () => {
  it("lets a line of just that length through, with either end", () => {
    for (const end of ["\n", "\r\n"]) {
      const splitter = new LineSplitter(true);
      const lines = [...splitter.push(filled(MAX_LINE_LENGTH)), ...splitter.push(bytesOf(`${end}next\n`))];
      expect(lines.map((line) => line?.length)).toEqual([MAX_LINE_LENGTH, 4]);
    }
  });

  it("skips a longer line, says so once, and goes on after it", () => {
    const splitter = new LineSplitter();
    const chunk = filled(MAX_LINE_LENGTH / 4);
    expect(splitter.push(bytesOf("a\n"))).toEqual(["a"]);
    expect(Array.from({ length: 40 }, () => splitter.push(chunk)).flat()).toEqual([null]);
    expect(splitter.end()).toBe(false);
    expect(splitter.push(bytesOf("tail\nb\n"))).toEqual(["b"]);
    expect(splitter.end()).toBe(true);
  });

  it.each([false, true])("holds within one large chunk too (CR ends lines: %s)", (loneCr) => {
    const long = filled(MAX_LINE_LENGTH + 1);
    const most = filled(MAX_LINE_LENGTH);
    const parts = [bytesOf("a\r\nb\n"), long, LF, most, LF, bytesOf("c\r\n"), long, bytesOf("\r\nd\ne")];
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    parts.reduce((at, part) => (bytes.set(part, at), at + part.length), 0);
    const splitter = new LineSplitter(loneCr);
    const lines = splitter.push(bytes).map((line) => (line && line.length > 9 ? line.length : line));
    expect(lines).toEqual(["a", "b", null, MAX_LINE_LENGTH, "c", null, "d"]);
    expect(splitter.push(bytesOf("f\n"))).toEqual(["ef"]);
  });
});
