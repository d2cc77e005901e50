// Checks types: those of scripts, each file by its folder's tsconfig.json, with oxlint's compiler, and beside it those of
// components with svelte-check. --no-components leaves out the components.
import { join } from "node:path";
import { run } from "./setup.mjs";

const OXLINT = join("node_modules", "oxlint", "bin", "oxlint");
const SVELTE_CHECK = join("node_modules", "svelte-check", "bin", "svelte-check");

const checks = [run(process.execPath, [OXLINT, "--type-aware", "--type-check", "-A", "all"])];
if (!process.argv.includes("--no-components")) {
  const options = ["--tsconfig", "./src/ui/tsconfig.json", "--fail-on-warnings", "--output", "human"];
  checks.push(run(process.execPath, [SVELTE_CHECK, ...options]));
}
for (const { code, output } of await Promise.all(checks)) {
  if (code === 0) continue;
  console.log(output.trim());
  process.exitCode = 1;
}
