import js from "@eslint/js";
import regexp from "eslint-plugin-regexp";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import repository from "./scripts/lint-rules.mjs";
import svelteConfig from "./svelte.config.js";

const STATIC_STYLE = {
  selector: "SvelteAttribute[key.name='style']",
  message: "The Content-Security-Policy forbids style attributes in markup; use a class or `style:name={value}`.",
};

const BY_CLIENT = ["fetch", "XMLHttpRequest", "EventSource", "WebSocket", "Audio"].map((name) => ({
  name,
  message: "Components reach the network through client alone.",
}));
/** Without `cssHash`: the linter's cache can't store functions. */
const { cssHash: _, ...compilerOptions } = svelteConfig.compilerOptions;

const COMPONENTS = ["**/*.svelte"];
const RUNES = ["**/*.svelte.ts"];

// Rules of components. All else that can be said of a script, oxlint finds (.oxlintrc.json), and
// tests/repository/imports.test.ts looks at who imports whom.
export default ts.config(
  { ignores: ["**/*.{js,mjs}", "dist/", ".cache/", "release/"] },
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
    plugins: { regexp, repository },
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
      "no-restricted-syntax": ["error", STATIC_STYLE],
      "no-restricted-globals": ["error", ...BY_CLIENT],
      "repository/no-silent-catch": "error",
      "repository/no-unbounded-date": "error",
      "repository/no-unjudged-load": "error",
      "repository/no-nested-repetition": "error",
      "regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
      "regexp/no-super-linear-move": ["error", { report: "potential" }],
      "regexp/optimal-quantifier-concatenation": "error",
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
);
