import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin, Rolldown } from "vite";
import { graphOf, type Modules } from "./module-graph.ts";

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

const SOURCES = pathOf("../");

/** Files of the app that the build treats specially, as absolute paths; vite.config.ts names them. */
export interface SpecialFiles {
  /** The page's first script, which runs before the app. */
  begin: string;
  /** Exports `loadPart`, which loads what an `import()` names. */
  loadPart: string;
}

/** Ends an import of a worker's address; the client has the only one. */
const ADDRESS = "?worker&url";
const RESOLVED = "\0earshot:worker-address";

/** Vite's name for the helper around each `import()`; its own expects a page, even in a worker. */
const LOADER = "\0vite/preload-helper.js";

/**
 * V8 compiles all functions of a file that begins with this while the file loads, off the main thread. Otherwise it
 * compiles each when it is first called; and nearly all of this code is called before the first rows are drawn.
 */
const COMPILED_AT_ONCE = "//# allFunctionsCalledOnLoad\n";

/** Rolldown's module of helpers, otherwise a file of its own with only some bytes. */
const RUNTIME = "\0rolldown/runtime.js";

/** The files of the first load, and the modules in them. */
const FILES = {
  /** Modules that the first script runs. */
  begin: "begin",
  /** Those of its modules that the worker runs too. */
  common: "common",
  /** Modules that the page runs first and the worker runs too, perhaps later. */
  shared: "shared",
  page: "app",
  /** Modules that only a feed needs: a stranger has none yet. */
  feed: "feed",
  /** Modules that the worker runs first and the page may load later. They must not include a hub. */
  lent: "lent",
  /** The other modules that the worker runs first, except its entry. */
  hub: "hub",
} as const;

/**
 * Files that each page loads soon after the start, or at the first touch. In this order, each file holds everything
 * that it needs and that wasn't loaded before. More files, loaded one after the other, would keep the service worker
 * busy, which delays a new version. A comment at the start of a module names its file: `@chunk rows`.
 */
const SOON = ["deferred-shell", "rows", "background-services", "reorder"];

/** The file of the screens that a stranger sees first, which few later visits load. */
const VISIT = "visit";
/** What it and one of `SOON` both need, so that neither loads the other. */
const SHARED_WITH_VISIT = "shell-parts";

const CHUNK = /^(?:\/\/|<!--) @chunk ([\w-]+)/m;
/** Names the file of a component's style, if that is needed before its code. */
const STYLE_CHUNK = /^<!-- @style-chunk ([\w-]+)/m;

/** The modules that name each of these files in a comment. */
function modulesOf(files: readonly string[], comment: RegExp, ids: Iterable<string>): Map<string, string[]> {
  const modules = new Map<string, string[]>(files.map((name) => [name, []]));
  for (const id of ids) {
    if (!id.startsWith(SOURCES) || !/\.(?:ts|svelte)$/.test(id)) continue;
    const name = comment.exec(readFileSync(id, "utf8"))?.[1];
    if (name === undefined) continue;
    const own = modules.get(name);
    if (!own) throw new Error(`${id} names a file that the build doesn't know: ${name}`);
    own.push(id);
  }
  for (const [name, own] of modules) if (own.length === 0) throw new Error(`No module belongs to ${name}.`);
  return modules;
}

/**
 * Vite plugin: builds the worker together with the page, so that code that both need is in one file, which a browser
 * fetches once. Vite alone builds workers separately. During development the plugin does nothing.
 */
