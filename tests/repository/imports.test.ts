import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { ROOT } from "../../scripts/source-hash.mjs";

/** The folders that each folder may import (ARCHITECTURE.md has the picture). */
const MAY_IMPORT: Record<string, string[]> = {
  protocol: [],
  contract: ["protocol"],
  store: ["protocol", "contract"],
  hub: ["protocol", "contract", "store"],
  worker: ["protocol", "contract", "store", "hub"],
  sw: ["protocol", "contract", "store", "hub"],
  client: ["protocol", "contract", "store"],
  ui: ["protocol", "contract", "client", "locales"],
  locales: [],
  server: ["protocol"],
  build: [],
};

/** Within a folder, its layers from the lowest to the highest: each may import those before it. Other files may import all. */
const LAYERS: Record<string, string[]> = {
  ui: [
    ...["strings", "state", "parts", "message", "away", "feed"],
    // Screens, and code that controls them.
    ...[
      "alerts",
      "backup",
      "devices",
      "settings",
      "commands",
      "details",
      "views",
      "topics",
      "raw",
      "columns",
      "wall",
      "help",
    ],
    // What reaches all of them.
    "palette",
    ...["shell", "snapshot"],
  ],
  hub: [
    ...["requests", "server", "live", "sync", "connection", "alerts", "lead", "push", "commands", "devices"],
    ...["leader.ts", "hub.ts", "index.ts"],
  ],
  store: ["read", "search", "ingest", "edit", "tidy", "backup", "files", "store.ts", "index.ts"],
};

/** Files that are started and never imported. They connect the other parts. */
const ENTRIES = [
  ...["ui/begin", "ui/inline", "ui/renew", "ui/first-screens"],
  ...["worker/worker", "sw/service-worker", "sw/push-worker", "server/earshot"],
].map((name) => `src/${name}.ts`);

type Import = [from: string, to: string];

/** The script of a component; any other file as it is. */
const scriptOf = (file: string, text: string): string =>
  file.endsWith(".svelte")
    ? [...text.matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map(([, script]) => script).join("\n")
    : text;

/** What code imports: statically, by `import()`, and types alone; not what it imports only for its address. */
function specifiers(code: string): string[] {
  const { importedFiles } = ts.preProcessFile(code, true, true);
  return importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith(".") && !name.includes("?"));
}

function resolved(from: string, specifier: string): string {
  const path = normalize(join(dirname(from), specifier));
  const found = [path, `${path}.ts`, join(path, "index.ts"), `${path}.d.ts`].find(
    (name) => /\.\w+$/.test(name) && existsSync(join(ROOT, name)),
  );
  if (found === undefined) throw new Error(`${from} imports ${specifier}, which is no file`);
  return found;
}

function importsOfSources(): Import[] {
  const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:ts|svelte)$/.test(name))
    .map((name) => join("src", name));
  return files.flatMap((file) =>
    specifiers(scriptOf(file, readFileSync(join(ROOT, file), "utf8"))).map((name): Import => [
      file,
      resolved(file, name),
    ]),
  );
}

/** Why a file may not import another one. */
function why([from, to]: Import): string | undefined {
  const [, folder = "", inner = ""] = from.split("/");
  const [top, target = "", below = ""] = to.split("/");
  if (top !== "src") return undefined;
  if (ENTRIES.includes(to)) return "nothing imports an entry file";
  if (target !== folder) {
    if (!MAY_IMPORT[folder]?.includes(target)) return `${folder} may not import ${target}`;
    // The texts are data.
    return below === "index.ts" || to.startsWith("src/locales/")
      ? undefined
      : "a folder is entered through its index.ts";
  }
  const layers = LAYERS[folder] ?? [];
  const isBelow = !layers.includes(inner) || layers.indexOf(below) <= layers.indexOf(inner);
  // In the interface, files that stand in no layer connect them all.
  const isWiring = folder === "ui" && layers.includes(inner) && !layers.includes(below);
  return isBelow && !isWiring ? undefined : `${folder}/${inner} may not import ${below}, which is above it`;
}

function cycles(imports: Import[]): string[][] {
  const next = new Map<string, string[]>();
  for (const [from, to] of imports) next.set(from, [...(next.get(from) ?? []), to]);
  const done = new Set<string>();
  const found: string[][] = [];
  const visit = (file: string, path: string[]): void => {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file]);
    if (done.has(file)) return;
    done.add(file);
    for (const to of next.get(file) ?? []) visit(to, [...path, file]);
  };
  for (const file of next.keys()) visit(file, []);
  return found;
}

it("imports go one way: between folders, between their layers, and through their index", () => {
  const all = importsOfSources();
  expect(all.length).toBeGreaterThan(2_000);
  const faults = all.flatMap((one) => {
    const reason = why(one);
    return reason === undefined ? [] : [`${one.join(" imports ")}: ${reason}`];
  });
  expect(faults).toEqual([]);
});

it("nothing imports itself by way of others", () => {
  expect(cycles(importsOfSources()).map((cycle) => cycle.join(" > "))).toEqual([]);
});

it("every folder has its place", () => {
  const folders = (path: string): string[] =>
    readdirSync(join(ROOT, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== "styles")
      .map(({ name }) => name);
  expect(folders("src").sort()).toEqual(Object.keys(MAY_IMPORT).sort());
  for (const [folder, layers] of Object.entries(LAYERS)) {
    expect(folders(`src/${folder}`).filter((name) => !layers.includes(name))).toEqual([]);
  }
});

it.each([
  ["src/protocol/topic.ts", "src/contract/index.ts"],
  ["src/ui/feed/Feed.svelte", "src/store/index.ts"],
  ["src/hub/hub.ts", "src/protocol/topic.ts"],
  ["src/hub/index.ts", "src/worker/worker.ts"],
  ["src/ui/state/topics/names.ts", "src/ui/feed/jump.ts"],
  ["src/ui/feed/jump.ts", "src/ui/App.svelte"],
  ["src/hub/live/stream-pool.ts", "src/hub/sync/polled-group.ts"],
  ["src/hub/push/receive-push.ts", "src/hub/hub.ts"],
  ["src/store/read/pages.ts", "src/store/store.ts"],
])("%s may not import %s", (from, to) => {
  expect(why([from, to])).toBeDefined();
});

it("imports of every kind count", () => {
  const script = `import a from "./a";\nimport type { B } from "./b";\nexport { c } from "./c";\nconst d = () => import("./d");\nimport url from "./e?url";\n`;
  expect(specifiers(script)).toEqual(["./a", "./b", "./c", "./d"]);
  const component = `<script lang="ts">\n${script}</script>\n<p></p>\n`;
  expect(specifiers(scriptOf("X.svelte", component))).toHaveLength(4);
});

it("a way round is found", () => {
  const imports: Import[] = [
    ["a", "b"],
    ["b", "c"],
    ["c", "a"],
    ["a", "d"],
  ];
  expect(cycles(imports)).toEqual([["a", "b", "c", "a"]]);
});
