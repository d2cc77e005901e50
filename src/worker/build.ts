import { fileURLToPath } from "node:url";
import type { Plugin, Rolldown } from "vite";
import { graphOf, type Modules } from "./build-graph.ts";

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

const ENTRY = pathOf("worker.ts");
/** What the page runs before the app. */
const BEGIN = pathOf("../ui/begin.ts");

/** As `client` imports it. */
const ADDRESS = "../worker/worker?worker&url";
const RESOLVED = "\0earshot:worker-address";

/** Vite's name for what it puts around each `import()`; its own looks for a page, in a worker too. */
const LOADER = "\0vite/preload-helper.js";
const OWN_LOADER = pathOf("../ui/load-part.ts");

/**
 * V8 compiles all functions of a file that begins so while the file comes in, beside the main thread. Else it compiles each
 * when it is first called; and of what comes first nearly all is called before the first rows are drawn.
 */
const COMPILED_AT_ONCE = "//# allFunctionsCalledOnLoad\n";

/** Rolldown's own module of helpers, a file of some bytes by itself. */
const RUNTIME = "\0rolldown/runtime.js";

/** Files of the first load, and what is in them. */
const FILES = {
  /** What the first script runs and the app runs as well. */
  begin: "begin",
  /** What the worker runs of that. */
  common: "common",
  /** What the page runs first and the worker runs as well, at some time. */
  shared: "shared",
  page: "app",
  /** What the worker runs first and the page may load later. It must not bring a hub with it. */
  lent: "lent",
  /** The rest of what the worker runs first, but for its entry. */
  hub: "hub",
} as const;

/**
 * What each page loads soon after, or at the first touch: in this order, each with all that it needs and was not loaded
 * before, in one file. One after the other they would keep the service worker busy, which holds up a new version.
 */
const SOON = {
  "deferred-shell": pathOf("../ui/deferred-shell.ts"),
  rows: pathOf("../ui/message/row-parts.ts"),
  "background-services": pathOf("../ui/background-services.ts"),
  reorder: pathOf("../ui/topics/reorder.ts"),
};

/**
 * Vite plugin: builds the worker together with the page, so that what both need of the protocol and the store is one file
 * that a browser fetches once; by itself Vite builds workers apart. While developing, it does nothing.
 */
export function workerBesidePage(): Plugin & { groups: Rolldown.CodeSplittingGroup[] } {
  // Imports of these are put in behind what a plugin sees.
  const fileOf = new Map<string, string>([
    [OWN_LOADER, FILES.shared],
    [RUNTIME, FILES.shared],
  ]);
  return {
    name: "earshot:worker-beside-page",
    apply: "build",
    enforce: "pre",
    resolveId: (id) => (id === ADDRESS ? RESOLVED : undefined),
    load(id) {
      if (id === LOADER) return `export { loadPart as __vitePreload } from ${JSON.stringify(OWN_LOADER)};`;
      if (id !== RESOLVED) return undefined;
      const file = this.emitFile({ type: "chunk", id: ENTRY, name: "worker" });
      return `export default import.meta.ROLLUP_FILE_URL_${file};`;
    },
    buildStart() {
      this.emitFile({ type: "chunk", id: BEGIN, name: FILES.begin });
    },
    transformIndexHtml: {
      order: "post",
      handler: (html, { bundle }) => withBegin(html, bundle ?? {}),
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
      const graph = await graphOf([index, ENTRY, BEGIN], modules);
      const [page, worker] = await Promise.all(
        [index, ENTRY].map(async (id) => ({ first: await graph.first(id), all: await graph.all(id) })),
      );
      if (!page || !worker) throw new Error("There is no page or no worker.");
      for (const id of await graph.first(BEGIN)) fileOf.set(id, worker.all.has(id) ? FILES.common : FILES.begin);
      for (const id of page.first) {
        if (!fileOf.has(id)) fileOf.set(id, worker.all.has(id) ? FILES.shared : FILES.page);
      }
      for (const id of worker.first) {
        if (!page.first.has(id) && id !== ENTRY) fileOf.set(id, page.all.has(id) ? FILES.lent : FILES.hub);
      }
      for (const [name, entry] of Object.entries(SOON)) {
        for (const id of await graph.first(entry)) if (!fileOf.has(id)) fileOf.set(id, name);
      }
    },
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const entry = Object.values(bundle).find((file) => file.type === "chunk" && file.facadeModuleId === ENTRY);
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
    groups: [...Object.values(FILES), ...Object.keys(SOON)].map((name) => ({
      name,
      includeDependenciesRecursively: false,
      test: (id) => fileOf.get(id) === name,
    })),
  };
}