export function workerBesidePage({
  begin,
  loadPart,
}: SpecialFiles): Plugin & { groups: Rolldown.CodeSplittingGroup[] } {
  /** The entry of the worker whose address the client imports; empty until that import is resolved. */
  let worker = "";
  /** The screens of a first visit, and what they need besides; their files are named in the page. */
  let ofVisit: string[] = [];
  // The bundler adds imports of these later than a plugin can see.
  const fileOf = new Map<string, string>([
    [loadPart, FILES.shared],
    [RUNTIME, FILES.shared],
  ]);
  return {
    name: "earshot:worker-beside-page",
    apply: "build",
    enforce: "pre",
    async resolveId(id, importer) {
      if (!id.endsWith(ADDRESS)) return undefined;
      const entry = (await this.resolve(id.slice(0, -ADDRESS.length), importer))?.id;
      if (entry === undefined) throw new Error(`${id} leads to no worker.`);
      if (worker !== "" && worker !== entry) throw new Error(`${worker} is the one worker of the page, not ${entry}.`);
      worker = entry;
      return RESOLVED;
    },
    load(id) {
      if (id === LOADER) return `export { loadPart as __vitePreload } from ${JSON.stringify(loadPart)};`;
      if (id !== RESOLVED) return undefined;
      const file = this.emitFile({ type: "chunk", id: worker, name: "worker" });
      return `export default import.meta.ROLLUP_FILE_URL_${file};`;
    },
    buildStart() {
      this.emitFile({ type: "chunk", id: begin, name: FILES.begin });
    },
    transformIndexHtml: {
      order: "post",
      handler: (html, { bundle = {} }) =>
        withHub(withVisit(withBegin(html, begin, bundle), bundle, ofVisit), bundle, [worker]),
    },
    async buildEnd(error) {
      if (error) return;
      const modules: Modules = {
        codeOf: (id) => this.getModuleInfo(id)?.code,
        loadedLaterBy: (id) => this.getModuleInfo(id)?.dynamicallyImportedIds ?? [],
        resolve: async (source, importer) => (await this.resolve(source, importer, { skipSelf: false }))?.id,
      };
      const index = [...this.getModuleIds()].find((id) => id.endsWith("index.html"));
      if (index === undefined) throw new Error("There is no index.html to build.");
      const graph = await graphOf([index, worker, begin], modules);
      const [ofPage, ofWorker] = await Promise.all(
        [index, worker].map(async (id) => ({ first: await graph.first(id), all: await graph.all(id) })),
      );
      if (!ofPage || !ofWorker) throw new Error("There is no page or no worker.");
      for (const id of await graph.first(begin)) fileOf.set(id, ofWorker.all.has(id) ? FILES.common : FILES.begin);
      for (const id of ofPage.first) {
        if (!fileOf.has(id)) fileOf.set(id, ofWorker.all.has(id) ? FILES.shared : FILES.page);
      }
      const byChunk = modulesOf([...SOON, VISIT, FILES.feed], CHUNK, this.getModuleIds());
      const screens = byChunk.get(VISIT) ?? [];
      ofVisit = screens;
      const neededBy = async (entries: string[]): Promise<string[]> =>
        (await Promise.all(entries.map((entry) => graph.first(entry)))).flatMap((ids) => [...ids]);
      const ofStrangers = new Set(await neededBy(screens));
      for (const id of await neededBy(byChunk.get(FILES.feed) ?? [])) {
        // The first rows are drawn before this file comes, so their style is in the page's own.
        const own = isStyle(id) || ofStrangers.has(id) ? FILES.page : FILES.feed;
        if (!fileOf.has(id)) fileOf.set(id, ofWorker.all.has(id) ? FILES.shared : own);
      }
      for (const id of ofWorker.first) {
        if (!fileOf.has(id) && id !== worker) fileOf.set(id, ofPage.all.has(id) ? FILES.lent : FILES.hub);
      }
      const soon = new Map<string, Set<string>>();
      for (const name of [...SOON, VISIT]) {
        const entries = byChunk.get(name) ?? [];
        soon.set(name, new Set((await neededBy(entries)).filter((id) => !fileOf.has(id))));
      }
      const visit = soon.get(VISIT) ?? new Set();
      for (const name of SOON) {
        for (const id of soon.get(name) ?? []) if (visit.has(id)) fileOf.set(id, SHARED_WITH_VISIT);
      }
      // These styles are for the picture of a screen in the page, before the code of its components comes.
      for (const [name, entries] of modulesOf([SHARED_WITH_VISIT], STYLE_CHUNK, this.getModuleIds())) {
        for (const id of await neededBy(entries)) if (isStyle(id) && !fileOf.has(id)) fileOf.set(id, name);
      }
      for (const id of visit) if (!fileOf.has(id) && ofWorker.all.has(id)) fileOf.set(id, FILES.lent);
      // What the worker runs later too is in a file beside them, as none of them is for a worker.
      for (const [name, ids] of soon) {
        for (const id of ids) if (!fileOf.has(id) && !ofWorker.all.has(id)) fileOf.set(id, name);
      }
    },
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const entry = Object.values(bundle).find((file) => file.type === "chunk" && file.facadeModuleId === worker);
        if (entry?.type !== "chunk") throw new Error("The worker was not built.");
        asEntryAlone(entry, bundle);
        for (const file of Object.values(bundle)) {
          if (file.type === "chunk" && isOfPage(file)) file.code = COMPILED_AT_ONCE + file.code;
        }
        for (const file of loadedBy(entry.fileName, bundle)) {
          if (bundle[file]?.type === "chunk" && isPage(bundle[file])) {
            throw new Error(`${entry.fileName} leads to ${file}: a worker must not run the page.`);
          }
        }
      },
    },
    groups: [...Object.values(FILES), ...SOON, VISIT, SHARED_WITH_VISIT].map((name) => ({
      name,
      includeDependenciesRecursively: false,
      test: (id) => fileOf.get(id) === name,
    })),
  };
}

