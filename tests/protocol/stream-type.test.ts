import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isStreamType, STREAM_TYPES, type HttpFormat } from "../../src/protocol";

const FORMATS: HttpFormat[] = ["json", "sse", "raw"];

const TABLE: [contentType: string | null, format: HttpFormat | undefined][] = [
  ["application/x-ndjson; charset=utf-8", "json"],
  ["application/x-ndjson", "json"],
  ["Application/X-NDJSON;Charset=UTF-8", "json"],
  ["application/x-ndjson ; charset=utf-8", "json"],
  ["application/x-ndjson, application/x-ndjson", "json"],
  ["text/event-stream; charset=utf-8", "sse"],
  ["TEXT/EVENT-STREAM", "sse"],
  ["text/plain; charset=utf-8", "raw"],
  ["text/html; charset=utf-8", undefined],
  ["text/html, application/x-ndjson", undefined],
  ["application/json", undefined],
  ["application/ndjson", undefined],
  ["application/x-ndjson+zip", undefined],
  ["x-application/x-ndjson", undefined],
  ['text/html; name="application/x-ndjson"', undefined],
  ["application/octet-stream", undefined],
  ["", undefined],
  [";", undefined],
  [null, undefined],
];

describe("a type of a stream", () => {
  test.each(TABLE)("%s is that of %s", (contentType, format) => {
    expect(FORMATS.filter((one) => isStreamType(one, contentType))).toEqual(format ? [format] : []);
  });

  const spaces = fc.stringMatching(/^[ \t]{0,3}$/);
  const rest = fc.option(fc.tuple(fc.constantFrom(";", ","), fc.string()), { nil: ["", ""] });

  test("is recognized whatever its case, its parameters and what was joined to it", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FORMATS),
        fc.infiniteStream(fc.boolean()),
        spaces,
        rest,
        (format, capitals, space, [sign, more]) => {
          const type = [...STREAM_TYPES[format]].map((letter) =>
            capitals.next().value ? letter.toUpperCase() : letter,
          );
          const contentType = `${type.join("")}${space}${sign ?? ""}${more ?? ""}`;
          expect(FORMATS.filter((one) => isStreamType(one, contentType))).toEqual([format]);
        },
      ),
    );
  });

  test("is not recognized if it only begins or ends like one", () => {
    const letters = fc.stringMatching(/^[a-z0-9+./-]{1,8}$/);
    fc.assert(
      fc.property(fc.constantFrom(...FORMATS), letters, fc.boolean(), (format, more, isBehind) => {
        const contentType = isBehind ? `${STREAM_TYPES[format]}${more}` : `${more}${STREAM_TYPES[format]}`;
        expect(FORMATS.some((one) => isStreamType(one, contentType))).toBe(false);
      }),
    );
  });
});