/** It is what index.html starts. */
const isPage = ({ facadeModuleId }: Rolldown.OutputChunk): boolean => facadeModuleId?.endsWith("index.html") ?? false;

/** It runs before the first rows are drawn, or the app in their place. */
const isOfPage = (chunk: Rolldown.OutputChunk): boolean =>
  isPage(chunk) || [FILES.begin, FILES.common, FILES.shared, FILES.page].some((name) => chunk.name === name);

/**
 * Lets the page begin with its first script, and names the app's files for that to fetch (`src/ui/begin.ts`): beside it they
 * would hold up the first rows, for which the browser compiles them.
 */
function withBegin(html: string, bundle: Rolldown.OutputBundle): string {
  const entry = Object.values(bundle).find((file) => file.type === "chunk" && file.facadeModuleId === BEGIN);
  if (entry?.type !== "chunk") throw new Error("The first script was not built.");
  const own = [...loadedBy(withoutFacade(entry, bundle), bundle)];
  const link = (rel: string, file: string): string => `<link rel="${rel}" crossorigin href="./${file}">`;
  const [begin = "", ...needed] = own;
  const start = `<script type="module" async crossorigin src="./${begin}"></script>`;
  return html
    .replace(/<link rel="modulepreload" crossorigin href="\.\/([^"]+)">\s*/g, (_link, file: string) =>
      own.includes(file) ? "" : link("earshot-app", file),
    )
    .replace(/<script type="module" crossorigin src="\.\/([^"]+)"><\/script>/, (_script, app: string) =>
      [start, ...needed.map((file) => link("modulepreload", file)), link("earshot-app", app)].join("\n    "),
    );
}

/**
 * The worker's entry, see `worker.ts`: nothing imports it. It names all files that run with it, so that they are fetched at
 * once, not one behind the other.
 */
function asEntryAlone(entry: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): void {
  for (const file of Object.values(bundle)) {
    if (file.type === "chunk" && [...file.imports, ...file.dynamicImports].includes(entry.fileName)) {
      throw new Error(`${file.fileName} imports ${entry.fileName}: WebKit would run the worker's entry twice.`);
    }
  }
  const behind = [...importedBy(entry.fileName, bundle)].filter((file) => file !== entry.fileName);
  // Behind its own, so that they run in the same order.
  entry.code += behind
    .filter((file) => !entry.imports.includes(file))
    .map((file) => `import"./${nameOf(file)}";\n`)
    .join("");
  entry.imports = behind;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** All files that run before one does, and the file itself. */
function importedBy(file: string, bundle: Rolldown.OutputBundle, found = new Set<string>()): Set<string> {
  const chunk = bundle[file];
  if (chunk?.type !== "chunk" || found.has(file)) return found;
  found.add(file);
  for (const next of chunk.imports) importedBy(next, bundle, found);
  return found;
}

/** Starts the page with its code, not with a file that only imports it: one wait less. The name of the code's file. */
function withoutFacade({ fileName, moduleIds, imports }: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): string {
  const [main] = imports;
  if (moduleIds.length > 0 || main === undefined || imports.length > 1) return fileName;
  for (const file of Object.values(bundle)) {
    if (file.type === "chunk") file.code = file.code.replaceAll(nameOf(fileName), nameOf(main));
  }
  delete bundle[fileName];
  return main;
}

/** All files that one leads to, with what it loads later. */
function loadedBy(file: string, bundle: Rolldown.OutputBundle, found = new Set<string>()): Set<string> {
  const chunk = bundle[file];
  if (chunk?.type !== "chunk" || found.has(file)) return found;
  found.add(file);
  for (const next of [...chunk.imports, ...chunk.dynamicImports]) loadedBy(next, bundle, found);
  return found;
}
