// JSON as a tree of its source text. Unlike JSON.parse, it keeps key order, duplicate keys and long numbers.

export interface JsonParent {
  kind: "object" | "array";
  children: JsonChild[];
}

export type JsonNode =
  | JsonParent
  | { kind: "string"; text: string }
  /** As written; numbers may be of any length. */
  | { kind: "figure"; text: string };

/** A value inside another, with its key or index. */
export interface JsonChild {
  key: string | number;
  node: JsonNode;
}

/** Deeper trees are shown as text, because their indents would be unreadable. */
const DEEPEST = 64;

/** Reads a text that `JSON.parse` accepts; undefined if it is nested too deep. */
export function readJsonTree(text: string): JsonNode | undefined {
  let at = 0;

  const skip = (): string => {
    while (/[\s,:]/.test(text[at] ?? "")) at++;
    return text[at] ?? "";
  };
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const taken = pattern.exec(text)?.[0] ?? "";
    at += taken.length;
    return taken;
  };
  const string = (): string => JSON.parse(take(/"(?:[^"\\]|\\.)*"/y)) as string;

  function read(depth: number): JsonNode | undefined {
    const first = skip();
    if (first === '"') return { kind: "string", text: string() };
    if (first !== "{" && first !== "[") return { kind: "figure", text: take(/[^\s,\]}]+/y) };
    if (depth === DEEPEST) return undefined;
    const kind = first === "{" ? "object" : "array";
    const close = kind === "object" ? "}" : "]";
    const children: JsonChild[] = [];
    at++;
    while (skip() !== close) {
      const key = kind === "object" ? string() : children.length;
      const node = read(depth + 1);
      if (!node) return undefined;
      children.push({ key, node });
    }
    at++;
    return { kind, children };
  }
  return read(0);
}

/** How many children are shown at first, and with each "more". */
export const SHOWN_AT_ONCE = 100;

/** Chooses what to open at first: level by level, as long as it fits into this many lines. The root is always open. */
export function openWithin(root: JsonNode, lines: number): Set<JsonNode> {
  const open = new Set<JsonNode>();
  let left = lines;
  // It grows during the loop.
  const level = [root];
  for (const node of level) {
    if (!("children" in node)) continue;
    const cost = Math.min(node.children.length, SHOWN_AT_ONCE);
    if (node !== root && cost > left) continue;
    left -= cost;
    open.add(node);
    level.push(...node.children.slice(0, SHOWN_AT_ONCE).map((child) => child.node));
  }
  return open;
}
