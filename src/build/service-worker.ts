import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build as viteBuild, type Plugin, type ResolvedConfig } from "vite";
import { compressAssets } from "./compress-assets.ts";
import { emojiTablePlugin } from "./emoji-table.ts";

/** One file that the service worker keeps, in the shape that workbox-precaching expects. */
export interface PrecachedFile {
  url: string;
  /** `null` if the name changes with the content. */
  revision: string | null;
  /** Of a file whose name changes with the content; a host may change the others, such as its icon. */
  integrity?: string;
}

/** The app must work offline, also what loads later. Launchers keep large icons; frames bypass the worker. */
const PRECACHED = /\.(?:js|css|svg|webmanifest)$|^(?:index\.html|icon-192\.png|badge-96\.png)$/;

/** Vite's own hashed names. All other files keep their names from build to build, and need a revision. */
const HASHED = /^assets\//;

/** The workers by the names of their files, which stay the same: a browser looks there for new versions. */
const WORKERS = { "sw.js": "../sw/service-worker.ts", "push-sw.js": "../sw/push-worker.ts" } as const;

/** The texts of a language, which are built into a file of their own. */
const LANGUAGE = /\/src\/locales\/([^/]+)\.json$/;

/**
 * The files of a build that the service worker keeps, with their revisions: first those that the page names, as a first
 * visit needs them next, then the others, sorted.
 *
 * @param apart files that are kept in another way
 */
export async function listPrecached(folder: string, apart: readonly string[] = []): Promise<PrecachedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const urls = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join("/"),
    )
    .filter((url) => PRECACHED.test(url) && !Object.hasOwn(WORKERS, url) && !apart.includes(url));
  const page = urls.includes("index.html") ? await readFile(join(folder, "index.html"), "utf8") : "";
  const isNamed = (url: string): boolean => page.includes(`="./${url}"`);
  urls.sort((a, b) => Number(isNamed(b)) - Number(isNamed(a)) || (a < b ? -1 : 1));
  return Promise.all(
    urls.map(async (url) => {
      if (HASHED.test(url)) return { url, revision: null, integrity: await integrityOf(folder, url) };
      const content = await readFile(join(folder, url));
      return { url, revision: createHash("sha256").update(content).digest("hex").slice(0, 12) };
    }),
  );
}

async function integrityOf(folder: string, url: string): Promise<string> {
  const content = await readFile(join(folder, url));
  return `sha256-${createHash("sha256").update(content).digest("base64")}`;
}

/**
 * Vite plugin: after the app is built, lists its files, builds the service worker with that list into one file, `sw.js`,
 * beside `index.html`, and the worker that receives pushes into `push-sw.js`. The page names its build at its end, so that
 * no worker keeps a page of another build, or half of one. The plugin compresses what can be sent compressed,
 * and writes `build.txt` with the build's name last, so that an interrupted build isn't taken for complete.
 *
 * @param buildName the content of build.txt
 */
export function serviceWorker(buildName: string): Plugin {
  let config: ResolvedConfig | undefined;
  let isWritten = false;
  /** The files of languages, by the codes of these. */
  const languages: Record<string, string> = {};
  return {
    name: "earshot-service-worker",
    apply: "build",
    configResolved(resolved) {
      config = resolved;
    },
    transformIndexHtml: () => [{ tag: "data", attrs: { hidden: true, value: buildName }, injectTo: "body" }],
    writeBundle(_, files) {
      isWritten = true;
      for (const file of Object.values(files)) {
        const [, code] = (file.type === "chunk" && LANGUAGE.exec(file.facadeModuleId ?? "")) || [];
        if (code !== undefined) languages[code] = file.fileName;
      }
    },
    closeBundle: {
      sequential: true,
      order: "post",
      async handler() {
        // This hook is also called for a build that failed, which reports its own error.
        if (!isWritten) return;
        if (!config) throw new Error("closeBundle before configResolved");
        const folder = join(config.root, config.build.outDir);
        // A build that failed is closed too; an error here would hide the one that says why.
        if (!existsSync(join(folder, "index.html"))) return;
        const files = await listPrecached(folder, Object.values(languages));
        const languageFiles = await Promise.all(
          Object.entries(languages).map(async ([code, url]) => [
            code,
            { url, integrity: await integrityOf(folder, url) },
          ]),
        );
        for (const [name, entry] of Object.entries(WORKERS)) {
          await viteBuild({
            configFile: false,
            root: config.root,
            publicDir: false,
            logLevel: "warn",
            plugins: [emojiTablePlugin()],
            define: {
              __BUILD__: JSON.stringify(buildName),
              __PRECACHED__: JSON.stringify(files),
              __LANGUAGES__: JSON.stringify(Object.fromEntries(languageFiles)),
              "process.env.NODE_ENV": JSON.stringify("production"),
            },
            build: {
              target: "es2023",
              outDir: folder,
              emptyOutDir: false,
              reportCompressedSize: false,
              // As a library, so that no code is added for parts that are loaded later: service workers can't load any.
              lib: {
                entry: fileURLToPath(new URL(entry, import.meta.url)),
                formats: ["iife"],
                name: "worker",
                fileName: () => name,
              },
              rolldownOptions: { output: { codeSplitting: false } },
            },
          });
        }
        await compressAssets(folder);
        await writeFile(join(folder, "build.txt"), `${buildName}\n`);
      },
    },
  };
}
