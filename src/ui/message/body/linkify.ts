import { LinkifyIt, type SchemaOpts } from "linkify-it";
import { OPENABLE_SCHEMES, safeLink } from "./links";

/** A piece of plain text: literal text, or an address to show as a link. */
export type TextPiece = { kind: "text"; text: string } | { kind: "link"; text: string; href: string };

/** In characters; browsers cut longer addresses, so they are shown as text. */
const LONGEST_LINK = 2048;

/** Longer than any link, so that an overlong address is recognised. */
const LONGEST_RUN = LONGEST_LINK + 100;

const links = new LinkifyIt({ fuzzyEmail: false, urlAuth: true, maxLength: LONGEST_RUN });

/** An address with a host, such as `http:`. */
const WITH_HOST: SchemaOpts = { validate: (text, at, self) => match(self.re.get_http_validator(), text, at) };

/** Letters of scripts without spaces, in which text continues directly after an address. */
const UNSPACED =
  "[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}]";
const UNSPACED_REST = new RegExp(`${UNSPACED}.*`, "su");

/** An address without a host. Its beginning tells it from a word and a colon, and it ends as a path does. */
const beginning = (first: RegExp): SchemaOpts => ({
  validate: (text, at, self) => {
    const rest = text.slice(at).replace(UNSPACED_REST, "");
    return first.test(rest) ? Math.max(0, match(new RegExp(self.re.get_path(), "iy"), `/${rest}`, 0) - 1) : 0;
  },
});

function match(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.exec(text)?.[0].length ?? 0;
}

for (const scheme of ["irc:", "ircs:", "ntfy:"]) links.add(scheme, WITH_HOST);
links.add("tel:", beginning(/^[+\d(*#]/));
links.add("sms:", beginning(/^[+\d]/));
links.add("geo:", beginning(/^-?\d/));
for (const scheme of ["mailto:", "xmpp:"]) links.add(scheme, beginning(/^[^\s@]+@/));
links.add("matrix:", beginning(/^(?:u|r|roomid|e)\//));

/** A scheme, anywhere. */
export const SCHEME = new RegExp(`(?:${OPENABLE_SCHEMES.join("|")}):`, "i");
const SCHEME_THERE = new RegExp(SCHEME, "iy");

/** One that can begin an address. In scripts without spaces a letter may precede it, as may the `n` of an `\n`. */
const BEGINNING = new RegExp(`(?<!(?<!\\\\)[a-z0-9])${SCHEME.source}`, "gi");

/**
 * Where an address must end: direction marks could disguise a link, and emoji, arrows, wide signs and backslashes (a
 * script's `\n`) follow addresses but aren't part of them.
 */
const NO_ADDRESS = /[\s<>"`\\\p{Cc}\p{Bidi_C}\u200b-\u200d\ufe0f]|[^\P{S}\0-\u007f]/u;

/** What the library wrongly takes as the end of an address: emphasis, a colon, a table's line or `?!`. */
const TRAILING = new Set(["*", "~", ":", "|", "?", "!"]);

/** Where one address directly follows another. */
const NEXT_ADDRESS = new RegExp(`[,;|](?=${SCHEME.source})`, "i");

/** Where text in such a script follows a host: no top-level domain mixes ASCII with such letters. */
const AFTER_HOST = new RegExp(`^([a-z]+:\\/\\/(?:[^/?#]*[.@])?[a-z0-9-]*[a-z0-9])${UNSPACED}[^./?#]*(?:[/?#]|$)`, "iu");

/** A host followed by what keeps the library from finding an address: a symbol, or a letter after its port. */
const HOST_AND_END = /^([a-z]+:\/\/(?:[^/?#]*@)?[^@/?#\p{S}]*?(?::\d+(?=[^\P{L}a-z])|(?=\p{S}))).*/isu;

/** The library accepts no `_` in a host, but container and home networks use it, so a letter stands in for it. */
function plainHost(address: string): string {
  return address
    .replace(HOST_AND_END, "$1")
    .replace(/^[a-z]+:\/\/[^/?#]+/i, (start) => start.replace(/_(?=[\p{L}\p{N}])/gu, "a"));
}

/** Where an address can begin, at `from` or later; -1 if nowhere. */
function beginningIn(text: string, from = 0): number {
  BEGINNING.lastIndex = from;
  return BEGINNING.exec(text)?.index ?? -1;
}

/** The address that begins at that scheme; undefined if there is none. */
export function addressAt(text: string, at: number): { text: string; href: string } | undefined {
  SCHEME_THERE.lastIndex = at;
  const scheme = SCHEME_THERE.exec(text)?.[0];
  if (scheme === undefined) return undefined;
  const run = text.slice(at, at + LONGEST_RUN);
  const end = run.search(NO_ADDRESS);
  const length = links.testSchemaAt(plainHost(end < 0 ? run : run.slice(0, end)), scheme, scheme.length);
  if (length === 0) return undefined;
  const found = run.slice(0, scheme.length + length).split(NEXT_ADDRESS, 1)[0] ?? "";
  let last = AFTER_HOST.exec(found)?.[1]?.length ?? found.length;
  while (TRAILING.has(found[last - 1] ?? "")) last--;
  const address = found.slice(0, last);
  const href = last > LONGEST_LINK ? undefined : safeLink(address);
  return href === undefined ? undefined : { text: address, href };
}

/** Splits plain text into text and links (docs/protocol.md §14). Joined, the pieces are the text again. */
export function linkify(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let done = 0;
  for (let at = beginningIn(text); at >= 0;) {
    const found = addressAt(text, at);
    if (found) {
      if (at > done) pieces.push({ kind: "text", text: text.slice(done, at) });
      pieces.push({ kind: "link", ...found });
      done = at + found.text.length;
    }
    at = beginningIn(text, found ? done : at + 1);
  }
  if (done < text.length) pieces.push({ kind: "text", text: text.slice(done) });
  return pieces;
}
