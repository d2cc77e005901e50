import js from "@eslint/js";
import { flatConfigs as importX, createNodeResolver } from "eslint-plugin-import-x";
import regexp from "eslint-plugin-regexp";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import { noNestedRepetition } from "./scripts/nested-repetition.mjs";
import svelteConfig from "./svelte.config.js";

// The folders that each folder may import (ARCHITECTURE.md has the picture).
const MAY_IMPORT = {
  protocol: [],
  contract: ["protocol"],
  store: ["protocol", "contract"],
  hub: ["protocol", "contract", "store"],
  worker: ["protocol", "contract", "store", "hub"],
  sw: ["protocol", "contract", "store", "hub"],
  client: ["protocol", "contract", "store"],
  ui: ["protocol", "contract", "client"],
  server: ["protocol"],
  build: [],
};
const FOLDERS = Object.keys(MAY_IMPORT);
/**
 * Folders imported only for the address of a file (`?worker&url`); the rule below can't tell that from other imports.
 */
const ADDRESSES = { client: ["worker"] };

/** Files that are started and never imported, except for their address (`?…&url`). They connect the other parts. */
const ENTRIES = ["ui/begin", "worker/worker", "sw/service-worker", "sw/push-worker", "server/main"];

const directions = Object.entries(MAY_IMPORT).map(([folder, allowed]) => ({
  target: `./src/${folder}`,
  from: "./src",
  except: [folder, ...allowed, ...(ADDRESSES[folder] ?? [])].map((name) => `./${name}`),
  message: `${folder}/ may import only ${["itself", ...allowed].join(", ")}.`,
}));

/**
 * The folders of `src/ui`, from the lowest layer to the highest: each may import those before it. The files directly in
 * `src/ui` may import all of them.
 */
export const UI_LAYERS = [
  ...["strings", "state", "parts", "message", "away", "feed"],
  // Screens, and code that controls them.
  ...["alerts", "backup", "settings", "commands", "details", "views", "topics", "raw", "columns", "wall", "help"],
  // What reaches all of them.
  "palette",
  ...["shell", "prerender"],
];

const layers = UI_LAYERS.map((folder, layer) => ({
  target: `./src/ui/${folder}`,
  from: "./src/ui",
  except: UI_LAYERS.slice(0, layer + 1).map((name) => `./${name}`),
  message: `ui/${folder} may import only the layers below it: ${UI_LAYERS.slice(0, layer).join(", ") || "none"}.`,
}));

const throughIndex = {
  // With a query (`?worker&url`), only the file's address is imported.
  regex: `^(?:\\.\\./)+(?:src/)?(?:${FOLDERS.join("|")})/(?!index(?:\\.ts)?$)[^?]*$`,
  message: "A folder is entered through its index.ts.",
};
// Only for imports within a folder: the rule above forbids imports of an entry from other folders.
const noEntries = ENTRIES.map((entry) => ({
  target: `./src/${entry.split("/")[0]}`,
  from: `./src/${entry}.ts`,
  message: "Nothing imports an entry file.",
}));

// The environment is passed in to this code, so that tests control time, chance and network.
const HANDED_IN = ["fetch", "setTimeout", "setInterval", "performance", "crypto", "navigator", "location"].map(
  (name) => ({
    name,
    message: "Passed in, so that a test owns it.",
  }),
);
const HANDED_IN_SYNTAX = [
  {
    selector: "MemberExpression[object.name='Date'][property.name='now']",
    message: "The time is passed in.",
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: "The time is passed in.",
  },
  {
    selector: "MemberExpression[object.name='Math'][property.name='random']",
    message: "Chance is passed in.",
  },
];

// Servers may send any number as a time, and a `Date` of a number that is too large throws when it is formatted.
const UNBOUNDED_DATES = [
  "NewExpression[callee.name='Date'][arguments.length=1]",
  "CallExpression[callee.property.name='toISOString']",
].map((selector) => ({ selector, message: "A moment becomes a Date, or a text of it, in ui/strings/dates.ts." }));

const EMPTY_CATCH = {
  selector: "CatchClause > BlockStatement[body.length=0]",
  message: "Handle the error, translate it, or let it reach the top; a comment does none of these.",
};
const STATIC_STYLE = {
  selector: "SvelteAttribute[key.name='style']",
  message: "The Content-Security-Policy forbids style attributes in markup; use a class or `style:name={value}`.",
};

// The app requests an address in a message only if `judgeLoad` allows it, and only in the files that are excepted
// below.
const LOADS_WHAT_IT_NAMES = "/^(?:src|srcset|poster)$/";
const LOADED_BY_ONE = "What a message points at is loaded by load-into.ts alone, as judge-load.ts says.";
const UNJUDGED = [
  ...["SvelteAttribute", "SvelteShorthandAttribute"].map((kind) => `${kind}[key.name=${LOADS_WHAT_IT_NAMES}]`),
  // A literal is the address of a file of the app.
  `AssignmentExpression[left.property.name=${LOADS_WHAT_IT_NAMES}][right.type!='Literal']`,
  `CallExpression[callee.property.name='setAttribute'][arguments.0.value=${LOADS_WHAT_IT_NAMES}]`,
  "TSAsExpression[typeAnnotation.typeName.name=/^(?:LoadAddress|Showable)$/]",
].map((selector) => ({ selector, message: LOADED_BY_ONE }));
const BY_CLIENT = ["fetch", "XMLHttpRequest", "EventSource", "WebSocket", "Audio"].map((name) => ({
  name,
  message: "Components reach the network through client alone.",
}));
/** Without `cssHash`: the linter's cache can't store functions. */
const { cssHash: _, ...compilerOptions } = svelteConfig.compilerOptions;

