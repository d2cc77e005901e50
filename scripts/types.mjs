// Checks types: those of scripts, each file by its folder's tsconfig.json, with oxlint's compiler, and beside it those of
// components with svelte-check. --no-components leaves out the components, --components checks them alone.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { GO_FOR_CHECKS, run } from "./setup.mjs";
import { ROOT } from "./source-hash.mjs";

const OXLINT = join("node_modules", "oxlint", "bin", "oxlint");
const SVELTE_CHECK = join("node_modules", "svelte-check", "bin", "svelte-check");

const check = (/** @type {string[]} */ ...args) => run(process.execPath, args, { env: GO_FOR_CHECKS });
const checks = [];
if (!process.argv.includes("--components")) checks.push(check(OXLINT, "--type-aware", "--type-check", "-A", "all"));
if (!process.argv.includes("--no-components")) {
  // It leaves components there that are gone from src.
  rmSync(join(ROOT, ".svelte-check"), { recursive: true, force: true });
  const options = ["--tsgo", "--tsconfig", "./src/ui/tsconfig.json", "--fail-on-warnings", "--output", "human"];
  checks.push(check(SVELTE_CHECK, ...options));
}
for (const { code, output } of await Promise.all(checks)) {
  if (code === 0) continue;
  console.log(output.trim());
  process.exitCode = 1;
}
