// npm start: sets up what is missing, then runs the topic server with the app until Ctrl-C.
// npm run server: the topic server alone, without a build.
import { join } from "node:path";
import { ensureBuilt, ensurePackages, withReadableErrors } from "./setup.mjs";
import { ROOT } from "./source-hash.mjs";

await withReadableErrors(async () => {
  const isAlone = process.argv[2] === "alone";
  await (isAlone ? ensurePackages() : ensureBuilt());
  // Import this only now, as TypeScript needs the packages that were just installed.
  const { register } = await import("tsx/esm/api");
  register();
  const { closeOnSignal, PACKAGE_DEFAULTS, startByCommand } = await import("../src/server/index.ts");
  const usage = `Usage: npm ${isAlone ? "run server" : "start"} -- [--port N] [--host ADDRESS] [--config FILE]`;
  const withApp = isAlone ? {} : { defaults: PACKAGE_DEFAULTS, app: join(ROOT, "dist") };
  const server = await startByCommand(process.argv.slice(isAlone ? 3 : 2), { usage, ...withApp });
  if (server) closeOnSignal(() => server.close());
});
