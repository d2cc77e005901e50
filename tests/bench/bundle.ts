import { svelte } from "@sveltejs/vite-plugin-svelte";
import { build } from "vite";
import type { LoopbackServer } from "./loopback-server";

/** Builds an entry as the app is built; returns contents by file name, with the entry as `entry.js`. */
export async function bundle(entry: URL): Promise<Map<string, string | Buffer>> {
  const result = await build({
    configFile: false,
    logLevel: "error",
    plugins: [svelte({ configFile: false, compilerOptions: { runes: true } })],
    build: {
      target: "es2023",
      write: false,
      // An entry may be a worker, which has no document for a preload link.
      modulePreload: { polyfill: false, resolveDependencies: () => [] },
      rolldownOptions: { input: entry.pathname, output: { entryFileNames: "entry.js", chunkFileNames: "[hash].js" } },
    },
  });
  const files = new Map<string, string | Buffer>();
  for (const output of Array.isArray(result) ? result : [result]) {
    if (!("output" in output)) throw new Error("The bundler watches in place of building.");
    for (const file of output.output) {
      files.set(file.fileName, file.type === "chunk" ? file.code : Buffer.from(file.source));
    }
  }
  return files;
}

/** Serves a built entry and its files under `/<name>/`; returns the path of the entry. */
export async function serveBundle(server: LoopbackServer, name: string, entry: URL): Promise<string> {
  for (const [file, body] of await bundle(entry)) server.serve(`/${name}/${file}`, { type: "text/javascript", body });
  return `/${name}/entry.js`;
}
