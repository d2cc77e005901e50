// npm run release -- 0.2.0: tests, sets the version, commits and tags, then puts the release into release/.
// npm run release: puts a draft of the last commit there, untested. Uploading is left to a person.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { ensurePackages, SetupError, withReadableErrors } from "./setup.mjs";
import { ROOT } from "./source-hash.mjs";

const RELEASE = join(ROOT, "release");
const CHANGELOG = join(ROOT, "CHANGELOG.md");
/** Home Assistant offers an update when the version in it changes. */
const ADD_ON = join(ROOT, "docs/hosting/home-assistant/config.yaml");
const UNRELEASED = "## [Unreleased]";

/** Text of a program's output. @param {string} program @param {string[]} args @param {import("node:child_process").ExecFileSyncOptions} [options] */
const output = (program, args, options = {}) =>
  execFileSync(program, args, { cwd: ROOT, maxBuffer: 2 ** 28, ...options, encoding: "utf8" }).trim();

/** @param {string[]} args */
const git = (...args) => output("git", args);

/** @returns {string} */
const versionNow = () => JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version;

/**
 * Gives the unreleased part of the changelog its version and day, and begins a new one.
 * @param {string} text
 * @param {string} version
 * @param {Date} day
 */
function dated(text, version, day) {
  if (!text.includes(`\n${UNRELEASED}\n`)) throw new SetupError(`CHANGELOG.md has no part "${UNRELEASED}".`);
  return text.replace(UNRELEASED, `${UNRELEASED}\n\n## [${version}] - ${day.toISOString().slice(0, 10)}`);
}

/**
 * The newest part of the changelog that isn't empty.
 * @param {string} text
 */
