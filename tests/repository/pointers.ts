// Reads what comments and documents point to, so that a test can tell whether it is there.

/** A heading of a document: `## 4. Sync` has the number 4 and the slug `4-sync`. */
export interface Heading {
  text: string;
  slug: string;
  /** Of the numbered section that it is, or stands in. */
  section: number | undefined;
}

/** A document that comments point into by number. */
export type Document = "design" | "protocol";

/** What a comment points to. */
export interface Pointer {
  /** Undefined = it does not say which. */
  document: Document | undefined;
  section: number;
  /** A part of the section: `"Answers"`, `trap 18`, `promise 7`, `rule 3`, `C1`. */
  parts: string[];
}

const withoutCode = (markdown: string) => markdown.replace(/^```[\s\S]*?^```/gm, "");

/** The name by which a heading is linked to, as GitHub makes it. */
function slugOf(heading: string): string {
  const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
  return text.replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
}

/** The headings of a document, those that stand twice with a number behind the slug. */
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

/** Targets of a document's links that lie in the repository, as written: `server.md#limits`. */
export function linksOf(markdown: string): string[] {
  return [...withoutCode(markdown).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, target = ""]) => target);
}

/** Comments go on in the next line; here they are one. */
const unwrap = (source: string) => source.replace(/\n[ \t]*(?:\*(?!\/)|\/\/)[ \t]?/g, " ");

const SECTIONS =
  /(?:\bsections? |§)(\d+(?:(?:, | to | and )\d+)*)((?:,? (?:and )?(?:trap \d+|promise \d+|rule \d+|C\d\b|"[^"]+"))*)/gi;
const DOCUMENT = /DESIGN|docs\/design\.md|protocol/gi;

/** All sections that a source points to; of a span, its ends. */
export function pointersOf(source: string): Pointer[] {
  return unwrap(source)
    .split("\n")
    .flatMap((line) =>
      [...line.matchAll(SECTIONS)].flatMap((match) => {
        const [, numbers = "", rest = ""] = match;
        const named = line.slice(0, match.index).match(DOCUMENT)?.at(-1)?.toLowerCase();
        const document = named === undefined ? undefined : named.includes("design") ? "design" : "protocol";
        const parts = rest.match(/trap \d+|promise \d+|rule \d+|C\d|"[^"]+"/g) ?? [];
        const sections = numbers.match(/\d+/g) ?? [];
        // What is said of a part belongs to the section named last.
        return sections.map((section, index): Pointer => ({
          document,
          section: Number(section),
          parts: index === sections.length - 1 ? [...parts] : [],
        }));
      }),
    );
}

/** Text of a numbered section. */
function sectionOf(markdown: string, section: number): string | undefined {
  return new RegExp(String.raw`^## ${section}\. [\s\S]*?(?=^## |(?![\s\S]))`, "m").exec(withoutCode(markdown))?.[0];
}

/** Whether a document has what a pointer names. */
export function isThere(markdown: string, { section, parts }: Pointer): boolean {
  const text = sectionOf(markdown, section);
  if (text === undefined) return false;
  return parts.every((part) => {
    const [kind = "", number = ""] = part.split(" ");
    if (part.startsWith('"')) return text.includes(`\n### ${part.slice(1, -1)}\n`);
    if (kind === "trap") return new RegExp(String.raw`^\| ${number} +\|`, "m").test(text);
    if (/^C\d$/.test(kind)) return text.includes(`\n| ${kind} `);
    return new RegExp(String.raw`^${number}\. `, "m").test(text);
  });
}
