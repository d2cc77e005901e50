// npm start: sets up what is missing, then runs the topic server with the app until Ctrl-C.
import { join } from "node:path";
import { ensureBuilt, ensurePackages, withReadableErrors, requireNode } from "./setup.mjs";
import { ROOT } from "./source-hash.mjs";

await withReadableErrors(async () => {
  requireNode();
  await ensurePackages();
  await ensureBuilt();
  // Import this only now, as TypeScript needs the packages that were just installed.
  const { register } = await import("tsx/esm/api");
  register();
  const { closeOnSignal, PACKAGE_DEFAULTS, startByCommand } = await import("../src/server/index.ts");
  const command = {
    usage: "Usage: npm start -- [--port N] [--host ADDRESS] [--config FILE]",
    defaults: PACKAGE_DEFAULTS,
    app: join(ROOT, "dist"),
  };
  const server = await startByCommand(process.argv.slice(2), command);
  if (server) closeOnSignal(() => server.close());
});
