import { ESLint } from "eslint";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { UI_LAYERS } from "../../eslint.config.js";
import { ROOT } from "../../scripts/source-hash.mjs";

// Tries the project's lint rules on snippets, each checked as if it were the text of an existing file, because a rule
// that is misspelled, or whose resolver fails, reports nothing.
let eslint: ESLint;
beforeAll(() => {
  eslint = new ESLint({ cwd: ROOT });
});

async function rulesBroken(file: string, code: string): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(code, { filePath: join(ROOT, file) });
  return (result?.messages ?? []).map(({ ruleId, message, fatal }) => (fatal ? `fatal: ${message}` : ruleId));
}

const LINT_MS = 60_000;

describe("imports go one way", () => {
  it.each([
    ["src/protocol/index.ts", "../contract"],
    ["src/contract/index.ts", "../store"],
    ["src/store/index.ts", "../hub"],
    ["src/store/index.ts", "../client"],
    ["src/hub/index.ts", "../client"],
    ["src/client/index.ts", "../hub"],
    ["src/ui/main.ts", "../store"],
    ["src/ui/main.ts", "../hub"],
    ["src/sw/service-worker.ts", "../ui/strings"],
    ["src/server/index.ts", "../contract"],
    ["src/server/index.ts", "../store"],
    ["src/server/index.ts", "../hub"],
    ["src/build/index.ts", "../protocol"],
    ["src/ui/main.ts", "../build"],
  ])(
    "%s may not import %s",
    async (file, target) => {
      expect(await rulesBroken(file, `import "${target}";\n`)).toContain("import-x/no-restricted-paths");
    },
    LINT_MS,
  );

  it.each([
    ["src/contract/index.ts", "../protocol"],
    ["src/store/index.ts", "../contract"],
    ["src/hub/index.ts", "../store"],
    ["src/worker/worker.ts", "../hub"],
    ["src/client/index.ts", "../store"],
    ["src/ui/main.ts", "../client"],
    ["src/server/index.ts", "../protocol"],
  ])(
    "%s may import %s",
    async (file, target) => {
      expect(await rulesBroken(file, `import "${target}";\n`)).toEqual([]);
    },
    LINT_MS,
  );

  it(
    "a folder is entered through its index",
    async () => {
      const broken = await rulesBroken("src/hub/index.ts", `import "../protocol/message";\n`);
      expect(broken).toContain("no-restricted-imports");
    },
    LINT_MS,
  );

  it(
    "nothing imports an entry file",
    async () => {
      expect(await rulesBroken("src/worker/start-hub.ts", `import "./worker";\n`)).toContain(
        "import-x/no-restricted-paths",
      );
      expect(await rulesBroken("src/client/index.ts", `import "../worker/worker";\n`)).toContain(
        "no-restricted-imports",
      );
    },
    LINT_MS,
  );
});

