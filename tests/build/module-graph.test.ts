import { expect, test } from "vitest";
import { graphOf, type Modules } from "../../src/build";

/** A graph of modules from their code; each is imported by its name. */
function modulesOf(code: Record<string, string>, later: Record<string, string[]> = {}): Modules {
  return {
    codeOf: (id) => code[id],
    loadedLaterBy: (id) => later[id] ?? [],
    resolve: (source) => Promise.resolve(source in code ? source : undefined),
  };
}

const names = (set: Set<string>) => [...set].sort();

async function reachedFrom(entry: string, modules: Modules): Promise<{ first: Set<string>; all: Set<string> }> {
  const graph = await graphOf([entry], modules);
  return { first: await graph.first(entry), all: await graph.all(entry) };
}

test("an index file does not use everything that it re-exports", async () => {
  const { first } = await reachedFrom(
    "entry",
    modulesOf({
      entry: `import { a, c as d } from "index"; console.log(a, d);`,
      index: `export * from "a"; export * from "b"; export { deep as c } from "c"; export { default as e } from "e";`,
      a: `export const a = 1;`,
      b: `import "of-b"; export const b = 2;`,
      c: `import { own } from "own"; const deep = own; export { deep };`,
      e: `export default 3;`,
      own: `export const own = 4;`,
      "of-b": ``,
    }),
  );
  expect(names(first)).toEqual(["a", "c", "entry", "own"]);
});

test("only the used members of a namespace object count", async () => {
  const { first } = await reachedFrom(
    "entry",
    modulesOf({
      entry: `import * as $ from "index"; $.a(); other.$.b;`,
      index: `export { a } from "a"; export { b } from "b";`,
      a: `export function a() {}`,
      b: `export function b() {}`,
    }),
  );
  expect(names(first)).toEqual(["a", "entry"]);
});

test("side effects count, and so does what an import passes on to its importers", async () => {
  const { first } = await reachedFrom(
    "entry",
    modulesOf({
      entry: `import "effect"; import { x } from "middle"; x();`,
      effect: `globalThis.y = 1;`,
      middle: `import { x } from "x"; export { x };`,
      x: `export const x = () => 1;`,
    }),
  );
  expect(names(first)).toEqual(["effect", "entry", "x"]);
});

test("modules that are loaded later are separate, with all that they export, and modules may import each other in circles", async () => {
  const { first, all } = await reachedFrom(
    "entry",
    modulesOf(
      {
        entry: `import { a } from "a"; a(); export const load = () => import("later");`,
        a: `import { b } from "b"; export const a = () => b;`,
        b: `import { a } from "a"; export const b = () => a;`,
        later: `export { default as C } from "c"; export * from "d";`,
        c: `export default 1;`,
        d: `export const d = 1;`,
      },
      { entry: ["later"] },
    ),
  );
  expect(names(first)).toEqual(["a", "b", "entry"]);
  expect(names(all)).toEqual(["a", "b", "c", "d", "entry", "later"]);
});

test("styles and modules outside the build are not followed", async () => {
  const { first } = await reachedFrom(
    "entry",
    modulesOf({ entry: `import "a.css"; import { x } from "elsewhere"; x();`, "a.css": `a { color: red }` }),
  );
  expect(names(first)).toEqual(["a.css", "entry"]);
});

test("imports of unused code are not followed", async () => {
  const { first } = await reachedFrom(
    "entry",
    modulesOf({
      entry: `import { a } from "a"; a();`,
      a: `import { b } from "b"; import { c } from "c"; import { d, e } from "d";
          const own = () => c();
          export function a() { return own().b; }
          export function unused() { return b(own); }
          export class Unused extends b {}
          const made = d(), literal = 1, unread = () => e();`,
      b: `export const b = 1;`,
      c: `export const c = () => 1;`,
      d: `export const d = () => 1; export { e } from "e";`,
      e: `export const e = () => 1;`,
    }),
  );
  // Calling `d` to make `made` may have an effect.
  expect(names(first)).toEqual(["a", "c", "d", "entry"]);
});

test("imports of code that only later parts use are followed if it is in the first files", async () => {
  const { first } = await reachedFrom(
    "entry",
    modulesOf(
      {
        entry: `import { a } from "a"; a(); export const load = () => import("later");`,
        a: `import { b } from "b"; export default class { of = b } export const a = () => 1;`,
        b: `export const b = 1;`,
        later: `import A from "a"; new A();`,
      },
      { entry: ["later"] },
    ),
  );
  expect(names(first)).toEqual(["a", "b", "entry"]);
});
