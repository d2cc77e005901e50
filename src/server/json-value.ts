/** Place behind the text in quotes that begins at a place; the end where it is never closed. */
function endOfQuoted(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') return at + 1;
    if (text[at] === "\\") at++;
  }
  return text.length;
}

/** End of the value that stands at the start of the text, for objects, lists and words; the text's own end for the rest. */
function endOfFirstValue(text: string): number {
  const start = Math.max(0, text.search(/\S/));
  const word = ["null", "true", "false"].find((each) => text.startsWith(each, start));
  if (word) return start + word.length;
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === "{" || character === "[") depth++;
    // Text in quotes is stepped over as one, so that only brackets outside of it count.
    else if (character === '"') at = endOfQuoted(text, at) - 1;
    else if ((character === "}" || character === "]") && --depth === 0) return at + 1;
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
