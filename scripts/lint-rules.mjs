// Our own lint rules: oxlint's for scripts (.oxlintrc.json), eslint's for components (eslint.config.js).
import { RegExpParser, visitRegExpAST } from "@eslint-community/regexpp";

const parser = new RegExpParser();

/**
 * A rule against what matches any of the selectors.
 * @param {string} message
 * @param {...string} selectors
 * @returns {import("eslint").Rule.RuleModule}
 */
const without = (message, ...selectors) => ({
  meta: { type: "problem", schema: [], messages: { found: message } },
  create: (context) =>
    Object.fromEntries(
      selectors.map((selector) => [
        selector,
        (/** @type {import("eslint").Rule.Node} */ node) => context.report({ node, messageId: "found" }),
      ]),
    ),
});

const LOADS_WHAT_IT_NAMES = "/^(?:src|srcset|poster)$/";

/**
 * The source of the inner one of two nested repetitions; undefined if there is none.
 * @param {string} pattern
 * @param {string} flags
 * @returns {string | undefined}
 */
function nestedRepetition(pattern, flags) {
  const ast = parser.parsePattern(pattern, undefined, undefined, {
    unicode: flags.includes("u"),
    unicodeSets: flags.includes("v"),
  });
  /** @type {string | undefined} */
  let found;
  let depth = 0;
  visitRegExpAST(ast, {
    onQuantifierEnter({ max, raw }) {
      if (depth > 0 && max === Infinity) found ??= raw;
      if (max > 1) depth++;
    },
    onQuantifierLeave({ max }) {
      if (max > 1) depth--;
    },
  });
  return found;
}

/**
 * Against an unbounded repetition within another, such as (a+)* or (?:<[^>]*>\s*)*. If a text can be divided between
 * the two in several ways, a pattern that doesn't match tries them all, and their number doubles with each character.
 * Whether that is possible is hard to tell (eslint-plugin-regexp misses some cases), so the form is forbidden.
 * @type {import("eslint").Rule.RuleModule}
 */
const noNestedRepetition = {
  meta: {
    type: "problem",
    schema: [],
    messages: { nested: "{{inner}} repeats without end within another repetition: step through the text instead." },
  },
  create(context) {
    return {
      Literal(node) {
        if (!("regex" in node) || !node.regex) return;
        const inner = nestedRepetition(node.regex.pattern, node.regex.flags);
        if (inner !== undefined) context.report({ node, messageId: "nested", data: { inner } });
      },
    };
  },
};

export default {
  meta: { name: "repository" },
  rules: {
    "no-nested-repetition": noNestedRepetition,
    "no-silent-catch": without(
      "Handle the error, translate it, or let it reach the top; a comment does none of these.",
      "CatchClause > BlockStatement[body.length=0]",
    ),
    "no-own-time-or-chance": without(
      "Passed in, so that a test owns it.",
      "MemberExpression[object.name='Date'][property.name='now']",
      "NewExpression[callee.name='Date'][arguments.length=0]",
      "MemberExpression[object.name='Math'][property.name='random']",
    ),
    // Servers may send any number as a time, and a `Date` of a number that is too large throws when it is formatted.
    "no-unbounded-date": without(
      "A moment becomes a Date, or a text of it, in ui/strings/dates.ts.",
      "NewExpression[callee.name='Date'][arguments.length=1]",
      "CallExpression[callee.property.name='toISOString']",
    ),
    // The app requests an address in a message only if `judgeLoad` allows it, and only in the files that are excepted.
    "no-unjudged-load": without(
      "What a message points at is loaded by load-into.ts alone, as judge-load.ts says.",
      `SvelteAttribute[key.name=${LOADS_WHAT_IT_NAMES}]`,
      `SvelteShorthandAttribute[key.name=${LOADS_WHAT_IT_NAMES}]`,
      // A literal is the address of a file of the app.
      `AssignmentExpression[left.property.name=${LOADS_WHAT_IT_NAMES}][right.type!='Literal']`,
      `CallExpression[callee.property.name='setAttribute'][arguments.0.value=${LOADS_WHAT_IT_NAMES}]`,
      "TSAsExpression[typeAnnotation.typeName.name=/^(?:LoadAddress|Showable)$/]",
    ),
  },
};
