import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../scripts/source-hash.mjs";
import { readRecordings } from "../vectors/vector";
import { headingsOf, isThere, linksOf, pointersOf } from "./pointers";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** Files that are in the repository or would be added to it, relative to the top folder. */
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
  it("names no path of this machine", () => {
    // The folder of temporary files is the same on every machine, and some files rightly name it.
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

/** Files that the project's authors write: code, tests and documents. */
const written = (extensions: RegExp): string[] => [
  ...readdirSync(ROOT).filter((name) => extensions.test(name)),
  ...["src", "tests", "scripts", "docs"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => extensions.test(path))
      .map((path) => join(folder, path)),
  ),
];

interface Manifest {
  devDependencies: Record<string, string>;
  overrides: Record<string, unknown>;
}

describe("its documentation", () => {
  it("docs/dependencies.md gives each dependency one line with its reason, and names no other", () => {
    const { devDependencies, overrides } = JSON.parse(read("package.json")) as Manifest;
    const named = [...read("docs/dependencies.md").matchAll(/^\| `([^`]+)` +\| \S.*\|$/gm)].map(([, name]) => name);
    const wanted = [devDependencies, overrides].flatMap((group) => Object.keys(group));
    expect(named.toSorted()).toEqual(wanted.toSorted());
  });

  it("ARCHITECTURE.md names each folder of src", () => {
    const text = read("ARCHITECTURE.md");
    const folders = readdirSync(join(ROOT, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).filter((name) => !text.includes(`src/${name}`))).toEqual([]);
  });

  it("each decision has a number of its own", () => {
    const numbers = readdirSync(join(ROOT, "docs", "decisions")).map((name) => name.slice(0, 4));
    expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
  });

  it("all link targets of the documents exist, headings too", () => {
    const missing = written(/\.md$/).flatMap((document) =>
      linksOf(read(document))
        .filter((link) => {
          const [path = "", anchor] = link.split("#");
          const target = path === "" ? document : join(dirname(document), path);
          if (!existsSync(join(ROOT, target))) return true;
          return anchor !== undefined && !headingsOf(read(target)).some(({ slug }) => slug === anchor);
        })
        .map((link) => `${document}: ${link}`),
    );
    expect(missing).toEqual([]);
  });

  it("all files that the documents name exist", () => {
    // Decision records describe the repository as it was on their day.
    const missing = written(/\.md$/)
      .filter((document) => !document.startsWith(join("docs", "decisions")))
      .flatMap((document) =>
        [...read(document).matchAll(/`((?:src|tests|scripts|docs|public)\/[^`\s*<…]+)`/g)]
          .map(([, path = ""]) => path)
          .filter((path) => !existsSync(join(ROOT, path)))
          .map((path) => `${document}: ${path}`),
      );
    expect(missing).toEqual([]);
  });

  it("sections that comments point to are in docs/design.md and docs/protocol.md", () => {
    const texts = { design: read("docs/design.md"), protocol: read("docs/protocol.md") };
    let seen = 0;
    const missing = written(/\.(?:ts|mjs|js|svelte|css|html)$/)
      .filter((path) => path !== join("tests", "repository", "pointers.test.ts"))
      .flatMap((path) =>
        pointersOf(read(path))
          .filter((pointer) => {
            seen++;
            return pointer.document === undefined || !isThere(texts[pointer.document], pointer);
          })
          .map((pointer) => `${path}: ${JSON.stringify(pointer)}`),
      );
    expect(missing).toEqual([]);
    expect(seen).toBeGreaterThan(100);
  });

  it("sections that recordings name are in docs/protocol.md", () => {
    const protocol = read("docs/protocol.md");
    const sections = [...readRecordings().values()].flatMap(({ vectors }) =>
      vectors.flatMap(({ section }) => section.split(", ").map(Number)),
    );
    const missing = new Set(
      sections.filter((section) => !isThere(protocol, { document: "protocol", section, parts: [] })),
    );
    expect([...missing]).toEqual([]);
  });
});
