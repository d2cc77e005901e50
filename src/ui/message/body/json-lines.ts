import type { JsonChild, JsonNode } from "./json-tree";

/** One line of a tree on the screen. */
export type JsonLine = {
  /** Identifies a place in the tree by indexes, since keys can be duplicates. */
  id: string;
  /** From 1. */
  level: number;
  /** Keys from the root to the value, for its path; for a "more" line, those of what it continues. */
  keys: (string | number)[];
  /** Position among its siblings, from 1, and their number. */
  position: number;
  siblings: number;
} & (
  | { kind: "value"; key: string | number | undefined; node: JsonNode; expanded: boolean | undefined }
  /** Stands for children that are left out. */
  | { kind: "more"; hidden: number }
);

/** What is open in a tree. */
export interface JsonView {
  /** Ids of the objects and lists that are open. */
  open: ReadonlySet<string>;
  /** How many children are shown, by id, once the user asked for more. */
  shown: ReadonlyMap<string, number>;
}

/** How many children are shown at first, and with each "more". */
export const SHOWN_AT_ONCE = 100;

const ROOT = "";

const isParent = (node: JsonNode): node is JsonNode & { children: JsonChild[] } => "children" in node;

const childId = (id: string, index: number): string => `${id}/${String(index)}`;

/** What to open at first: level by level, while everything fits into this many lines. The root is always open. */
export function openWithin(root: JsonNode, lines: number): ReadonlySet<string> {
  const open = new Set<string>();
  let left = lines;
  let level: [string, JsonNode][] = [[ROOT, root]];
  while (level.length > 0) {
    const next: [string, JsonNode][] = [];
    for (const [id, node] of level) {
      if (!isParent(node) || node.children.length === 0) continue;
      const cost = Math.min(node.children.length, SHOWN_AT_ONCE);
      if (id !== ROOT && cost > left) continue;
      left -= cost;
      open.add(id);
      node.children.slice(0, SHOWN_AT_ONCE).forEach((child, at) => next.push([childId(id, at), child.node]));
    }
    level = next;
  }
  return open;
}

/** The lines of a tree as currently open. The root has none: its braces say nothing. */
export function jsonLines(root: JsonNode, view: JsonView): JsonLine[] {
  const lines: JsonLine[] = [];
  const add = (
    node: JsonNode,
    line: Omit<JsonLine & { kind: "value" }, "kind" | "node" | "expanded" | "level">,
  ): void => {
    const { id, keys } = line;
    const expanded = isParent(node) && node.children.length > 0 ? id === ROOT || view.open.has(id) : undefined;
    if (id !== ROOT) lines.push({ ...line, kind: "value", level: keys.length, node, expanded });
    if (!expanded || !isParent(node)) return;
    const siblings = node.children.length;
    const shown = node.children.slice(0, view.shown.get(id) ?? SHOWN_AT_ONCE);
    for (const [at, { key, node: child }] of shown.entries()) {
      add(child, { id: childId(id, at), keys: [...keys, key], key, position: at + 1, siblings });
    }
    const hidden = siblings - shown.length;
    if (hidden === 0) return;
    const level = keys.length + 1;
    lines.push({ kind: "more", id: `${id}/more`, level, keys, position: shown.length + 1, siblings, hidden });
  };
  add(root, { id: ROOT, keys: [], key: undefined, position: 1, siblings: 1 });
  return lines;
}

/** Id of the object or list that contains a line; undefined for the root. */
export function parentId(id: string): string | undefined {
  return id === ROOT ? undefined : id.slice(0, id.lastIndexOf("/"));
}
