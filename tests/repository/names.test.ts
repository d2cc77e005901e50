import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../scripts/source-hash.mjs";

// A newcomer who searches for the name of a type should find one answer. Types that stay within one file, such as `Props`,
// may have common names.
const DECLARED = /^( *)(export )?(?:declare )?(?:abstract )?(?:interface|type|class) (\w+)\b(?!.*from ")/gm;

/** The names of types that are declared at the top of each source, and which of them are exported. */
function declarations(): { name: string; isExported: boolean; file: string }[] {
  const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" }).map((name) => join("src", name));
  return files
    .filter((file) => /\.(ts|svelte)$/.test(file))
    .flatMap((file) =>
      [...readFileSync(join(ROOT, file), "utf8").matchAll(DECLARED)]
        .filter(([, indent]) => indent === (file.endsWith(".svelte") ? "  " : ""))
        .map(([, , exported, name = ""]) => ({ name, isExported: exported !== undefined, file })),
    );
}

it("an exported type has a name that no other file gives to a type", () => {
  const all = declarations();
  expect(all.length).toBeGreaterThan(500);
  const files = new Map<string, Set<string>>();
  for (const { name, file } of all) files.set(name, (files.get(name) ?? new Set()).add(file));
  const exported = new Set(all.filter(({ isExported }) => isExported).map(({ name }) => name));
  const several = [...files].filter(([name, where]) => exported.has(name) && where.size > 1);
  expect(several.map(([name, where]) => `${name}: ${[...where].sort().join(", ")}`)).toEqual([]);
});
