import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../scripts/source-hash.mjs";

// The prerender draws by hand what components draw in the app, and uses their style scopes. ARCHITECTURE.md lists both
// places, for whoever changes a component.
const FOLDER = "src/ui/prerender";
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** For each file of the prerender, the components whose style scopes it uses. */
function drawnTwice(): Record<string, string[]> {
  const files = readdirSync(join(ROOT, FOLDER)).filter((name) => name.endsWith(".ts"));
  const pairs = files.map((name): [string, string[]] => {
    const used = [...read(join(FOLDER, name)).matchAll(/\bS\.(\w+)/g)].map(([, component = ""]) => component);
    return [join(FOLDER, name), [...new Set(used)].sort()];
  });
  return Object.fromEntries(pairs.filter(([, components]) => components.length > 0));
}

/** The same list as the table in ARCHITECTURE.md has it. */
function listed(): Record<string, string[]> {
  const [, table = ""] = /## What is drawn twice\n([^]*?)\n## /.exec(read("ARCHITECTURE.md")) ?? [];
  const rows = [...table.matchAll(/^\| `([^`]+\.ts)` *\|(.*)\|$/gm)];
  return Object.fromEntries(
    rows.map(([, file = "", components = ""]) => [
      file,
      [...components.matchAll(/(\w+)\.svelte/g)].map(([, name = ""]) => name).sort(),
    ]),
  );
}

it("ARCHITECTURE.md lists each component whose markup the prerender draws by hand, and where", () => {
  const twice = drawnTwice();
  expect(Object.values(twice).flat()).toContain("MessageRow");
  expect(listed()).toEqual(twice);
});

it("a component's styles are loaned to the prerender only while it draws like it", () => {
  const named = read(`${FOLDER}/first-rows.scopes.ts`).matchAll(/^ {2}(\w+): typeof import/gm);
  const loaned = [...named].map(([, name = ""]) => name);
  expect(loaned.sort()).toEqual([...new Set(Object.values(drawnTwice()).flat())].sort());
});
