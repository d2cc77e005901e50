// The topic server alone, without a build: npm run server -- [--port N] [--host ADDRESS] [--config FILE]
import { ensurePackages, inWords, requireNode } from "./setup.mjs";

await inWords(async () => {
  requireNode();
  await ensurePackages();
  // Only now are there packages to run TypeScript with.
  const { register } = await import("tsx/esm/api");
  register();
  await import("../src/server/main.ts");
});