/** Whether the module is the style of a component. */
const isStyle = (id: string): boolean => id.includes("type=style");

/** Whether index.html starts this chunk. */
const isPage = ({ facadeModuleId }: Rolldown.OutputChunk): boolean => facadeModuleId?.endsWith("index.html") ?? false;

/** Whether it runs before the first rows are drawn, or before the app draws them instead. */
const isOfPage = (chunk: Rolldown.OutputChunk): boolean =>
  isPage(chunk) ||
  [FILES.begin, FILES.common, FILES.shared, FILES.page, FILES.feed].some((name) => chunk.name === name);

/**
 * Makes the page start with its first script, and names the app's files for that script to fetch:
 * loaded along with it, they would delay the first rows, as the browser compiles them.
 */
function withBegin(html: string, begin: string, bundle: Rolldown.OutputBundle): string {
  const entry = Object.values(bundle).find((file) => file.type === "chunk" && file.facadeModuleId === begin);
  if (entry?.type !== "chunk") throw new Error("The first script was not built.");
  const own = [...loadedBy(withoutFacade(entry, bundle), bundle)];
  const link = (rel: string, file: string): string => `<link rel="${rel}" crossorigin href="./${file}">`;
  const [first = "", ...needed] = own;
  const feed = Object.values(bundle).find((file) => file.type === "chunk" && file.name === FILES.feed);
  if (!feed) throw new Error("The feed was not built.");
  const start = `<script type="module" async crossorigin src="./${first}"></script>`;
  return html
    .replace(/<link rel="modulepreload" crossorigin href="\.\/([^"]+)">\s*/g, (_link, file: string) =>
      own.includes(file) ? "" : link("earshot-app", file),
    )
    .replace(/<script type="module" crossorigin src="\.\/([^"]+)"><\/script>/, (_script, app: string) =>
      [
        start,
        ...needed.map((file) => link("modulepreload", file)),
        link("earshot-app", app),
        link("earshot-app-feed", feed.fileName),
      ].join("\n    "),
    );
}

/**
 * Names the files that a first visit needs beside the app's own, for the script in the page, which asks for all of them
 * at once if nothing is stored.
 */
