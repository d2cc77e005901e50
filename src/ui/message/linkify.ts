import { LinkifyIt, type SchemaOpts } from "linkify-it";
import { OPENABLE_SCHEMES, safeLink } from "./links";

/** A piece of plain text: text as written, or an address to be shown as a link. */
export type TextPiece = { kind: "text"; text: string } | { kind: "link"; text: string; href: string };

/** In characters; a longer address is shown as text, as browsers cut it. */
const LONGEST_LINK = 2048;

/** More than a link may have, so that a longer address is found to be too long. */
const LONGEST_RUN = LONGEST_LINK + 100;

const links = new LinkifyIt({ fuzzyEmail: false, urlAuth: true, maxLength: LONGEST_RUN });

/** An address with a host, as in `http:`. */
const WITH_HOST: SchemaOpts = { validate: (text, at, self) => match(self.re.get_http_validator(), text, at) };

/** An address without a host: what it begins with tells it from a word and a colon; it ends as a path does. */
const beginning = (first: RegExp): SchemaOpts => ({
  validate: (text, at, self) => {
    const rest = text.slice(at);
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
links.add("xmpp:", beginning(/^[^\s@]+@/));
links.add("matrix:", beginning(/^(?:u|r|roomid|e)\//));

/** A scheme that an address can begin with. Scripts without spaces have letters before it. */
const SCHEME = new RegExp(`(?<![a-z0-9])(?:${OPENABLE_SCHEMES.join("|")}):`, "gi");
const SCHEME_THERE = new RegExp(SCHEME, "iy");

/**
 * Where an address ends at the latest: characters that change the direction of text could show another link than it is.
 */
const NO_ADDRESS = /[\s<>"`\p{Cc}\p{Bidi_C}\u200b-\u200d]/u;

/** Emphasis and a colon after an address, which the library counts in. */
const TRAILING = new Set(["*", "~", ":"]);

/** The library knows no `_` in a host, which networks of containers and homes have: there a letter stands for it. */
function plainHost(address: string): string {
  return address.replace(/^[a-z]+:\/\/[^/?#]+/i, (start) => start.replace(/_(?=[\p{L}\p{N}])/gu, "a"));
}

/** Where a text has the first scheme of an address at `from` or later; -1 if nowhere. */
export function schemeIn(text: string, from = 0): number {
  SCHEME.lastIndex = from;
  return SCHEME.exec(text)?.index ?? -1;
}

/** The address that begins at the scheme there; undefined where it is none. */
export function addressAt(text: string, at: number): { text: string; href: string } | undefined {
  SCHEME_THERE.lastIndex = at;
  const scheme = SCHEME_THERE.exec(text)?.[0];
  if (scheme === undefined) return undefined;
  const run = text.slice(at, at + LONGEST_RUN);
  const end = run.search(NO_ADDRESS);
  const length = links.testSchemaAt(plainHost(end < 0 ? run : run.slice(0, end)), scheme, scheme.length);
  if (length === 0) return undefined;
  let last = scheme.length + length;
  while (TRAILING.has(run[last - 1] ?? "")) last--;
  const href = last > LONGEST_LINK ? undefined : safeLink(run.slice(0, last));
  return href === undefined ? undefined : { text: run.slice(0, last), href };
}

/** Splits plain text into text and links (docs/protocol.md §14). Joined, the pieces give the text again. */
export function linkify(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let done = 0;
  for (let at = schemeIn(text); at >= 0;) {
    const found = addressAt(text, at);
    if (found) {
      if (at > done) pieces.push({ kind: "text", text: text.slice(done, at) });
      pieces.push({ kind: "link", ...found });
      done = at + found.text.length;
    }
    at = schemeIn(text, found ? done : at + 1);
  }
  if (done < text.length) pieces.push({ kind: "text", text: text.slice(done) });
  return pieces;
}
