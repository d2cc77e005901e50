import { codeLinks, EVERYTHING, ITS_EFFECT, type CodeLinks, type ModuleImport } from "./code-links.ts";

/** The bundler's information about its modules that the graph needs. */
export interface Modules {
  /** The module's code as JavaScript. */
  codeOf(id: string): string | null | undefined;
  /** The targets of its `import()`. */
  loadedLaterBy(id: string): readonly string[];
  resolve(source: string, importer: string): Promise<string | undefined>;
}

/** Which modules run when an entry starts. */
export interface ModuleGraph {
  /** Those that the entry imports statically. */
  first(entry: string): Promise<Set<string>>;
  /** Those, and everything that they may load with `import()`. */
  all(entry: string): Promise<Set<string>>;
}

/**
 * Finds the modules that a start reaches. It looks through index files that only re-export: the bundler's own tag
 * `$initial` would count everything behind them. It also ignores what a module needs only for code that the build
 * leaves out as unused.
 *
 * @param entries where the build starts
 */
export async function graphOf(entries: readonly string[], modules: Modules): Promise<ModuleGraph> {
  const known = new Map<string, Promise<CodeLinks>>();
  /** For each module, the statements that the build keeps. */
  const kept = new Map<string, Set<number>>();

  function linksOf(id: string): Promise<CodeLinks> {
    const links = known.get(id) ?? codeLinks(modules.codeOf(id), id, (source) => modules.resolve(source, id));
    known.set(id, links);
    return links;
  }

  /** The modules that define the imported names, behind all re-exports, each with its name there. */
  async function makersOf({ from, name }: ModuleImport, seen = new Set<string>()): Promise<ModuleImport[]> {
    const key = `${from}\0${String(name)}`;
    if (seen.has(key)) return [];
    seen.add(key);
    const { handedOn, allOf, own } = await linksOf(from);
    const findIn = async (taken: ModuleImport[]): Promise<ModuleImport[]> =>
      (await Promise.all(taken.map((one) => makersOf(one, seen)))).flat();
    if (name === ITS_EFFECT) return [{ from, name }];
    const all = allOf.map((one): ModuleImport => ({ from: one, name }));
    if (name === EVERYTHING) return [{ from, name }, ...(await findIn([...handedOn.values(), ...all]))];
    if (own.has(name)) return [{ from, name }];
    const handed = handedOn.get(name);
    return handed ? makersOf(handed, seen) : findIn(all);
  }

  const loadedLater = (id: string): ModuleImport[] =>
    modules.loadedLaterBy(id).map((from): ModuleImport => ({ from, name: EVERYTHING }));

  /** Notes which statements the build keeps for the imported names, and for everything that these use. */
  async function keep(start: ModuleImport[]): Promise<void> {
    const waiting = [...start];
    for (let taken = waiting.pop(); taken; taken = waiting.pop()) {
      for (const { from, name } of await makersOf(taken)) {
        const { statements, makers, own } = await linksOf(from);
        const here = kept.get(from) ?? new Set();
        if (!kept.has(from)) waiting.push(...loadedLater(from));
        kept.set(from, here);
        const maker = typeof name === "string" ? makers.get(own.get(name) ?? "") : undefined;
        const next = statements.flatMap(({ runs }, at) => (runs || name === EVERYTHING || at === maker ? [at] : []));
        for (let at = next.pop(); at !== undefined; at = next.pop()) {
          const statement = statements[at];
          if (!statement || here.has(at)) continue;
          here.add(at);
          waiting.push(...statement.takes);
          next.push(...[...statement.mentions].flatMap((mentioned) => makers.get(mentioned) ?? []));
        }
      }
    }
  }
  await keep(entries.map((from): ModuleImport => ({ from, name: EVERYTHING })));

  async function follow(entry: string, withLater: boolean): Promise<Set<string>> {
    const reached = new Set<string>();
    const waiting = await makersOf({ from: entry, name: EVERYTHING });
    for (let id = waiting.pop()?.from; id !== undefined; id = waiting.pop()?.from) {
      if (reached.has(id)) continue;
      reached.add(id);
      const { statements } = await linksOf(id);
      const taken = [...(kept.get(id) ?? [])].flatMap((at) => statements[at]?.takes ?? []);
      for (const one of withLater ? [...taken, ...loadedLater(id)] : taken) waiting.push(...(await makersOf(one)));
    }
    return reached;
  }

  return { first: (entry) => follow(entry, false), all: (entry) => follow(entry, true) };
}