export default ts.config(
  { ignores: ["dist/", ".cache/", "test-results/", "playwright-report/", "docs/"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  importX.typescript,
  {
    languageOptions: {
      parserOptions: { projectService: true, extraFileExtensions: [".svelte"], tsconfigRootDir: import.meta.dirname },
    },
    settings: {
      "import-x/resolver-next": [createNodeResolver({ extensions: [".ts", ".mjs", ".js", ".svelte", ".json"] })],
    },
    rules: {
      eqeqeq: ["error", "always"],
      "no-empty": ["error", { allowEmptyCatch: false }],
      "no-console": "error",
      "no-restricted-syntax": ["error", EMPTY_CATCH],
      // Packages never import our code, and reading them all took most of the linter's time.
      "import-x/no-cycle": ["error", { ignoreExternal: true }],
      "import-x/no-self-import": "error",
      "import-x/no-duplicates": "error",
      // Several rules of the protocol are about control characters.
      "no-control-regex": "off",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/await-thenable": "error",
      "@typescript-eslint/only-throw-error": "error",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/consistent-type-imports": [
        "error",
        { fixStyle: "inline-type-imports", disallowTypeAnnotations: false },
      ],
      "@typescript-eslint/no-import-type-side-effects": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: {
      globals: globals.browser,
      parserOptions: { parser: ts.parser, svelteConfig: { ...svelteConfig, compilerOptions } },
    },
    rules: {
      // svelte-check finds undefined names; the linter doesn't know the compiler's own names.
      "no-undef": "off",
      "no-restricted-syntax": ["error", EMPTY_CATCH, STATIC_STYLE, ...UNJUDGED, ...UNBOUNDED_DATES],
      "svelte/no-at-html-tags": "error",
      // We replace state and never change it in place, so a plain Map will do.
      "svelte/prefer-svelte-reactivity": "off",
      // The props of lazily loaded components need an index signature, which the rule takes for an unused prop.
      "svelte/no-unused-props": "off",
      // The rule takes the reason after the codes for more codes; the compiler itself reports unknown codes.
      "svelte/no-unused-svelte-ignore": "off",
      "svelte/button-has-type": "error",
      "svelte/require-each-key": "error",
      "svelte/no-target-blank": "error",
    },
  },
  {
    files: ["src/**"],
    rules: {
      "import-x/no-restricted-paths": [
        "error",
        { basePath: import.meta.dirname, zones: [...directions, ...layers, ...noEntries] },
      ],
      "no-restricted-imports": ["error", { patterns: [throughIndex] }],
    },
  },
  // No pattern may take time that grows faster than the text, as texts come from outside.
  {
    files: ["src/**", "scripts/**"],
    plugins: { regexp, repository: { rules: { "no-nested-repetition": noNestedRepetition } } },
    rules: {
      "repository/no-nested-repetition": "error",
      "regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
      "regexp/no-super-linear-move": ["error", { report: "potential" }],
      "regexp/optimal-quantifier-concatenation": "error",
    },
  },
  {
    files: ["src/protocol/**", "src/contract/**", "src/store/**", "src/hub/**"],
    rules: {
      "no-restricted-globals": ["error", ...HANDED_IN],
      "no-restricted-syntax": ["error", EMPTY_CATCH, ...HANDED_IN_SYNTAX],
    },
  },
  {
    files: ["src/ui/**"],
    // It fetches the app's own files before there is a client.
    ignores: ["src/ui/state/start-anew.ts"],
    rules: { "no-restricted-globals": ["error", ...BY_CLIENT] },
  },
  {
    files: ["src/ui/**/*.ts"],
    ignores: ["src/ui/message/judge-load.ts", "src/ui/message/load-into.ts", "src/ui/strings/dates.ts"],
    rules: { "no-restricted-syntax": ["error", EMPTY_CATCH, ...UNJUDGED, ...UNBOUNDED_DATES] },
  },
  // Programs in a terminal print their output.
  {
    files: ["scripts/**", "*.js", "tests/**"],
    languageOptions: { globals: globals.node },
    rules: { "no-console": "off" },
  },
  // Playwright finds out from the pattern which fixtures a fixture needs; {} means none.
  { files: ["tests/e2e/**"], rules: { "no-empty-pattern": ["error", { allowObjectPatternsAsParameters: true }] } },
  // French has spaces that don't break before ; : ? ! and within « ».
  { files: ["src/ui/strings/fr/**"], rules: { "no-irregular-whitespace": ["error", { skipTemplates: true }] } },
  { files: ["src/server/main.ts", "src/server/command-line.ts"], rules: { "no-console": "off" } },
  {
    files: ["src/build/**", "*.ts"],
    languageOptions: { globals: globals.node },
  },
);