describe("the layers of the page", () => {
  it.each([
    ["src/ui/strings/dates.ts", "../state/names"],
    ["src/ui/state/names.ts", "../parts/own-lists"],
    ["src/ui/parts/own-lists.ts", "../message/marks"],
    ["src/ui/message/marks.ts", "../feed/jump"],
    ["src/ui/feed/jump.ts", "../topics/menus"],
    ["src/ui/feed/jump.ts", "../prerender/first-screen"],
    ["src/ui/topics/menus.ts", "../shell/view-menu"],
    ["src/ui/shell/view-menu.ts", "../prerender/row"],
  ])(
    "%s may not import %s, which is above it",
    async (file, target) => {
      for (const code of [`import "${target}";\n`, `export const load = () => import("${target}");\n`]) {
        expect(await rulesBroken(file, code)).toContain("import-x/no-restricted-paths");
      }
    },
    LINT_MS,
  );

  it(
    "a higher one may import a lower one",
    async () => {
      expect(await rulesBroken("src/ui/shell/view-menu.ts", `import "../topics/menus";\n`)).toEqual([]);
    },
    LINT_MS,
  );

  it("every folder is in one of them", () => {
    const folders = readdirSync(join(ROOT, "src/ui"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const known = new Set([...UI_LAYERS, "styles"]);
    expect(folders.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
  });
});

it(
  "nothing imports itself by way of others",
  async () => {
    expect(await rulesBroken("src/hub/sleep.ts", `export * from "./index";\n`)).toContain("import-x/no-cycle");
  },
  LINT_MS,
);

describe("code that is given its environment", () => {
  it.each([
    ["the time", "export const now = Date.now();\n", "no-restricted-syntax"],
    ["the time, as a date", "export const now = new Date();\n", "no-restricted-syntax"],
    ["chance", "export const dice = Math.random();\n", "no-restricted-syntax"],
    ["the network", `export const answer = fetch("x");\n`, "no-restricted-globals"],
    ["a timer", "export const timer = setTimeout(() => undefined, 1);\n", "no-restricted-globals"],
  ])(
    "does not take %s by itself",
    async (_, code, rule) => {
      for (const folder of ["protocol", "contract", "store", "hub"]) {
        expect(await rulesBroken(`src/${folder}/index.ts`, code), folder).toContain(rule);
      }
    },
    LINT_MS,
  );
});

describe("what a message points at is loaded by one file alone", () => {
  it.each([
    [
      "an address in markup",
      `<script lang="ts">\n  let { href }: { href: string } = $props();\n</script>\n\n<img alt="" src={href} />\n`,
    ],
    [
      "one by its name",
      `<script lang="ts">\n  let { src }: { src: string } = $props();\n</script>\n\n<img alt="" {src} />\n`,
    ],
    [
      "a poster",
      `<script lang="ts">\n  let { href }: { href: string } = $props();\n</script>\n\n<video poster={href}></video>\n`,
    ],
  ])(
    "not by a component, as %s",
    async (_, code) => {
      expect(await rulesBroken("src/ui/message/IconImage.svelte", code)).toContain("no-restricted-syntax");
    },
    LINT_MS,
  );

  it.each([
    ["an element's source", "export const load = (image: HTMLImageElement, href: string) => (image.src = href);\n"],
    [
      "an attribute",
      `export const load = (image: HTMLImageElement, href: string) => image.setAttribute("src", href);\n`,
    ],
    [
      "an address that nobody judged",
      `import type { LoadAddress } from "../state/load-source";\nexport const trust = (href: string) => href as LoadAddress;\n`,
    ],
  ])(
    "not by other code, as %s",
    async (_, code) => {
      for (const file of ["markdown.ts", "loads.svelte.ts", "links.ts"]) {
        expect(await rulesBroken(`src/ui/message/${file}`, code), file).toContain("no-restricted-syntax");
      }
      expect(await rulesBroken("src/ui/message/load-into.ts", code)).not.toContain("no-restricted-syntax");
    },
    LINT_MS,
  );

  it(
    "nor by asking for it",
    async () => {
      for (const code of [`void fetch("x");\n`, `new WebSocket("x");\n`, `new Audio("x");\n`]) {
        expect(await rulesBroken("src/ui/message/markdown.ts", code)).toContain("no-restricted-globals");
      }
    },
    LINT_MS,
  );
});

describe("a moment becomes a Date in one place", () => {
  it.each([
    "export const at = (ms: number) => new Date(ms);\n",
    "export const said = (at: Date) => at.toISOString();\n",
  ])(
    "and not by %j elsewhere",
    async (code) => {
      expect(await rulesBroken("src/ui/topics/menus.ts", code)).toContain("no-restricted-syntax");
      expect(await rulesBroken("src/ui/strings/dates.ts", code)).not.toContain("no-restricted-syntax");
    },
    LINT_MS,
  );
});

describe("nothing slips by", () => {
  it.each([
    ["an empty catch", "try {\n  close();\n} catch {}\nfunction close() {}\n", "no-restricted-syntax"],
    [
      "a catch with nothing but a comment",
      "try {\n  close();\n} catch {\n  // fine\n}\nfunction close() {}\n",
      "no-restricted-syntax",
    ],
    ["any", "export const x: any = 1;\n", "@typescript-eslint/no-explicit-any"],
    [
      "a promise that nobody waits for",
      "export function go() {\n  Promise.resolve(1);\n}\n",
      "@typescript-eslint/no-floating-promises",
    ],
    [
      "a case that is not handled",
      'export function f(x: "a" | "b") {\n  switch (x) {\n    case "a":\n      return 1;\n  }\n  return 2;\n}\n',
      "@typescript-eslint/switch-exhaustiveness-check",
    ],
  ])(
    "not %s",
    async (_, code, rule) => {
      expect(await rulesBroken("src/hub/index.ts", code)).toContain(rule);
    },
    LINT_MS,
  );

  it.each([
    ["a style attribute in markup", `<p style="color: red">x</p>\n`, "no-restricted-syntax"],
    [
      "HTML from a string",
      `<script lang="ts">\n  let html = "x";\n</script>\n\n{@html html}\n`,
      "svelte/no-at-html-tags",
    ],
  ])(
    "not %s",
    async (_, code, rule) => {
      expect(await rulesBroken("src/ui/parts/Mark.svelte", code)).toContain(rule);
    },
    LINT_MS,
  );
});

describe("patterns whose time grows faster than the text", () => {
  const repeated = (pattern: string) => `export const form = ${pattern};\n`;

  it.each([
    ["a repetition in a repetition", "/^(<\\?xml[^>]*>\\s*|<!--.*?-->\\s*)*<svg/s", "repository/no-nested-repetition"],
    ["two repetitions that can take the same text", "/^\\d+\\.?\\d*s$/", "regexp/no-super-linear-backtracking"],
    ["a start tried at every place", "/\\?.*$/", "regexp/no-super-linear-move"],
    ["a repetition behind one that takes it all", "/\\w+\\d+/", "regexp/optimal-quantifier-concatenation"],
  ])(
    "not %s",
    async (_, pattern, rule) => {
      for (const file of ["src/server/index.ts", "src/protocol/index.ts", "src/ui/main.ts", "scripts/setup.mjs"]) {
        expect(await rulesBroken(file, repeated(pattern)), file).toContain(rule);
      }
      const component = `<script lang="ts">\n  const { text }: { text: string } = $props();\n</script>\n\n{text.replace(${pattern}, "")}\n`;
      expect(await rulesBroken("src/ui/parts/Mark.svelte", component)).toContain(rule);
    },
    LINT_MS,
  );

  it.each(["/^(?:\\d{4}-)+$/", "/^[^,]*,[^,]*$/", "/^[\\w.-]+(?:,|$)/"])(
    "but %s",
    async (pattern) => {
      expect(await rulesBroken("src/server/index.ts", repeated(pattern))).toEqual([]);
    },
    LINT_MS,
  );
});
