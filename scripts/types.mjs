// Checks the types of every folder with its own tsconfig.json, and beside it those of the components with svelte-check.
// One process checks all folders: shared imports are read once, and each folder checks them with its own options.
// With --incremental, only changes since the last such run are checked; --no-components leaves out the components.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { run } from "./setup.mjs";
import { ROOT } from "./source-hash.mjs";

/** Folder for the results of incremental runs; undefined = check everything. */
const found = process.argv.includes("--incremental") ? join(ROOT, ".cache", "check", "types") : undefined;

const SVELTE_CHECK = join("node_modules", "svelte-check", "bin", "svelte-check");

/** A key of the compiler options that change how a file is read. */
const registry = ts.createDocumentRegistry();
/** Files that were read, by that key and their names. @type {Map<string, ts.SourceFile | undefined>} */
const files = new Map();

/**
 * Reads files for a project. A file is shared with other projects whose options read it the same way.
 * @param {ts.CompilerOptions} options
 * @returns {ts.CompilerHost}
 */
function sharingHost(options) {
  const host = found ? ts.createIncrementalCompilerHost(options) : ts.createCompilerHost(options);
  const project = registry.getKeyForCompilationSettings(options);
  return {
    ...host,
    getSourceFile(name, how, ...rest) {
      const format = typeof how === "object" ? `${how.languageVersion} ${how.impliedNodeFormat}` : how;
      const key = `${project} ${format} ${name}`;
      if (!files.has(key)) files.set(key, host.getSourceFile(name, how, ...rest));
      return files.get(key);
    },
  };
}

/**
 * The errors that `tsc -p` would report for a folder.
 * @param {string} folder
 * @returns {readonly ts.Diagnostic[]}
 */
function check(folder) {
  /** @type {ts.Diagnostic[]} */
  const unreadable = [];
  const config = ts.getParsedCommandLineOfConfigFile(
    join(ROOT, folder, "tsconfig.json"),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => unreadable.push(diagnostic) },
  );
  if (!config) return unreadable;
  const { options } = config;
  const read = {
    rootNames: config.fileNames,
    host: sharingHost(options),
    configFileParsingDiagnostics: ts.getConfigFileParsingDiagnostics(config),
  };
  if (!found) return ts.sortAndDeduplicateDiagnostics(ts.getPreEmitDiagnostics(ts.createProgram({ ...read, options })));
  const tsBuildInfoFile = join(found, `${folder.replace(/\W/g, "-")}.tsbuildinfo`);
  const program = ts.createIncrementalProgram({ ...read, options: { ...options, incremental: true, tsBuildInfoFile } });
  const diagnostics = [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getOptionsDiagnostics(),
    ...program.getSyntacticDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program.getSemanticDiagnostics(),
  ];
  // Writes only the .tsbuildinfo file.
  program.emit();
  return ts.sortAndDeduplicateDiagnostics(diagnostics);
}

const components = process.argv.includes("--no-components")
  ? undefined
  : run(process.execPath, [
      SVELTE_CHECK,
      ...["--tsconfig", "./src/ui/tsconfig.json", "--fail-on-warnings", "--output", "human"],
    ]);

const folders = ["src", "tests"].flatMap((top) => [
  top,
  ...readdirSync(join(ROOT, top), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(top, entry.name)),
]);
const projects = [".", "scripts", ...folders].filter((folder) => existsSync(join(ROOT, folder, "tsconfig.json")));

let failed = 0;
/** @param {string} name @param {string} output */
function fail(name, output) {
  failed += 1;
  console.log(`${name}:\n${output.trim()}\n`);
}

for (const project of projects) {
  const diagnostics = check(project);
  if (diagnostics.length === 0) continue;
  fail(
    project,
    ts.formatDiagnostics(diagnostics, {
      getCurrentDirectory: () => ROOT,
      getCanonicalFileName: (name) => name,
      getNewLine: () => "\n",
    }),
  );
}
const checked = await components;
if (checked && checked.code !== 0) fail("components", checked.output);

console.log(`${projects.length + (checked ? 1 : 0) - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