function notesOf(text) {
  const parts = text.split(/^(?=## )/m).slice(1);
  return parts.find((part) => part.replace(/^## .*/, "").trim() !== "") ?? "";
}

/** Tests, sets the version, and commits and tags it. @param {string} version */
function commitVersion(version) {
  if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) throw new SetupError(`${version} is no version such as 0.2.0.`);
  if (git("tag", "--list", `v${version}`) !== "") throw new SetupError(`The tag v${version} exists already.`);
  const changelog = dated(readFileSync(CHANGELOG, "utf8"), version, new Date());
  if (spawnSync("npm", ["test"], { cwd: ROOT, stdio: "inherit" }).status !== 0)
    throw new SetupError("The tests failed, so nothing was changed.");
  writeFileSync(CHANGELOG, changelog);
  output("npm", ["version", version, "--no-git-tag-version", "--allow-same-version"]);
  writeFileSync(ADD_ON, readFileSync(ADD_ON, "utf8").replace(/^version: .*$/m, `version: ${version}`));
  // What a browser of this version stores, which later ones must open.
  const fixture = { ...process.env, UPGRADE_FIXTURE: "1" };
  const made = ["run", "e2e", "--", "tests/e2e/upgrade.spec.ts", "-g", "is kept whole"];
  execFileSync("npm", made, { cwd: ROOT, stdio: "inherit", env: fixture });
  git("add", "tests/upgrade");
  git("commit", "--quiet", "--all", "--message", `Earshot ${version}`);
  git("tag", "--annotate", `v${version}`, "--message", `Earshot ${version}`);
}

/**
 * Packs the last commit as checked out in a new folder, so that nothing else gets into the package.
 * @param {string} time of the commit, Unix seconds: the build's name holds it
 * @returns {{ folder: string, file: string }} the checkout, and the package's file
 */
function pack(time) {
  const folder = mkdtempSync(join(tmpdir(), "earshot-release-"));
  const archive = join(folder, "..", `${folder.split("/").at(-1) ?? ""}.tar`);
  git("archive", "--output", archive, "HEAD");
  output("tar", ["-xf", archive, "-C", folder]);
  rmSync(archive);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "junction");
  const env = { ...process.env, SOURCE_DATE_EPOCH: time };
  const file = output("npm", ["pack", "--loglevel=error"], { cwd: folder, env }).split("\n").at(-1) ?? "";
  return { folder, file: join(folder, file) };
}

/**
 * Packs a folder into an archive that is the same on every machine.
 * @param {string} folder
 * @param {string} name of the folder in the archive
 * @param {string} time Unix seconds
 * @param {string[]} files with the endings of their formats
 */
function archive(folder, name, time, files) {
  const repository = mkdtempSync(join(tmpdir(), "earshot-archive-"));
  const options = { env: { ...process.env, GIT_DIR: repository, GIT_WORK_TREE: folder } };
  output("git", ["init", "--quiet"], options);
  output("git", ["-c", "core.autocrlf=false", "add", "--all", "--force", "."], options);
  const who = { NAME: "Earshot", EMAIL: "earshot@example.com", DATE: `${time} +0000` };
  const as = ["AUTHOR", "COMMITTER"].flatMap((role) =>
    Object.entries(who).map(([key, value]) => [`GIT_${role}_${key}`, value]),
  );
  const commit = { env: { ...options.env, ...Object.fromEntries(as) } };
  output("git", ["commit", "--quiet", "--no-verify", "--message", name], commit);
  for (const file of files) output("git", ["archive", `--prefix=${name}/`, "--output", file, "HEAD"], options);
  rmSync(repository, { recursive: true });
}

/** What the release is made of, as CycloneDX, without what differs each time. @param {string} time Unix seconds */
function billOfMaterials(time) {
  const sbom = JSON.parse(output("npm", ["sbom", "--sbom-format=cyclonedx", "--package-lock-only"]));
  delete sbom.serialNumber;
  // npm takes the folder's name.
  sbom.metadata.component.name = "earshot";
  sbom.metadata.timestamp = new Date(Number(time) * 1000).toISOString();
  return `${JSON.stringify(sbom, null, 2)}\n`;
}

/** The package with this machine's Node beside it, for Linux without Node. @param {string} bare name without ending @param {string} content folder of the package */
function withNode(bare, content) {
  const libraries = output("ldd", [process.execPath]);
  if (/libnode/.test(libraries)) throw new SetupError("This Node has libraries of its own; take one of nodejs.org.");
  cpSync(process.execPath, join(content, "bin", "node"));
  const start = '#!/bin/sh\nhere=$(dirname "$(readlink -f "$0")")\nexec "$here/bin/node" "$here/bin/earshot.js" "$@"\n';
  writeFileSync(join(content, "earshot"), start, { mode: 0o755 });
  const same = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"];
  output("tar", [...same, "-C", dirname(content), "-czf", join(RELEASE, `${bare}.tar.gz`), basename(content)]);
}

await withReadableErrors(async () => {
  await ensurePackages();
  const [version] = process.argv.slice(2);
  if (git("status", "--porcelain") !== "") throw new SetupError("There are changes that are not committed.");
  if (version !== undefined) commitVersion(version);
  const name = `earshot-${versionNow()}`;
  const time = git("show", "--no-patch", "--format=%ct", "HEAD");

  rmSync(RELEASE, { recursive: true, force: true });
  mkdirSync(RELEASE);
  console.log("Building it twice …");
  const [once, again] = [pack(time), pack(time)];
  const packed = readFileSync(once.file);
  if (!packed.equals(readFileSync(again.file))) throw new SetupError("Two builds of this commit differ.");
  writeFileSync(join(RELEASE, `${name}.tgz`), packed);
  const files = ["tar.gz", "zip"].map((ending) => join(RELEASE, `${name}-static.${ending}`));
  archive(join(once.folder, "dist"), name, time, files);
  if (process.platform === "linux" && process.arch === "x64") {
    output("tar", ["-xzf", once.file, "-C", again.folder]);
    renameSync(join(again.folder, "package"), join(again.folder, name));
    withNode(`${name}-linux-x64`, join(again.folder, name));
  }
  writeFileSync(join(RELEASE, `${name}.cdx.json`), billOfMaterials(time));
  writeFileSync(join(RELEASE, "NOTES.md"), notesOf(readFileSync(CHANGELOG, "utf8")));
  for (const { folder } of [once, again]) rmSync(folder, { recursive: true });
  const sums = readdirSync(RELEASE)
    .sort()
    .map(
      (file) =>
        `${createHash("sha256")
          .update(readFileSync(join(RELEASE, file)))
          .digest("hex")}  ${file}\n`,
    );
  writeFileSync(join(RELEASE, "SHA256SUMS"), sums.join(""));
  console.log(`release/ holds ${version === undefined ? "an untested draft of " : ""}${name}:\n${sums.join("")}`);
  if (version !== undefined) console.log(`Next: git push --follow-tags, then upload release/.`);
});
