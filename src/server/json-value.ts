/** End of the value that stands at the start of the text, for objects, lists and words; the text's own end for the rest. */
function endOfFirstValue(text: string): number {
  const start = text.search(/\S/);
  const word = /^(null|true|false)/.exec(text.slice(Math.max(0, start)))?.[0];
  if (word) return start + word.length;
  let depth = 0;
  // Text in quotes is stepped over as one, so that only brackets outside of it count.
  for (const { 0: piece, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (piece === "{" || piece === "[") depth++;
    else if (piece === "}" || piece === "]") depth--;
    if (depth === 0 && !piece.startsWith('"')) return index + 1;
  }
  return text.length;
}

/**
 * Parses the first JSON value of a text. What follows it is left alone, as the reference does.
 * @throws SyntaxError
 */
export function parseFirstJson(text: string): unknown {
  return JSON.parse(text.slice(0, endOfFirstValue(text)));
}

/** The fields of a parsed object by their names in lower case, the last of each name; those that are null are none. */
export function fieldsInAnyCase(object: object): Record<string, unknown> {
  const given = Object.entries(object).filter(([, value]) => value !== null);
  return Object.fromEntries(given.map(([key, value]: [string, unknown]) => [key.toLowerCase(), value]));
}
