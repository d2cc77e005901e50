import { Refusal, type RefusalCode } from "./protocol-error";

/** Position after the quoted string that begins at a position; the end of the text if the string is never closed. */
function endOfQuoted(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') return at + 1;
    if (text[at] === "\\") at++;
  }
  return text.length;
}

/** End of the JSON value at the start of the text, for objects, arrays and words; else the end of the text. */
function endOfFirstValue(text: string): number {
  const start = Math.max(0, text.search(/\S/));
  const word = ["null", "true", "false"].find((each) => text.startsWith(each, start));
  if (word) return start + word.length;
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === "{" || character === "[") depth++;
    // Skip quoted strings as a whole, so that only brackets outside of them count.
    else if (character === '"') at = endOfQuoted(text, at) - 1;
    else if ((character === "}" || character === "]") && --depth === 0) return at + 1;
  }
  return text.length;
}

/** Parses the first JSON value of a text, ignoring the rest, as the reference does. @throws SyntaxError */
export function parseFirstJson(text: string): unknown {
  return JSON.parse(text.slice(0, endOfFirstValue(text)));
}

/** The fields of the object that a text begins with, of which `null` has none. @throws Refusal if it isn't one */
export function parseFields(text: string, code: RefusalCode): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseFirstJson(text);
  } catch {
    throw new Refusal(code, "it is no JSON object");
  }
  if (typeof value !== "object" || Array.isArray(value)) throw new Refusal(code, "it is no JSON object");
  return fieldsInAnyCase(value ?? {});
}

/** The fields of a parsed object by lower-case name; of equal names the last counts, and null fields are left out. */
export function fieldsInAnyCase(object: object): Record<string, unknown> {
  const given = Object.entries(object).filter(([, value]) => value !== null);
  return Object.fromEntries(given.map(([key, value]: [string, unknown]) => [key.toLowerCase(), value]));
}