function withVisit(html: string, bundle: Rolldown.OutputBundle, ofVisit: readonly string[]): string {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const entries = chunks.filter(({ moduleIds }) => ofVisit.some((id) => moduleIds.includes(id)));
  if (entries.length === 0) throw new Error("The files of a first visit were not built.");
  const scripts = new Set(entries.flatMap(({ fileName }) => [...importedBy(fileName, bundle)]));
  const styles = new Set([...scripts].flatMap((file) => stylesOf(bundle[file])));
  const isNew = (file: string): boolean => !html.includes(`="./${file}"`);
  const links = [
    ...[...scripts].filter(isNew).map((file) => `<link rel="earshot-visit" crossorigin href="./${file}">`),
    ...[...styles].filter(isNew).map((file) => `<link rel="earshot-visit" as="style" crossorigin href="./${file}">`),
  ];
  return html.replace("</head>", `  ${links.join("\n    ")}\n  </head>`);
}

/**
 * Names the files of a hub up to the first subscription, for a first visit, which asks for all of them at once when the
 * hub is about to be needed (`src/client/fetch-hub-files.ts`).
 */
function withHub(html: string, bundle: Rolldown.OutputBundle, ofHub: readonly string[]): string {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const entries = chunks.filter(({ moduleIds }) => ofHub.some((id) => moduleIds.includes(id)));
  if (entries.length < ofHub.length) throw new Error("The files of the hub were not built.");
  const scripts = new Set(entries.flatMap(({ fileName }) => [...importedBy(fileName, bundle)]));
  const links = [...scripts]
    .filter((file) => !html.includes(`="./${file}"`))
    .map((file) => `<link rel="earshot-hub" href="./${file}">`);
  return html.replace("</head>", `  ${links.join("\n    ")}\n  </head>`);
}

/** The style sheets that Vite made of a chunk. */
function stylesOf(file: Rolldown.OutputBundle[string] | undefined): string[] {
  return file?.type === "chunk" ? [...(file.viteMetadata?.importedCss ?? [])] : [];
}

/**
 * Makes sure that nothing imports the worker's entry (see `worker.ts`). Also lists all files that run with the entry,
 * so that they are fetched at once, not one after the other.
 */
function asEntryAlone(entry: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): void {
  for (const file of Object.values(bundle)) {
    if (file.type === "chunk" && [...file.imports, ...file.dynamicImports].includes(entry.fileName)) {
      throw new Error(`${file.fileName} imports ${entry.fileName}: WebKit would run the worker's entry twice.`);
    }
  }
  const behind = [...importedBy(entry.fileName, bundle)].filter((file) => file !== entry.fileName);
  // They come after the entry's own imports, so that everything runs in the same order.
  entry.code += behind
    .filter((file) => !entry.imports.includes(file))
    .map((file) => `import"./${nameOf(file)}";\n`)
    .join("");
  entry.imports = behind;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** All files that run before a file, and the file itself. */
function importedBy(file: string, bundle: Rolldown.OutputBundle, found = new Set<string>()): Set<string> {
  const chunk = bundle[file];
  if (chunk?.type !== "chunk" || found.has(file)) return found;
  found.add(file);
  for (const next of chunk.imports) importedBy(next, bundle, found);
  return found;
}

/**
 * Starts the page with its code, not with a file that only imports it, which saves a wait. Returns the name of the
 * code's file.
 */
function withoutFacade({ fileName, moduleIds, imports }: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): string {
  const [main] = imports;
  if (moduleIds.length > 0 || main === undefined || imports.length > 1) return fileName;
  for (const file of Object.values(bundle)) {
    if (file.type === "chunk") file.code = file.code.replaceAll(nameOf(fileName), nameOf(main));
  }
  delete bundle[fileName];
  return main;
}

/** All files that a file leads to, including what is loaded later. */
function loadedBy(file: string, bundle: Rolldown.OutputBundle, found = new Set<string>()): Set<string> {
  const chunk = bundle[file];
  if (chunk?.type !== "chunk" || found.has(file)) return found;
  found.add(file);
  for (const next of [...chunk.imports, ...chunk.dynamicImports]) loadedBy(next, bundle, found);
  return found;
}
