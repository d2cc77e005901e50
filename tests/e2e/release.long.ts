import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "@playwright/test";
import { ROOT } from "../../scripts/source-hash.mjs";

const output = (program: string, args: string[], cwd: string) => execFileSync(program, args, { cwd, encoding: "utf8" });

test("a draft of a release is byte for byte the same in another folder, and runs where no Node is", async ({}, info) => {
  test.setTimeout(900_000);
  const release = (name: string, of: string): string => {
    const clone = info.outputPath(name);
    output("git", ["clone", "--quiet", of, clone], ROOT);
    symlinkSync(join(ROOT, "node_modules"), join(clone, "node_modules"), "junction");
    appendFileSync(join(clone, ".git", "info", "exclude"), "node_modules\n");
    output(process.execPath, ["scripts/release.mjs"], clone);
    return join(clone, "release");
  };
  const folder = release("one", ROOT);
  const sums = (at: string) => readFileSync(join(at, "SHA256SUMS"), "utf8");
  expect(sums(release("another", info.outputPath("one")))).toBe(sums(folder));
  output("sha256sum", ["--check", "--quiet", "SHA256SUMS"], folder);
  const files = readdirSync(folder).map((file) => file.replace(/^earshot-\d+\.\d+\.\d+/, "earshot"));
  expect(files.sort()).toEqual([
    "NOTES.md",
    "SHA256SUMS",
    "earshot-linux-x64.tar.gz",
    "earshot-static.tar.gz",
    "earshot-static.zip",
    "earshot.cdx.json",
    "earshot.tgz",
  ]);

  const archive = readdirSync(folder).find((file) => file.endsWith("linux-x64.tar.gz")) ?? "";
  writeFileSync(join(folder, archive.replace("linux", "broken")), readFileSync(join(folder, archive)).subarray(0, 1e6));
  writeFileSync(join(folder, "broken"), sums(folder).replace(archive, archive.replace("linux", "broken")));
  expect(() => output("sha256sum", ["--check", "--status", "broken"], folder)).toThrow();

  test.skip(process.getuid?.() !== 0, "only root can change the root folder");
  // A root with what each Linux has: a shell, and the libraries of C and C++.
  const root = info.outputPath("root");
  mkdirSync(root);
  output("tar", ["-xzf", join(folder, archive), "-C", root], root);
  const [name = ""] = readdirSync(root);
  for (const program of ["/bin/sh", "/usr/bin/dirname", "/usr/bin/readlink", join(root, name, "bin", "node")]) {
    const libraries = output("ldd", [program], root).match(/\/\S+\.so\S*/g) ?? [];
    for (const file of [...libraries, ...(program.startsWith(root) ? [] : [program])]) {
      mkdirSync(join(root, dirname(file)), { recursive: true });
      cpSync(file, join(root, file), { dereference: true });
    }
  }
  const began = Date.now();
  const started = spawn("chroot", [root, `/${name}/earshot`, "--port", "0"], {
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
  });
  try {
    const address = await new Promise<string>((resolve, reject) => {
      let said = "";
      const hear = (chunk: Buffer) => {
        said += chunk.toString();
        const [found] = /http:\S+:\d+/.exec(said) ?? [];
        if (found !== undefined) resolve(found);
      };
      started.stdout.on("data", hear);
      started.stderr.on("data", hear);
      started.once("exit", () => reject(new Error(said)));
    });
    console.log(`It started in ${Date.now() - began} ms.`);
    const page = await fetch(address.replace("localhost", "127.0.0.1"));
    expect(await page.text()).toContain("<title>Earshot</title>");
  } finally {
    started.kill();
  }
});
