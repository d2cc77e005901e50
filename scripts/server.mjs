// The topic server alone, without a build: npm run server -- [--port N] [--host ADDRESS] [--config FILE]
import { ensurePackages, withReadableErrors, requireNode } from "./setup.mjs";

await withReadableErrors(async () => {
  requireNode();
  await ensurePackages();
  // Import this only now, as TypeScript needs the packages that were just installed.
  const { register } = await import("tsx/esm/api");
  register();
  await import("../src/server/main.ts");
});
