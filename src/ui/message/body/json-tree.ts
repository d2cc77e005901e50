// JSON as a tree of its source text. Unlike JSON.parse, it keeps key order, duplicate keys and long numbers.

/** A value and its position in the text. */
export type JsonNode = { start: number; end: number } & (
  | { kind: "object" | "array"; children: JsonChild[] }
  | { kind: "string"; text: string }
  /** As it was written, a number of any length too. */
  | { kind: "number" | "word"; text: string }
);

/** A value inside another, with its key or index. */
export interface JsonChild {
  key: string | number;
  node: JsonNode;
}

/** Deeper trees are shown as text, since their indents would be unreadable. */
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
    const start = at;
    if (first === '"') return { kind: "string", start, text: string(), end: at };
    if (first !== "{" && first !== "[") {
      const written = take(/[^\s,\]}]+/y);
      return { kind: /^[-\d]/.test(written) ? "number" : "word", start, text: written, end: at };
    }
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
    return { kind, start, children, end: at };
  }
  return read(0);
}

/** The path to a value in jq and JavaScript notation: `.disks[0]["free space"]`. */
export function jsonPath(keys: readonly (string | number)[]): string {
  const steps = keys.map((key) => {
    if (typeof key === "number") return `[${String(key)}]`;
    return /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  });
  const path = steps.join("");
  return path.startsWith(".") ? path : `.${path}`;
}
