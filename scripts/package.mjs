// Builds what the package holds: the app in dist, and the command `earshot` in bin. npm pack runs it.
import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";
import { ensureBuilt, withReadableErrors } from "./setup.mjs";
import { ROOT } from "./source-hash.mjs";

await withReadableErrors(async () => {
  await ensureBuilt();
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const outDir = join(ROOT, "bin");
  await build({
    configFile: false,
    root: ROOT,
    publicDir: false,
    logLevel: "warn",
    define: { __VERSION__: JSON.stringify(version) },
    // The server's packages are inside, so an installation fetches nothing else.
    ssr: { noExternal: true },
    build: {
      ssr: join(ROOT, "src/server/earshot.ts"),
      outDir,
      emptyOutDir: true,
      target: "node20.19",
      rolldownOptions: { output: { entryFileNames: "earshot.js", chunkFileNames: "[name].js" } },
    },
  });
  for (const name of ["new-config.jsonc", "waves.png"])
    await copyFile(join(ROOT, "src/server", name), join(outDir, name));
});
