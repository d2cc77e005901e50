import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { build } from "../../src/ui/snapshot/tree";

/** As much of an element as `build` uses. */
class Fake {
  readonly attributes: Record<string, string> = {};
  readonly styles: Record<string, string> = {};
  readonly children: (Fake | string)[] = [];
  readonly style = { setProperty: (name: string, value: string) => void (this.styles[name] = value) };
  constructor(readonly localName: string) {}
  setAttribute(name: string, value: string): void {
    this.attributes[name] = value;
  }
  append(child: Fake | string): void {
    this.children.push(child);
  }
}

let made = 0;
beforeAll(() => {
  const createElement = (name: string): Fake => (made++, new Fake(name));
  vi.stubGlobal("document", { createElement, createElementNS: (_space: string, name: string) => createElement(name) });
});
afterAll(() => void vi.unstubAllGlobals());

const built = (tree: unknown): Fake | undefined => build(tree) as unknown as Fake | undefined;
const elementsOf = (fake: Fake): Fake[] => [
  fake,
  ...fake.children.flatMap((child) => (child instanceof Fake ? elementsOf(child) : [])),
];

const ATTRIBUTES = { class: "row unread", id: "row 1/2/a", tabindex: "0" };
const SQUARE = { background: "var(--topic-3)", "inline-size": "10px" };
const ROW = [
  "article",
  ATTRIBUTES,
  {},
  ["a", { href: "https://example.org/", target: "_blank" }, {}, "a link"],
  ["span", { class: "square" }, SQUARE],
  ["svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, {}, ["path", { d: "M12 5v14" }, {}]],
];

describe("the elements of a snapshot", () => {
  it("are built with their attributes, styles and texts", () => {
    const row = built(ROW);
    expect(row && elementsOf(row).map(({ localName }) => localName)).toEqual(["article", "a", "span", "svg", "path"]);
    expect(row).toMatchObject({
      attributes: ATTRIBUTES,
      children: [{ children: ["a link"] }, { styles: SQUARE }, {}],
    });
  });

  it.each<[what: string, tree: unknown]>([
    ["a script", ["script", {}, {}, "alert(1)"]],
    ["a frame", ["iframe", { title: "x" }, {}]],
    ["a picture", ["img", {}, {}]],
    ["a script deep inside", ["div", {}, {}, ["p", {}, {}, ["script", {}, {}]]]],
    ["a handler", ["div", { onload: "alert(1)" }, {}]],
    ["a style attribute", ["div", { style: "color: red" }, {}]],
    ["HTML", ["div", { srcdoc: "<b>" }, {}]],
    ["an address that runs", ["a", { href: "javascript:alert(1)" }, {}]],
    ["an address of data", ["a", { href: " data:text/html,x" }, {}]],
    ["another style", ["div", {}, { position: "fixed" }]],
    ["a style that loads", ["div", {}, { background: "url(https://example.org)" }]],
    ["an attribute that is no text", ["div", { class: 1 }, {}]],
    ["no attributes", ["div"]],
    ["a number", 7],
    ["nothing", undefined],
    ["a text alone", "text"],
    ["a child that is none", ["div", {}, {}, null]],
  ])("are refused whole with %s", (_what, tree) => {
    expect(built(tree)).toBeUndefined();
  });

  it("are refused without much work where there are a million, or they are nested without end", () => {
    made = 0;
    const many = Array.from({ length: 1_000_000 }, () => ["i", {}, {}]);
    expect(built(["div", {}, {}, ...many])).toBeUndefined();
    expect(made).toBeLessThan(10_000);
    let deep: unknown = "text";
    for (let at = 0; at < 10_000; at++) deep = ["div", {}, {}, deep];
    expect(built(deep)).toBeUndefined();
  });

  it("never run, load or cover anything, whatever is stored", () => {
    const name = fc.oneof(
      fc.constantFrom("div", "a", "p", "svg", "script", "style", "iframe", "object", "form", "SCRIPT", "meta", "base"),
      fc.string({ maxLength: 8 }),
    );
    const value = fc.oneof(
      fc.constantFrom(
        "javascript:alert(1)",
        "https://example.org",
        "#/x",
        "//example.org",
        "url(x)",
        "10px",
        "var(--a)",
      ),
      fc.string({ maxLength: 12 }),
      fc.integer(),
    );
    const attribute = fc.oneof(
      fc.constantFrom(
        "href",
        "class",
        "onclick",
        "onload",
        "style",
        "src",
        "srcdoc",
        "action",
        "formaction",
        "__proto__",
      ),
      fc.string({ maxLength: 8 }),
    );
    const style = fc.oneof(
      fc.constantFrom("background", "color", "position", "inset", "inline-size"),
      fc.string({ maxLength: 8 }),
    );
    const { node } = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        fc.jsonValue(),
        fc
          .tuple(
            name,
            fc.dictionary(attribute, value, { maxKeys: 2 }),
            fc.dictionary(style, value, { maxKeys: 2 }),
            fc.array(tie("node"), { maxLength: 3 }),
          )
          .map(([tag, attributes, styles, children]) => [tag, attributes, styles, ...children]),
      ),
    }));
    fc.assert(
      fc.property(node, (tree) => {
        const root = built(tree);
        for (const { localName, attributes, styles } of root ? elementsOf(root) : []) {
          expect(localName).not.toMatch(/script|style|iframe|object|embed|meta|base|link|img|video|audio/i);
          for (const [name, value] of Object.entries(attributes)) {
            expect(name).not.toMatch(/^on|^style$|src|action/i);
            if (name === "href") expect(value).toMatch(/^(?:https?:\/\/|#)/);
          }
          for (const [name, value] of Object.entries(styles))
            expect(`${name}: ${value}`).not.toMatch(/url|position|inset/);
        }
      }),
      { numRuns: 500 },
    );
  });
});
