// A lint rule against an unbounded repetition within another, such as (a+)* or (?:<[^>]*>\s*)*. If a text can be
// divided between the two in several ways, a pattern that doesn't match tries them all, and their number doubles with
// each character. Whether that is possible is hard to tell (eslint-plugin-regexp misses some cases), so the form is
// forbidden.
import { RegExpParser, visitRegExpAST } from "@eslint-community/regexpp";

const parser = new RegExpParser();

/**
 * The source of the inner one of two nested repetitions; undefined if there is none.
 * @param {string} pattern
 * @param {string} flags
 * @returns {string | undefined}
 */
export function nestedRepetition(pattern, flags) {
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

/** @type {import("eslint").Rule.RuleModule} */
export const noNestedRepetition = {
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
