// Checks the types of every folder with its own tsconfig.json, two at a time, and of the components with svelte-check.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { run } from "./setup.mjs";
import { ROOT } from "./source-hash.mjs";

const TSC = join("node_modules", "typescript", "bin", "tsc");
const SVELTE_CHECK = join("node_modules", "svelte-check", "bin", "svelte-check");

const folders = ["src", "tests"].flatMap((top) => [
  top,
  ...readdirSync(join(ROOT, top), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(top, entry.name)),
]);
const projects = [".", "scripts", ...folders].filter((folder) => existsSync(join(ROOT, folder, "tsconfig.json")));
const checks = [
  {
    name: "components",
    args: [SVELTE_CHECK, "--tsconfig", "./src/ui/tsconfig.json", "--fail-on-warnings", "--output", "human"],
  },
  ...projects.map((project) => ({ name: project, args: [TSC, "-p", project, "--pretty", "false"] })),
];

let failed = 0;
const waiting = [...checks];

async function work() {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const { code, output } = await run(process.execPath, check.args);
    if (code === 0) continue;
    failed += 1;
    console.log(`${check.name}:\n${output.trim()}\n`);
  }
}
await Promise.all([work(), work()]);

console.log(`${checks.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
