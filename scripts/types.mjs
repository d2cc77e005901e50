// Checks types: those of scripts, each file by its folder's tsconfig.json, with oxlint's compiler, and beside it those of
// components with svelte-check. --no-components leaves out the components.
import { CHECK_COMPONENTS, run, TOOLS } from "./setup.mjs";

const checks = [run(process.execPath, [TOOLS.oxlint, "--type-aware", "--type-check", "-A", "all"])];
if (!process.argv.includes("--no-components")) checks.push(run(process.execPath, CHECK_COMPONENTS));
for (const { code, output } of await Promise.all(checks)) {
  if (code === 0) continue;
  console.log(output.trim());
  process.exitCode = 1;
}
