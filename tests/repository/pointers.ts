// Finds what comments and documents point to, so that a test can check that it exists.

/** A heading of a document: `## 4. Sync` has the number 4 and the slug `4-sync`. */
export interface Heading {
  text: string;
  slug: string;
  /** The numbered section that the heading begins or is in. */
  section: number | undefined;
}

/** A document that comments point into by number. */
export type Document = "design" | "protocol";

/** A reference to a section. */
export interface Pointer {
  /** Undefined if the comment doesn't name the document. */
  document: Document | undefined;
  section: number;
  /** Parts of the section, such as `"Answers"`, `promise 7`, `rule 3` or `C1`. */
  parts: string[];
}

const withoutCode = (markdown: string) => markdown.replace(/^```[\s\S]*?^```/gm, "");

/** The anchor of a heading, as GitHub makes it. */
function slugOf(heading: string): string {
  const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
  return text.replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
}

/** The headings of a document. Repeated headings have a number after the slug. */
export function headingsOf(markdown: string): Heading[] {
  const seen = new Map<string, number>();
  let section: number | undefined;
  return [...withoutCode(markdown).matchAll(/^(#{1,6}) (.+)$/gm)].map(([, signs = "", text = ""]) => {
    const number = /^(\d+)\. /.exec(text)?.[1];
    if (number !== undefined) section = Number(number);
    else if (signs.length <= 2) section = undefined;
    const slug = slugOf(text);
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    return { text, slug: times === 0 ? slug : `${slug}-${times}`, section };
  });
}

/** Targets of a document's links that point into the repository, as written: `server.md#limits`. */
export function linksOf(markdown: string): string[] {
  return [...withoutCode(markdown).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, target = ""]) => target);
}

/** Joins the lines of each comment. */
const unwrap = (source: string) => source.replace(/\n[ \t]*(?:\*(?!\/)|\/\/)[ \t]?/g, " ");

const SECTIONS =
  /(?:\bsections? |§)(\d+(?:(?:, | to | and )\d+)*)((?:,? (?:and )?(?:promise \d+|rule \d+|C\d\b|"[^"]+"))*)/gi;
const DOCUMENT = /DESIGN|docs\/design\.md|protocol/gi;

/** All sections that a source points to; for a range, its ends. */
export function pointersOf(source: string): Pointer[] {
  return unwrap(source)
    .split("\n")
    .flatMap((line) =>
      [...line.matchAll(SECTIONS)].flatMap((match) => {
        const [, numbers = "", rest = ""] = match;
        const named = line.slice(0, match.index).match(DOCUMENT)?.at(-1)?.toLowerCase();
        const document = named === undefined ? undefined : named.includes("design") ? "design" : "protocol";
        const parts = rest.match(/promise \d+|rule \d+|C\d|"[^"]+"/g) ?? [];
        const sections = numbers.match(/\d+/g) ?? [];
        // Named parts belong to the last of several sections.
        return sections.map((section, index): Pointer => ({
          document,
          section: Number(section),
          parts: index === sections.length - 1 ? [...parts] : [],
        }));
      }),
    );
}

/** The text of a numbered section. */
function sectionOf(markdown: string, section: number): string | undefined {
  return new RegExp(String.raw`^## ${section}\. [\s\S]*?(?=^## |(?![\s\S]))`, "m").exec(withoutCode(markdown))?.[0];
}

/** Whether a document has the section and parts that a pointer names. */
export function isThere(markdown: string, { section, parts }: Pointer): boolean {
  const text = sectionOf(markdown, section);
  if (text === undefined) return false;
  return parts.every((part) => {
    const [, number = ""] = part.split(" ");
    if (part.startsWith('"')) return text.includes(`\n### ${part.slice(1, -1)}\n`);
    if (/^C\d$/.test(part)) return text.includes(`\n| ${part} `);
    return new RegExp(String.raw`^${number}\. `, "m").test(text);
  });
}
