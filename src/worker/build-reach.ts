import { parseSync } from "vite";

/** What is asked of the bundler about its modules. */
export interface Modules {
  /** What the module is as JavaScript. */
  codeOf(id: string): string | null | undefined;
  /** The targets of its `import()`. */
  loadedLaterBy(id: string): readonly string[];
  resolve(source: string, importer: string): Promise<string | undefined>;
}

/** A name of a module's exports; `undefined` stands for all. */
interface Taken {
  from: string;
  name: string | undefined;
}

/** What a module takes from others, and hands on of them, once the names of modules are resolved. */
interface Links {
  taken: Taken[];
  /** By the name under which it is handed on. */
  handedOn: Map<string, Taken>;
  allOf: string[];
  own: Set<string>;
}

/** What runs when an entry is started. */
export interface Reach {
  /** Before anything is loaded later. */
  first: Set<string>;
  /** With all that it may load later. */
  all: Set<string>;
}

/**
 * The modules that an entry reaches. An index that only hands exports on is no use of all that is behind it, as it is to
 * the bundler's own tag `$initial`.
 */
export async function reachOf(entry: string, modules: Modules): Promise<Reach> {
  const known = new Map<string, Promise<Links>>();
  const linksOf = (id: string): Promise<Links> => {
    const links = known.get(id) ?? readLinks(id, modules);
    known.set(id, links);
    return links;
  };

  /** The modules that make what is taken, through all that hand it on. */
  async function makersOf({ from, name }: Taken, seen = new Set<string>()): Promise<string[]> {
    const key = `${from}\0${name ?? ""}`;
    if (seen.has(key)) return [];
    seen.add(key);
    const { handedOn, allOf, own } = await linksOf(from);
    const findIn = async (taken: Taken[]): Promise<string[]> =>
      (await Promise.all(taken.map((one) => makersOf(one, seen)))).flat();
    if (name === undefined) {
      return [from, ...(await findIn([...handedOn.values(), ...allOf.map((one) => ({ from: one, name }))]))];
    }
    if (own.has(name)) return [from];
    const handed = handedOn.get(name);
    return handed ? makersOf(handed, seen) : findIn(allOf.map((one) => ({ from: one, name })));
  }

  async function follow(withLater: boolean): Promise<Set<string>> {
    const reached = new Set<string>();
    const waiting = await makersOf({ from: entry, name: undefined });
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (reached.has(id)) continue;
      reached.add(id);
      const later = withLater ? modules.loadedLaterBy(id).map((from) => ({ from, name: undefined })) : [];
      for (const taken of [...(await linksOf(id)).taken, ...later]) waiting.push(...(await makersOf(taken)));
    }
    return reached;
  }

  return { first: await follow(false), all: await follow(true) };
}

async function readLinks(id: string, modules: Modules): Promise<Links> {
  const links: Links = { taken: [], handedOn: new Map(), allOf: [], own: new Set() };
  const code = modules.codeOf(id);
  // Styles are no scripts; what the bundler does not hold lies outside of the build.
  if (typeof code !== "string" || /\.css(?:$|\?)/.test(id)) return links;
  const { staticImports, staticExports } = parseSync(`${id}.js`, code).module;
  for (const { moduleRequest, entries } of staticImports) {
    const from = await modules.resolve(moduleRequest.value, id);
    if (from === undefined) continue;
    if (entries.length === 0) links.taken.push({ from, name: undefined });
    for (const { importName, localName } of entries) {
      // Svelte's compiler takes its runtime whole and then uses a few names of it.
      if (importName.kind !== "NamespaceObject") links.taken.push({ from, name: nameOf(importName) });
      else for (const name of membersOf(localName.value, code)) links.taken.push({ from, name });
    }
  }
  for (const { moduleRequest, importName, exportName } of staticExports.flatMap(({ entries }) => entries)) {
    const name = nameOf(exportName);
    if (!moduleRequest) {
      if (name !== undefined) links.own.add(name);
      continue;
    }
    const from = await modules.resolve(moduleRequest.value, id);
    if (from === undefined) continue;
    if (name === undefined) links.allOf.push(from);
    else links.handedOn.set(name, { from, name: nameOf(importName) });
  }
  return links;
}

/** The names that code uses of an object. */
function membersOf(object: string, code: string): Set<string> {
  const used = new RegExp(`(?<![\\w$.])${object.replaceAll("$", "\\$")}\\.([\\w$]+)`, "g");
  return new Set([...code.matchAll(used)].map(([, name = ""]) => name));
}

function nameOf({ kind, name }: { kind: string; name: string | null }): string | undefined {
  return kind === "Default" ? "default" : (name ?? undefined);
}
