import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_TEXT_BYTES, decodeText } from "../../src/hub/commands/content-commands";
import { readBeginning } from "../../src/hub/requests/read-text";
import { VirtualTime } from "./virtual-time";

const encode = (text: string) => new TextEncoder().encode(text);
const whole = (bytes: number[] | Uint8Array) => ({ bytes: Uint8Array.from(bytes), isCut: false });

test("a file's byte order mark decides its encoding, else its type does, else it is UTF-8", () => {
  expect(decodeText(whole([0xef, 0xbb, 0xbf, 0x61]), ["text/plain; charset=utf-16le"])).toMatchObject({ text: "a" });
  expect(decodeText(whole([0xff, 0xfe, 0x61, 0, 0xdf, 0]), [])).toMatchObject({ kind: "text", text: "aß" });
  expect(decodeText(whole([0xdf]), [null, "text/plain;charset=latin1"])).toMatchObject({ text: "ß" });
  expect(decodeText(whole(encode("ß")), ["text/plain; charset=klingon", undefined])).toMatchObject({ text: "ß" });
  expect(decodeText(whole([0x61, 0xff]), [])).toMatchObject({ text: "a\ufffd" });
});

test("only the beginning of the text is read, without half a character at its end", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 50 }).filter((text) => !/[\0\ufeff]/.test(text)),
      fc.integer({ min: 1, max: 9_000 }),
      async (part, times) => {
        const text = part.repeat(times);
        const beginning = await readBeginning(new Response(text), new VirtualTime(), MAX_TEXT_BYTES, "file");
        const read = decodeText(beginning, []);
        if (read.kind !== "text") throw new Error("no text");
        expect(text.startsWith(read.text)).toBe(true);
        expect(read.isCut).toBe(encode(text).length > MAX_TEXT_BYTES);
        expect(encode(read.text).length).toBeGreaterThan(Math.min(encode(text).length, MAX_TEXT_BYTES) - 4);
      },
    ),
    { numRuns: 40 },
  );
});
