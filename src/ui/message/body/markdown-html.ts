import { Marked, type Token, type Tokens } from "marked";
import { webLink } from "../../../contract";
import { addressAt, linkify, SCHEME } from "./linkify";
import { safeLink } from "./links";

/** `breaks`: keep the message's line breaks, as in plain text. */
const marked = new Marked({ gfm: true, breaks: true, async: false });

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}

function anchor(href: string, words: string, title?: string | null): string {
  return `<a href="${attribute(href)}"${titled(title)}>${words}</a>`;
}

/** Parser output in which references such as `&amp;` are still encoded. */
const attribute = (text: string): string => text.replace(/[<>"]/g, escapeHtml);

const titled = (title: string | null | undefined): string => (title ? ` title="${attribute(title)}"` : "");

/** Source text, with its addresses as links. */
function source(text: string): string {
  const pieces = linkify(text).map((piece) =>
    piece.kind === "link" ? anchor(escapeHtml(piece.href), escapeHtml(piece.text)) : escapeHtml(piece.text),
  );
  return pieces.join("");
}

/** A block of source text, each line on its own. */
function sourceBlock(text: string): string {
  return `<p>${source(text.trim()).replaceAll("\n", "<br>")}</p>`;
}

/** Whether an address without a scheme begins with a host: dotted names, the last of letters only. */
function beginsWithHost(address: string): boolean {
  const names = (/^[^/?#:]*/.exec(address)?.[0] ?? "").split(".");
  return (
    names.length > 1 &&
    names.every((name) => /^[\p{L}\p{N}_-]+$/u.test(name)) &&
    /^\p{L}{2,}$/u.test(names.at(-1) ?? "")
  );
}

/** File extensions, as in repositories. Some are countries' domains too, but hardly ever meant as such. */
const FILE =
  /^(?!www\.)[^/?#:]+\.(?:md|txt|log|pdf|html?|json|ya?ml|xml|csv|toml|ini|conf|png|jpe?g|gif|svg|webp|mp[34]|zip|t?gz|tar|py|js|ts|rs|go|rb)(?:[?#]|$)/i;

/** Hosts that have no certificate. */
const PLAIN_HOST = /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3})(?:[:/?#]|$)/i;

/** The target of a Markdown link. Without a scheme: https for a host's name, http for an IP address or `localhost`. */
function target(href: string): string | undefined {
  const safe = safeLink(href);
  if (safe !== undefined) return safe;
  const rest = href.replace(/^\/\//, "");
  if (PLAIN_HOST.test(rest)) return safeLink(`http://${rest}`);
  return beginsWithHost(rest) && !FILE.test(href) ? safeLink(`https://${rest}`) : undefined;
}

const cellsIn = (line: string): number =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/).length;

const sameLabel = (label: string): string => label.trim().replace(/\s+/g, " ").toLowerCase();

// The sender's text stays readable: HTML is shown as source, except `<br>`, which tables need; so are links and images
// that must not be opened. The sanitiser is a second line of defence.
marked.use({
  extensions: [
    {
      name: "address",
      level: "inline",
      start: (src) => src.search(SCHEME),
      tokenizer(src, before) {
        if (this.lexer.state.inLink || /(?<!\\)[a-z0-9]$/i.test(before.at(-1)?.raw ?? "")) return undefined;
        const address = addressAt(src, 0);
        return address && { type: "address", raw: address.text, ...address };
      },
      renderer: ({ text, href }) => anchor(escapeHtml(String(href)), escapeHtml(String(text))),
    },
  ],
  tokenizer: {
    url: () => undefined,
    del: (src) => (src.startsWith("~~") ? false : undefined),
    // Lines such as `[ERROR]: timeout` are text: a definition leads somewhere. The parser drops duplicate labels.
    def(src) {
      const [, label, address = ""] = this.rules.block.def.exec(src) ?? [];
      if (label === undefined) return false;
      const isDefinition = target(address.replace(/^<|>$/g, "")) !== undefined;
      return isDefinition && !(sameLabel(label) in this.lexer.tokens.links) ? false : undefined;
    },
    // The parser drops cells beyond the columns of the head.
    table(src) {
      const [head = "", , ...rows] = this.rules.block.table.exec(src)?.[0].trimEnd().split("\n") ?? [];
      return rows.some((row) => cellsIn(row) > cellsIn(head)) ? undefined : false;
    },
  },
  renderer: {
    html: ({ text, block }) => {
      if (/^<br\s*\/?>$/i.test(text.trim())) return "<br>";
      return block ? sourceBlock(text) : source(text);
    },
    // Task list boxes show their state and can't be pressed.
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
    heading: ({ raw, text }) => (text === "" ? sourceBlock(raw) : false),
    blockquote: ({ raw, text }) => (text.trim() === "" ? sourceBlock(raw) : false),
    code: ({ raw, text, lang }) =>
      // The text after a fence is shown unless it names a language.
      text.trim() === "" || /[\s:]/.test(lang ?? "") ? `<pre><code>${escapeHtml(raw.trim())}</code></pre>` : false,
    link({ href, raw, text, title, tokens }) {
      const leadsTo = target(href);
      if (leadsTo === undefined && href === "") return escapeHtml(raw);
      const words = this.parser.parseInline(tokens);
      if (leadsTo !== undefined) return anchor(leadsTo, words, title);
      return text === href ? words : `${words} (${escapeHtml(href)})`;
    },
    image({ raw, href, text, title }) {
      const src = webLink(href);
      return src === undefined
        ? escapeHtml(raw)
        : `<img src="${attribute(src)}" alt="${attribute(text)}"${titled(title)}>`;
    },
  },
});

/** Longer texts aren't messages, and parse too slowly. */
const MAX_CHARACTERS = 50_000;
/** The same for a paragraph and its marks, because the parser tries all combinations. */
const MAX_OF_PARAGRAPH = 10_000;
const MAX_MARKS = 1_000;

/** Whether the parser reads a text fast enough for a page. */
function isReadable(text: string): boolean {
  if (text.length > MAX_CHARACTERS) return false;
  return text.split(/\n[ \t]*\n/).every((paragraph) => {
    if (paragraph.length <= MAX_MARKS) return true;
    return paragraph.length <= MAX_OF_PARAGRAPH && (paragraph.match(/[*_~`[<!\\]/g)?.length ?? 0) <= MAX_MARKS;
  });
}

/** The label of the definition that a link or image refers to; undefined if it holds an address itself. */
function labelOf({ type, raw }: Token): string | undefined {
  if ((type !== "link" && type !== "image") || !raw.endsWith("]")) return undefined;
  const named = raw.replace(/^!/, "").replace(/\[\]$/, "");
  const second = named.lastIndexOf("][");
  return sameLabel(named.slice(second < 0 ? 1 : second + 2, -1));
}

/** Shows definitions that nothing refers to, because they weren't meant as such: `[ERROR]: timeout`. */
function showUnused(tokens: Token[]): void {
  const used = new Set<string | undefined>();
  void marked.walkTokens(tokens, (token) => void used.add(labelOf(token)));
  void marked.walkTokens(tokens, (token) => {
    if (token.type !== "def" || used.has(sameLabel((token as Tokens.Def).tag))) return;
    Object.assign(token, { type: "html", block: true, text: token.raw });
  });
}

/** Markdown as HTML text; undefined if it is too long or nested too deep. */
export function htmlOf(text: string): string | undefined {
  if (!isReadable(text)) return undefined;
  try {
    const tokens = marked.lexer(text);
    showUnused(tokens);
    return marked.parser(tokens);
  } catch (error) {
    // The parser recurses for each level.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
