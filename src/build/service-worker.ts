import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { build as viteBuild, type Plugin } from "vite";
import { emojiTablePlugin } from "./emoji-table.ts";

/** A file that the service worker keeps, in the shape that workbox-precaching expects. */
export interface PrecachedFile {
  url: string;
  /** `null` if the name changes with the content. */
  revision: string | null;
  /** For files whose name changes with the content; a host may change the others, such as its icon. */
  integrity?: string;
}

/**
 * The whole app must work offline, including what loads later. Launchers keep large icons themselves, and frames bypass
 * the worker.
 */
const PRECACHED = /\.(?:js|css|svg|webmanifest)$|^(?:index\.html|icon-192\.png|badge-96\.png)$/;

/** Vite's hashed names. All other files keep their names from build to build, and need a revision. */
const HASHED = /^assets\//;

/** The workers, which keep their names: a browser looks there for new versions. */
const WORKERS = { "sw.js": "../sw/service-worker.ts", "push-sw.js": "../sw/push-worker.ts" } as const;

/** A language's texts, for which the build makes a file of their own. */
const LANGUAGE = /\/src\/locales\/([^/]+)\.json$/;

/**
 * The files of a build that the service worker keeps, with their revisions: first those that the page names, which a
 * first visit needs next, then the others, sorted.
 *
 * @param apart files that are kept some other way
 */
export async function listPrecached(folder: string, apart: readonly string[] = []): Promise<PrecachedFile[]> {
  const urls = (await readdir(folder, { recursive: true }))
    .map((path) => path.split(sep).join("/"))
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
 * Vite plugin: lists the built files, builds the service worker with that list into `sw.js` beside `index.html`, and
 * builds the worker that receives pushes into `push-sw.js`. The page names its build at its end, so that no worker
 * keeps the page of another build, or half of one. The plugin also compresses the assets, and writes `build.txt` with
 * the build's name last, so that an interrupted build isn't taken for a complete one.
 *
 * @param buildName the content of build.txt
 */
export function serviceWorker(buildName: string): Plugin {
  let isWritten = false;
  /** The languages' files by language code. */
  const languages: Record<string, string> = {};
  return {
    name: "earshot-service-worker",
    apply: "build",
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
        const { root, build } = this.environment.config;
        const folder = join(root, build.outDir);
        // Vite also closes a failed build; an error here would hide the real one.
        if (!existsSync(join(folder, "index.html"))) return;
        const files = await listPrecached(folder, Object.values(languages));
        const languageFiles: Record<string, object> = {};
        for (const [code, url] of Object.entries(languages))
          languageFiles[code] = { url, integrity: await integrityOf(folder, url) };
        for (const [name, entry] of Object.entries(WORKERS)) {
          await viteBuild({
            configFile: false,
            root,
            publicDir: false,
            logLevel: "warn",
            plugins: [emojiTablePlugin()],
            define: {
              __BUILD__: JSON.stringify(buildName),
              __PRECACHED__: JSON.stringify(files),
              __LANGUAGES__: JSON.stringify(languageFiles),
              "process.env.NODE_ENV": JSON.stringify("production"),
            },
            build: {
              target: "es2023",
              outDir: folder,
              emptyOutDir: false,
              reportCompressedSize: false,
              // Built as a library, so that no code for lazy chunks is added: service workers can't load any.
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

/** Files that are worth compressing; pictures are compressed already. */
const WORTH_IT = /\.(?:js|css)$/;

/**
 * Writes a `.br` and a `.gz` beside each script and style sheet in a build's `assets`, for servers that can send such
 * files. Other files keep their names, and whoever hosts the app may edit them. Both kinds are needed: browsers accept
 * brotli only over https and from localhost, gzip from everywhere.
 */
export async function compressAssets(folder: string): Promise<void> {
  const assets = join(folder, "assets");
  const names = (await readdir(assets)).filter((name) => WORTH_IT.test(name));
  await Promise.all(
    names.map(async (name) => {
      const path = join(assets, name);
      const content = await readFile(path);
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
        promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
      ]);
      await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
    }),
  );
}
