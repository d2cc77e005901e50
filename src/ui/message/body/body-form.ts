import { plainMarkdown, stripBidiControls, type bodyText } from "../../../contract";
import { beginningOf, visible } from "../label";
import { findMatches } from "./mark-matches";

/** A body with fewer lines is always shown as prose. */
const FEWEST_LINES = 4;

/** Longest line of a terminal, in characters; anything longer is a paragraph. */
const LONGEST_LINE = 120;

/** The moment at the beginning of a line of a log, which may be of any length. */
const STAMP = /^\W?(?:\d{4}-\d{2}-\d{2}|\d{2}:\d{2}:\d{2})/;

/** Share of the lines that may be longer, such as a stack trace in a log. */
const LONG_ONES = 0.1;

/** Share of the lines that must look machine-made. */
const MOSTLY = 0.6;

/** How much of a text is examined: its beginning tells what it is. */
const SAMPLE = 16_384;

/** Signs that a machine wrote a line, or that its columns matter. */
const SIGNS: readonly RegExp[] = [
  // Columns and indents.
  /\S {2,}\S|\t|^ +\S/,
  // Clock times and dates.
  /\b\d{1,2}:\d{2}\b|\b\d{4}-\d{2}-\d{2}\b/,
  // Levels of a log.
  /\b(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRIT(?:ICAL)?|OK|FAIL(?:ED)?)\b/,
  // Names with values, prompts, and diff markers.
  /^[\w.-]+ ?[=:]\s*\S|^[$#>+|@-]{1,3} ?\S*[\d/=_.]|^[+-]\S/,
  // File names, versions and numbers alone on their line.
  /^[^\s\d/._-]*[\d/._-]\S*$/,
  // Frames of a table.
  /^[^│─┌└├|]*[│─┌└├|].*[│─┐┘┤|]/,
];

/** Whether a line has more digits and symbols than a sentence would. */
function isDense(line: string): boolean {
  const letters = line.match(/[\p{L}\s]/gu)?.length ?? 0;
  return letters < line.length * 0.6;
}

/**
 * Whether plain text is program output, best read in a fixed-width font: many short lines, most of them with columns,
 * times, levels or values. Poems, word lists and wrapped letters have none of these.
 */
export function isFixedWidth(text: string): boolean {
  const lines = text
    .slice(0, SAMPLE)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const long = lines.filter((line) => line.length > LONGEST_LINE && !STAMP.test(line));
  if (lines.length < FEWEST_LINES || long.length > lines.length * LONG_ONES) return false;
  const signed = lines.filter((line) => SIGNS.some((sign) => sign.test(line)) || isDense(line));
  return signed.length >= lines.length * MOSTLY;
}

/** Longer texts are shown as they are: reading them as JSON would block the page. */
const LONGEST = 200_000;

/** Whether a text is JSON worth indenting: a non-empty object or list. */
export function isJsonText(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST) return false;
  const ends = `${trimmed[0] ?? ""}${trimmed.at(-1) ?? ""}`;
  if (ends !== "{}" && ends !== "[]") return false;
  try {
    return Object.keys(JSON.parse(trimmed) as object).length > 0;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** What is nested deeper stays as written, because its indents would fill the line. */
const DEEPEST = 64;

/**
 * JSON, an entry a line, indented by depth. Unlike by JSON.parse, the order of keys, duplicate keys and long numbers stay
 * as written; escaped letters become readable.
 */
export function indentedJson(text: string): string {
  let indented = "";
  let line = "\n";
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]\s*[\]}]|[[\]{},:]|[^\s[\]{}:,"]+/g)) {
    const isClosing = token === "]" || token === "}";
    if (isClosing) line = line.slice(0, -2);
    else if (token === "[" || token === "{") line += "  ";
    // Many short entries, each far indented, would take megabytes.
    if (line.length > 2 * DEEPEST || indented.length > 2 * LONGEST) return text;
    if (token.startsWith('"')) indented += visible(JSON.stringify(JSON.parse(token)));
    else if (token === ":") indented += ": ";
    else if (isClosing) indented += line + token;
    else if (token === "[" || token === "{" || token === ",") indented += token + line;
    else indented += token.replace(/\s/g, "");
  }
  return indented;
}

export function formOf(
  body: ReturnType<typeof bodyText>,
): "bytes" | "unseen" | "markdown" | "json" | "fixed" | "plain" {
  if (body.kind !== "plain") return body.kind;
  if (isJsonText(body.text)) return "json";
  return isFixedWidth(body.text) ? "fixed" : "plain";
}

/** How many lines of a log a row shows. */
const LOG_LINES = 3;

/** More than two of the widest lines hold, in characters. */
const LONGEST_EXCERPT = 400;

/** What surely fits into two lines, and how much precedes a match further on, in characters. */
const [SURELY_SHOWN, BEFORE_MATCH] = [60, 30];

/** The text from shortly before its first match, unless its beginning shows that. */
function fromMatch(text: string, wanted: readonly string[]): string {
  const [[at] = [0]] = findMatches(text, wanted, 1);
  if (at < SURELY_SHOWN) return text;
  // Cut neither within a character nor within a word.
  return `… ${text
    .slice(at - BEFORE_MATCH)
    .replace(/^[\udc00-\udfff]/, "")
    .replace(/^\S{0,12}\s+/, "")}`;
}

/**
 * What a row shows of a text, without formatting; `more`: how many lines of a log are left out.
 * @param wanted the search terms, folded: the first match is shown
 */
export function excerptOf(
  body: { kind: "plain" | "markdown"; text: string },
  wanted: readonly string[] = [],
): { text: string; isLog: boolean; more: number } {
  const text = stripBidiControls(body.kind === "markdown" ? plainMarkdown(body.text) : body.text);
  if (body.kind === "plain" && isFixedWidth(text)) {
    const lines = text.trimEnd().replace(/^\n+/, "").split("\n");
    const found = lines.findIndex((line) => findMatches(line, wanted, 1).length > 0);
    const from = found < LOG_LINES ? 0 : found;
    const shown = lines
      .slice(from, from + LOG_LINES)
      .map((line) => beginningOf(fromMatch(line, wanted), LONGEST_EXCERPT));
    return { text: shown.join("\n"), isLog: true, more: lines.length - shown.length };
  }
  // An empty line would waste one of the two.
  const lines = fromMatch(text.trim(), wanted).replace(/\n\s*\n/g, "\n");
  return { text: beginningOf(lines, LONGEST_EXCERPT), isLog: false, more: 0 };
}
