import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../scripts/source-hash.mjs";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** Files below the top folder that are, or would be, in the repository. */
function repositoryFiles(): string[] {
  const listed = existsSync(join(ROOT, ".git"))
    ? execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
        cwd: ROOT,
        encoding: "utf8",
      })
    : "";
  return listed.split("\0").filter((path) => path !== "" && existsSync(join(ROOT, path)));
}

describe("the repository", () => {
  it("names no path of the machine it lies on", () => {
    // The folder of temporary files is the same on every machine, and rightly named here and there.
    const machine = [ROOT, join(ROOT, ".."), homedir()]
      .map((path) => join(path, "/"))
      .filter((path) => path !== "/" && path !== join(tmpdir(), "/"));
    const naming = repositoryFiles().filter((path) => {
      const text = read(path);
      return machine.some((needle) => text.includes(needle));
    });
    expect(naming).toEqual([]);
  });

  it("locks packages by what they are, not by where they came from", () => {
    expect(read("package-lock.json")).not.toContain('"resolved"');
  });
});

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  overrides: Record<string, unknown>;
}

describe("what is written about it", () => {
  it("docs/dependencies.md gives each dependency one line with its reason, and names no other", () => {
    const { dependencies, devDependencies, overrides } = JSON.parse(read("package.json")) as Manifest;
    const named = [...read("docs/dependencies.md").matchAll(/^\| `([^`]+)` +\| \S.*\|$/gm)].map(([, name]) => name);
    const wanted = [dependencies, devDependencies, overrides].flatMap((group) => Object.keys(group));
    expect(named.toSorted()).toEqual(wanted.toSorted());
  });

  it("ARCHITECTURE.md names each folder of src", () => {
    const text = read("ARCHITECTURE.md");
    const folders = readdirSync(join(ROOT, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).filter((name) => !text.includes(`src/${name}`))).toEqual([]);
  });

  it("files that the documents point to are there", () => {
    const documents = [
      "README.md",
      "ARCHITECTURE.md",
      "tests/vectors/README.md",
      ...readdirSync(join(ROOT, "docs"))
        .filter((name) => name.endsWith(".md"))
        .map((name) => `docs/${name}`),
    ];
    const missing = documents.flatMap((document) =>
      [...read(document).matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)]
        .map(([, target = ""]) => join(dirname(document), target))
        .filter((target) => !existsSync(join(ROOT, target)))
        .map((target) => `${document}: ${target}`),
    );
    expect(missing).toEqual([]);
  });
});
