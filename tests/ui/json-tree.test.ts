import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isJsonText } from "../../src/ui/message/body/body-form";
import { openWithin, readJsonTree, type JsonNode } from "../../src/ui/message/body/json-tree";

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

describe("what is open at first", () => {
  const text = '{"job":"nightly","disks":[{"name":"sda","free":12},{"name":"sdb","free":0}],"ok":true}';
  /** How many lines are shown. */
  const lines = (root: JsonNode, room: number) =>
    [...openWithin(root, room)].reduce((sum, node) => sum + ("children" in node ? node.children.length : 0), 0);

  it("is opened level by level as far as there is room, the root always", () => {
    expect([1, 3, 5, 7, 9, 100].map((room) => lines(tree(text), room))).toEqual([3, 3, 5, 7, 9, 9]);
  });

  it("never takes more than there is room for, except for the root", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 1, max: 40 }), (value, room) => {
        const root = tree(JSON.stringify(value));
        const size = "children" in root ? root.children.length : 0;
        expect(lines(root, room)).toBeLessThanOrEqual(Math.max(room, size));
      }),
    );
  });
});
