import js from "@eslint/js";
import regexp from "eslint-plugin-regexp";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import { noNestedRepetition } from "./scripts/nested-repetition.mjs";
import svelteConfig from "./svelte.config.js";

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

const COMPONENTS = ["**/*.svelte"];
const RUNES = ["**/*.svelte.ts"];

// Rules of our own, and those of components. Everything else that can be said of a script, oxlint finds
// (.oxlintrc.json), and tests/repository/imports.test.ts looks at who imports whom.
export default ts.config(
  { ignores: ["bin/", "dist/", ".cache/", "test-results/", "playwright-report/", "release/", "docs/"] },
  {
    files: ["**/*.{ts,js,mjs}"],
    languageOptions: { parser: ts.parser },
    // Comments may turn off rules of oxlint.
    linterOptions: { reportUnusedDisableDirectives: "off" },
    rules: { "no-restricted-syntax": ["error", EMPTY_CATCH] },
  },
  { files: COMPONENTS, extends: [js.configs.recommended, ts.configs.recommended] },
  { files: [...COMPONENTS, ...RUNES], extends: [svelte.configs.recommended] },
  {
    files: COMPONENTS,
    languageOptions: {
      globals: globals.browser,
      parserOptions: {
        parser: ts.parser,
        svelteConfig: { ...svelteConfig, compilerOptions },
      },
    },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: ["error", "always"],
      "no-console": "error",
      "no-control-regex": "off",
      // Props are destructured by `let`, as some of them are bound.
      "prefer-const": "off",
      // svelte-check finds undefined names; the linter doesn't know the compiler's own names.
      "no-undef": "off",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-restricted-syntax": ["error", EMPTY_CATCH, STATIC_STYLE, ...UNJUDGED, ...UNBOUNDED_DATES],
      // We replace state and never change it in place, so a plain Map will do.
      "svelte/prefer-svelte-reactivity": "off",
      // The props of components that `Load` loads need an index signature, which the rule takes for an unused prop.
      "svelte/no-unused-props": "off",
      // The rule takes the reason after the codes for more codes; the compiler itself reports unknown codes.
      "svelte/no-unused-svelte-ignore": "off",
      "svelte/button-has-type": "error",
      "svelte/require-each-key": "error",
      "svelte/no-target-blank": "error",
    },
  },
  {
    files: RUNES,
    languageOptions: { parserOptions: { parser: ts.parser } },
    rules: { "svelte/prefer-svelte-reactivity": "off" },
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
    // Random bytes are passed in; cryptography itself gives the same everywhere.
    files: ["src/hub/devices/keys.ts"],
    rules: { "no-restricted-globals": ["error", ...HANDED_IN.filter(({ name }) => name !== "crypto")] },
  },
  {
    files: ["src/ui/**"],
    // It fetches the app's own files before there is a client.
    ignores: ["src/ui/renew.ts"],
    rules: { "no-restricted-globals": ["error", ...BY_CLIENT] },
  },
  {
    files: ["src/ui/**/*.ts"],
    ignores: [
      "src/ui/message/attachment/judge-load.ts",
      "src/ui/message/attachment/load-into.ts",
      "src/ui/strings/dates.ts",
    ],
    rules: { "no-restricted-syntax": ["error", EMPTY_CATCH, ...UNJUDGED, ...UNBOUNDED_DATES] },
  },
);
