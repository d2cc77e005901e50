import { build } from "vite";
import type { LoopbackServer } from "./loopback-server";

/** Builds an entry as the app is built, and serves its files under `/<name>/`; the path of the entry. */
export async function serveBundle(server: LoopbackServer, name: string, entry: URL): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "error",
    build: {
      target: "es2023",
      write: false,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: entry.pathname, output: { entryFileNames: "entry.js", chunkFileNames: "[hash].js" } },
    },
  });
  const outputs = Array.isArray(result) ? result : [result];
  for (const output of outputs) {
    if (!("output" in output)) throw new Error("The bundler watches in place of building.");
    for (const file of output.output) {
      const body = file.type === "chunk" ? file.code : Buffer.from(file.source);
      server.serve(`/${name}/${file.fileName}`, { type: "text/javascript", body });
    }
  }
  return `/${name}/entry.js`;
}
