import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonLines, openWithin, parentId, SHOWN_AT_ONCE, type JsonLine } from "../../src/ui/message/body/json-lines";
import { isJsonText } from "../../src/ui/message/body/body-form";
import { jsonPath, readJsonTree, type JsonNode } from "../../src/ui/message/body/json-tree";

/** The value that a tree represents, as JSON.parse would have made it. */
function valueOf(node: JsonNode): unknown {
  if (node.kind === "string") return node.text;
  if (!("children" in node)) return JSON.parse(node.text);
  if (node.kind === "array") return node.children.map(({ node: child }) => valueOf(child));
  // Defined rather than assigned: `__proto__` is a key like any other.
  const made = {};
  for (const { key, node: child } of node.children) {
    Object.defineProperty(made, key, { value: valueOf(child), enumerable: true, configurable: true, writable: true });
  }
  return made;
}

function tree(text: string): JsonNode {
  const root = readJsonTree(text);
  if (!root) throw new Error("too deep");
  return root;
}

const everything = { open: { has: () => true } as unknown as ReadonlySet<string>, shown: new Map<string, number>() };
const words = (line: JsonLine) =>
  line.kind === "more" ? `+${String(line.hidden)}` : `${String(line.key ?? "")}${line.expanded === false ? " …" : ""}`;

describe("recognising JSON", () => {
  it.each(['{"a":1}', ' [1, "b"]\n', '{"a":{}}'])("%s", (text) => expect(isJsonText(text)).toBe(true));
  it.each(["", "{}", "[]", "[x]", "{a: 1}", '"text"', "12", '{"a":1} and more', "[info] started]", '{"a":1'])(
    "not %s",
    (text) => expect(isJsonText(text)).toBe(false),
  );
  it("isn't recognised in a text too long for a tree", () =>
    expect(isJsonText(`["${"x".repeat(200_000)}"]`)).toBe(false));
});

describe("a tree", () => {
  it("holds what JSON.parse finds, however it is indented", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, 2, "\t"), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        // Compares with the parsed text rather than the value, as -0 is written as 0.
        expect(valueOf(tree(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it("knows where each value was written", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), (values) => {
        const text = JSON.stringify(values, null, 2);
        const root = tree(text);
        const children = "children" in root ? root.children : [];
        expect(children.map(({ node }) => JSON.parse(text.slice(node.start, node.end)) as unknown)).toEqual(
          JSON.parse(text),
        );
      }),
    );
  });

  it("keeps what parsed values lose: the order of keys, duplicate keys, long numbers", () => {
    const root = tree('{"b": 12345678901234567890, "1": 1.10, "b": 2e400}');
    expect("children" in root && root.children.map(({ key, node }) => [key, "text" in node && node.text])).toEqual([
      ["b", "12345678901234567890"],
      ["1", "1.10"],
      ["b", "2e400"],
    ]);
  });

  it("is not made if it would be too deep to read", () => {
    expect(readJsonTree(`${"[".repeat(65)}1${"]".repeat(65)}`)).toBeUndefined();
    expect(readJsonTree(`${"[".repeat(5000)}1${"]".repeat(5000)}`)).toBeUndefined();
    expect(readJsonTree(`${"[".repeat(60)}1${"]".repeat(60)}`)).toBeDefined();
  });
});

describe("the lines of a tree", () => {
  const text = '{"job":"nightly","disks":[{"name":"sda","free":12},{"name":"sdb","free":0}],"ok":true}';

  it("are those of open branches, each with its level and place", () => {
    const root = tree(text);
    expect(jsonLines(root, { open: new Set(), shown: new Map() }).map(words)).toEqual(["job", "disks …", "ok"]);
    const all = jsonLines(root, everything);
    expect(all.map(({ level }) => level)).toEqual([1, 1, 2, 3, 3, 2, 3, 3, 1]);
    expect(all.map(({ position, siblings }) => `${String(position)}/${String(siblings)}`).slice(0, 4)).toEqual([
      ...["1/3", "2/3", "1/2", "1/2"],
    ]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const parents = all.filter(({ level }) => level > 1).map(({ id }) => parentId(id));
    for (const parent of parents) expect(all.map(({ id }) => id)).toContain(parent);
  });

  it("are opened level by level as far as there is room, the root always", () => {
    const root = tree(text);
    const lines = (room: number) => jsonLines(root, { open: openWithin(root, room), shown: new Map() }).length;
    expect([1, 3, 5, 7, 9, 100].map(lines)).toEqual([3, 3, 5, 7, 9, 9]);
  });

  it("never open more than there is room for, except for the root", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 1, max: 40 }), (value, room) => {
        const root = tree(JSON.stringify(value));
        const size = "children" in root ? root.children.length : 0;
        const count = jsonLines(root, { open: openWithin(root, room), shown: new Map() }).length;
        expect(count).toBeLessThanOrEqual(Math.max(room, size));
      }),
    );
  });

  it("of a long list come in parts", () => {
    const root = tree(JSON.stringify(Array.from({ length: 250 }, (_, at) => at)));
    const count = (shown: number | undefined) =>
      jsonLines(root, { open: new Set([""]), shown: new Map(shown === undefined ? [] : [["", shown]]) });
    expect(count(undefined).map(words).at(-1)).toBe(`+${String(250 - SHOWN_AT_ONCE)}`);
    expect(count(200).map(words).at(-1)).toBe("+50");
    expect(count(300).map(words).at(-1)).toBe("249");
    expect(openWithin(root, 12)).toEqual(new Set([""]));
  });
});

describe("the path of a value", () => {
  it.each([
    [[], "."],
    [["a", "b", 0, "c_1"], ".a.b[0].c_1"],
    [[2, "x"], ".[2].x"],
    [["odd key", "1", 'say "hi"'], '.["odd key"]["1"]["say \\"hi\\""]'],
  ])("%j is %s", (keys, path) => expect(jsonPath(keys)).toBe(path));
});
