import { parseSync } from "vite";

/** Everything that a module exports. */
export const EVERYTHING = Symbol("everything");
/** Nothing by name: the module only has to run. */
export const ITS_EFFECT = Symbol("its effect");

/** An import from a module. */
export interface ModuleImport {
  from: string;
  /** One of its exports. */
  name: string | typeof EVERYTHING | typeof ITS_EFFECT;
}

/** A statement at the top of a module. */
export interface Statement {
  /** The names that occur in it. */
  mentions: Set<string>;
  /** The imports that it uses. */
  takes: ModuleImport[];
  /** Whether it may have an effect when the module runs; otherwise it only defines a name. */
  runs: boolean;
}

/** The imports and re-exports of a module, after module names are resolved. */
export interface CodeLinks {
  statements: Statement[];
  /** Which statement defines a name. */
  makers: Map<string, number>;
  /** Re-exports, by the name under which they are exported. */
  handedOn: Map<string, ModuleImport>;
  allOf: string[];
  /** The name within the module, by the name under which it is exported. */
  own: Map<string, string>;
}

type Resolve = (source: string) => Promise<string | undefined>;

/** A node of a syntax tree; its fields are read whatever its type. */
interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

/** Declarations with these only define a name. */
const SAYS_ONLY = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
  "ClassDeclaration",
  "ClassExpression",
  "Literal",
]);

/** @param code undefined for modules that aren't part of the build */
export async function codeLinks(code: string | null | undefined, id: string, resolve: Resolve): Promise<CodeLinks> {
  const links: CodeLinks = { statements: [], makers: new Map(), handedOn: new Map(), allOf: [], own: new Map() };
  // Style sheets have no imports to follow.
  if (typeof code !== "string" || /\.css(?:$|\?)/.test(id)) return links;
  const { module, program } = parseSync(`${id}.js`, code);

  const byLocal = new Map<string, ModuleImport>();
  /** Modules that are imported as a namespace. */
  const objects = new Map<string, string>();
  for (const { moduleRequest, entries } of module.staticImports) {
    const from = await resolve(moduleRequest.value);
    if (from === undefined) continue;
    if (entries.length === 0) {
      const takes: ModuleImport[] = [{ from, name: ITS_EFFECT }];
      links.statements.push({ mentions: new Set(), takes, runs: true });
    }
    for (const { importName, localName } of entries) {
      if (importName.kind === "NamespaceObject") objects.set(localName.value, from);
      else byLocal.set(localName.value, { from, name: nameOf(importName) ?? EVERYTHING });
    }
  }

  for (const { moduleRequest, importName, exportName, localName } of module.staticExports.flatMap(
    ({ entries }) => entries,
  )) {
    const name = nameOf(exportName);
    if (!moduleRequest) {
      if (name !== undefined) links.own.set(name, localName.name ?? "default");
      continue;
    }
    const from = await resolve(moduleRequest.value);
    if (from === undefined) continue;
    if (name === undefined) links.allOf.push(from);
    else links.handedOn.set(name, { from, name: nameOf(importName) ?? EVERYTHING });
  }

  for (const statement of program.body as unknown as Node[]) {
    if (statement.type === "ImportDeclaration") continue;
    for (const part of partsOf(statement)) {
      const mentions = namesIn(part.node);
      const text = code.slice(part.node.start, part.node.end);
      const takes = [...mentions].flatMap((name): ModuleImport[] => {
        const taken = byLocal.get(name);
        // Svelte's compiler imports its runtime as a namespace, and then uses a few names of it.
        const from = objects.get(name);
        return taken
          ? [taken]
          : from === undefined
            ? []
            : [...membersOf(name, text)].map((one) => ({ from, name: one }));
      });
      for (const name of part.makes) links.makers.set(name, links.statements.length);
      links.statements.push({ mentions, takes, runs: part.runs });
    }
  }
  return links;
}

/** A statement, or its parts if it declares several names. */
function partsOf(statement: Node): { node: Node; makes: Set<string>; runs: boolean }[] {
  if (statement.type === "ExportDefaultDeclaration") {
    const declared = statement["declaration"] as Node;
    return [
      {
        node: declared,
        makes: new Set(["default", ...nameOfNode(declared["id"])]),
        runs: !SAYS_ONLY.has(declared.type),
      },
    ];
  }
  const node = (statement["declaration"] ?? statement) as Node;
  if (SAYS_ONLY.has(node.type)) return [{ node, makes: new Set(nameOfNode(node["id"])), runs: false }];
  if (node.type !== "VariableDeclaration") {
    return [
      { node, makes: new Set(), runs: node.type !== "ExportNamedDeclaration" && node.type !== "ExportAllDeclaration" },
    ];
  }
  return (node["declarations"] as Node[]).map((declared) => {
    const init = declared["init"] as Node | null;
    return { node: declared, makes: namesIn(declared["id"]), runs: init !== null && !SAYS_ONLY.has(init.type) };
  });
}

const nameOfNode = (node: unknown): string[] => (isNode(node) ? [String(node["name"])] : []);

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

/** All names that occur in a node, except those of members. */
function namesIn(node: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(node)) for (const one of node) namesIn(one, found);
  if (!isNode(node)) return found;
  if (node.type === "Identifier") found.add(String(node["name"]));
  for (const [field, value] of Object.entries(node)) {
    const isMemberName = (field === "property" || field === "key") && node["computed"] === false;
    if (!isMemberName) namesIn(value, found);
  }
  return found;
}

/** The members of an object that code uses. */
function membersOf(object: string, code: string): Set<string> {
  const used = new RegExp(`(?<![\\w$.])${object.replaceAll("$", "\\$")}\\.([\\w$]+)`, "g");
  return new Set([...code.matchAll(used)].map(([, name = ""]) => name));
}

function nameOf({ kind, name }: { kind: string; name: string | null }): string | undefined {
  return kind === "Default" ? "default" : (name ?? undefined);
}
