import { describe, expect, it } from "vitest";
import { headingsOf, isThere, linksOf, pointersOf } from "./pointers";

const DOCUMENT = `# Title

## 1. First: "one" and [two](x.md)

1. A promise.

### Answers

## 2. Second

\`\`\`
## 3. No heading
\`\`\`

| C1  | a row  |

## Answers
`;

it("headings have the slug of a link to them, and the number of their section", () => {
  expect(headingsOf(DOCUMENT)).toEqual([
    { text: "Title", slug: "title", section: undefined },
    { text: '1. First: "one" and [two](x.md)', slug: "1-first-one-and-two", section: 1 },
    { text: "Answers", slug: "answers", section: 1 },
    { text: "2. Second", slug: "2-second", section: 2 },
    { text: "Answers", slug: "answers-1", section: undefined },
  ]);
});

it("links are those into the repository", () => {
  expect(linksOf("[a](b.md#c) [d](#e) [f](https://g) ![h](i.png)")).toEqual(["b.md#c", "#e", "i.png"]);
});

describe("pointers", () => {
  it.each([
    ["// (protocol, section 4)", [{ document: "protocol", section: 4, parts: [] }]],
    ["// docs/design.md §4", [{ document: "design", section: 4, parts: [] }]],
    ["// docs/protocol.md §2, 8 and 11", [2, 8, 11].map((section) => ({ document: "protocol", section, parts: [] }))],
    ["/** (protocol,\n * section 18, C5). */", [{ document: "protocol", section: 18, parts: ["C5"] }]],
    ['// (DESIGN, section 4, "Answers")', [{ document: "design", section: 4, parts: ['"Answers"'] }]],
    ["// section 4", [{ document: undefined, section: 4, parts: [] }]],
    [
      "// DESIGN, section 6; protocol, section 16",
      [
        { document: "design", section: 6, parts: [] },
        { document: "protocol", section: 16, parts: [] },
      ],
    ],
    ["// the protocol's 4 sections\n// a section", []],
  ])("%j", (source, pointers) => {
    expect(pointersOf(source)).toEqual(pointers);
  });

  it.each<[section: number, parts: string[], there: boolean]>([
    [1, [], true],
    [1, ['"Answers"', "promise 1"], true],
    [1, ["promise 2"], false],
    [2, ["C1"], true],
    [2, ["C2"], false],
    [2, ['"Answers"'], false],
    [3, [], false],
  ])("section %i with %j is there: %s", (section, parts, there) => {
    expect(isThere(DOCUMENT, { document: "design", section, parts })).toBe(there);
  });
});
