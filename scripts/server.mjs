// The topic server alone, without a build: npm run server -- [--port N] [--host ADDRESS] [--config FILE]
import { ensurePackages, withReadableErrors, requireNode } from "./setup.mjs";

await withReadableErrors(async () => {
  requireNode();
  await ensurePackages();
  // Import this only now, as TypeScript needs the packages that were just installed.
  const { register } = await import("tsx/esm/api");
  register();
  const { closeOnSignal, startByCommand } = await import("../src/server/index.ts");
  const server = await startByCommand(process.argv.slice(2), {
    usage: "Usage: npm run server -- [--port N] [--host ADDRESS] [--config FILE]",
  });
  if (server) closeOnSignal(() => server.close());
});
