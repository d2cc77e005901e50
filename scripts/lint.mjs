// The linters: oxlint for scripts, whose types it checks too, and eslint for components.
// npm run lint [-- FILES...]
// oxlint can't look into components with types, so it also gets their scripts as files of their own.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ENGINE_FOR_TESTS, GO_FOR_CHECKS, run, TOOLS } from "./setup.mjs";
import { ROOT } from "./source-hash.mjs";

const UI = join(ROOT, "src", "ui");

/**
 * Writes the script of each component into the folders of `src/ui`, so its relative imports resolve.
 * @param {string} folder outside the repository, because oxlint skips what git ignores
 */
function writeScripts(folder) {
  for (const name of readdirSync(UI, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".svelte")) continue;
    const file = join(folder, `${name.replace(/\.svelte$/, "")}.component.ts`);
    mkdirSync(dirname(file), { recursive: true });
    // Blank lines in place of the markup keep the lines' numbers.
    const parts = readFileSync(join(UI, name), "utf8").split(/^(<script.*>|<\/script>)$/m);
    const script = parts.map((part, at) => (at % 4 === 2 ? part : part.replace(/[^\n]+/g, "")));
    writeFileSync(file, `${script.join("")}export {};\n`);
  }
  symlinkSync(join(ROOT, "node_modules"), join(dirname(folder), "node_modules"));
  const config = {
    extends: join(UI, "tsconfig.json"),
    compilerOptions: { rootDirs: [join(ROOT, "src"), dirname(folder)] },
    include: [folder, join(ROOT, "src", "**", "*.d.ts")],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
}

/** @param {string[]} args */
async function step(...args) {
  const { code, output } = await run(process.execPath, args, { env: GO_FOR_CHECKS });
  if (code !== 0) console.log(output.trim());
  return code === 0;
}

/** What eslint found in files is kept by their content. */
const CACHE = [
  "--cache",
  "--cache-strategy",
  "content",
  "--cache-location",
  join("node_modules", ".cache", "eslint.json"),
];

const files = process.argv.slice(2);
const components = mkdtempSync(join(tmpdir(), "earshot-components-"));
try {
  writeScripts(join(components, "ui"));
  const isLinted = [
    await step(TOOLS.oxlint, "--type-aware", "--type-check", "--no-error-on-unmatched-pattern", ...files),
    await step(TOOLS.oxlint, "--type-aware", "-c", ".oxlintrc.components.json", join(components, "ui")),
    await step(
      ...ENGINE_FOR_TESTS,
      ...[TOOLS.eslint, "--max-warnings", "0", "--no-warn-ignored", "--no-error-on-unmatched-pattern", ...CACHE],
      ...(files.length > 0 ? files : ["."]),
    ),
  ];
  process.exitCode = isLinted.every(Boolean) ? 0 : 1;
} finally {
  rmSync(components, { recursive: true, force: true });
}
