import { plainMarkdown, stripBidiControls, type bodyText } from "../../../contract";

/** A body with fewer lines is always shown as prose. */
const FEWEST_LINES = 4;

/** Longest line of a terminal, in characters; a longer one is a paragraph. */
const LONGEST_LINE = 120;

/** Share of the lines that may be longer, such as a stack trace within a log. */
const LONG_ONES = 0.1;

/** Share of the lines that must look like a machine's. */
const MOSTLY = 0.6;

/** The beginning of a text tells what it is. */
const SAMPLE = 16_384;

/** Signs that a machine wrote a line, or that its columns matter. */
const SIGNS: readonly RegExp[] = [
  // Columns and indents.
  /\S {2,}\S|\t|^ +\S/,
  // Clock times and dates.
  /\b\d{1,2}:\d{2}\b|\b\d{4}-\d{2}-\d{2}\b/,
  // Levels of a log.
  /\b(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRIT(?:ICAL)?|OK|FAIL(?:ED)?)\b/,
  // Names with values, prompts, and starts of diff lines.
  /^[\w.-]+ ?[=:]\s*\S|^[$#>+|@-]{1,3} ?\S*[\d/=_.]|^[+-]\S/,
  // File names, versions and numbers alone on their line.
  /^[^\s\d/._-]*[\d/._-]\S*$/,
  // Frames of a table.
  /^[^│─┌└├|]*[│─┌└├|].*[│─┐┘┤|]/,
];

/** More digits and signs than in a sentence. */
function isDense(line: string): boolean {
  const letters = line.match(/[\p{L}\s]/gu)?.length ?? 0;
  return letters < line.length * 0.6;
}

/**
 * Whether plain text is program output, best read in a fixed-width font: many short lines, most with a sign of it
 * (columns, times, levels, values). Poems, word lists and wrapped letters have none.
 */
export function isFixedWidth(text: string): boolean {
  const lines = text
    .slice(0, SAMPLE)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const long = lines.filter((line) => line.length > LONGEST_LINE);
  if (lines.length < FEWEST_LINES || long.length > lines.length * LONG_ONES) return false;
  const signed = lines.filter((line) => SIGNS.some((sign) => sign.test(line)) || isDense(line));
  return signed.length >= lines.length * MOSTLY;
}

/** Longer texts are shown as text: a tree would block the page. */
const LONGEST = 200_000;

/** Whether a text is JSON worth showing as a tree: a non-empty object or list. */
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

/** How a body is shown. */
export function formOf(
  body: ReturnType<typeof bodyText>,
): "bytes" | "unseen" | "markdown" | "json" | "fixed" | "plain" {
  if (body.kind !== "plain") return body.kind;
  if (isJsonText(body.text)) return "json";
  return isFixedWidth(body.text) ? "fixed" : "plain";
}

/** Lines that a row shows of a log. */
const LOG_LINES = 3;

/** More than two of the widest lines hold, in characters. */
const LONGEST_EXCERPT = 400;

/** A beginning of a text, never half a character. */
export function beginningOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}

/** What a row shows of a text, without formatting; `more`: lines of a log that are left out. */
export function excerptOf(body: { kind: "plain" | "markdown"; text: string }): {
  text: string;
  isLog: boolean;
  more: number;
} {
  const text = stripBidiControls(body.kind === "markdown" ? plainMarkdown(body.text) : body.text);
  if (body.kind === "plain" && isFixedWidth(text)) {
    const lines = text.trimEnd().replace(/^\n+/, "").split("\n");
    const shown = lines.slice(0, LOG_LINES).map((line) => beginningOf(line, LONGEST_EXCERPT));
    return { text: shown.join("\n"), isLog: true, more: Math.max(0, lines.length - LOG_LINES) };
  }
  // An empty line would take the place of one of the two.
  return { text: beginningOf(text.trim(), LONGEST_EXCERPT).replace(/\n\s*\n/g, "\n"), isLog: false, more: 0 };
}
