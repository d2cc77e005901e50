import { Marked, type Token, type Tokens } from "marked";
import { webLink } from "../../contract";
import { addressAt, schemeIn } from "./linkify";
import { safeLink } from "./links";

/** `breaks`: a line break of the message is one on the screen, as in plain text. */
const marked = new Marked({ gfm: true, breaks: true, async: false });

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}

/** A block of source text, each line on its own. */
function sourceBlock(text: string): string {
  return `<p>${escapeHtml(text.trim()).replaceAll("\n", "<br>")}</p>`;
}

/** Whether an address without a scheme begins with a host: names with dots, the last of letters alone. */
function beginsWithHost(address: string): boolean {
  const names = (/^[^/?#:]*/.exec(address)?.[0] ?? "").split(".");
  return (
    names.length > 1 &&
    names.every((name) => /^[\p{L}\p{N}_-]+$/u.test(name)) &&
    /^\p{L}{2,}$/u.test(names.at(-1) ?? "")
  );
}

/** A file beside the text, as repositories have them. Some of these endings are countries too, but hardly ever meant. */
const FILE =
  /^(?!www\.)[^/?#:]+\.(?:md|txt|log|pdf|html?|json|ya?ml|xml|csv|toml|ini|conf|png|jpe?g|gif|svg|webp|mp[34]|zip|t?gz|tar|py|js|ts|rs|go|rb)(?:[?#]|$)/i;

/** What a link of Markdown leads to: an address without a scheme is https if it begins with a host. */
function target(href: string): string | undefined {
  const safe = safeLink(href);
  if (safe !== undefined) return href;
  const rest = href.replace(/^\/\//, "");
  return beginsWithHost(rest) && !FILE.test(href) ? safeLink(`https://${rest}`) : undefined;
}

const sameLabel = (label: string): string => label.trim().replace(/\s+/g, " ").toLowerCase();

// The sender's text stays to be read: HTML is shown as source text, except `<br>`, for which tables have no other
// notation; so are links and images that must not be opened. So the sanitiser has nothing left to do; it is a second line of
// defence.
marked.use({
  extensions: [
    {
      name: "address",
      level: "inline",
      start: schemeIn,
      tokenizer(src, before) {
        if (this.lexer.state.inLink || /[a-z0-9]$/i.test(before.at(-1)?.raw ?? "")) return undefined;
        const address = addressAt(src, 0);
        return address && { type: "address", raw: address.text, ...address };
      },
      renderer: ({ text, href }) => `<a href="${escapeHtml(String(href))}">${escapeHtml(String(text))}</a>`,
    },
  ],
  tokenizer: {
    url: () => undefined,
    del: (src) => (src.startsWith("~~") ? false : undefined),
    // The parser drops the second definition of a label.
    def(src) {
      const label = this.rules.block.def.exec(src)?.[1];
      return label !== undefined && sameLabel(label) in this.lexer.tokens.links ? undefined : false;
    },
  },
  renderer: {
    html: ({ text, block }) => {
      if (/^<br\s*\/?>$/i.test(text.trim())) return "<br>";
      return block ? sourceBlock(text) : escapeHtml(text);
    },
    code: ({ raw, text, lang }) =>
      // What follows the fence is shown if it is no name of a language.
      text.trim() === "" || /[\s:]/.test(lang ?? "") ? `<pre><code>${escapeHtml(raw.trim())}</code></pre>` : false,
    link(token) {
      const href = target(token.href);
      if (href !== undefined) {
        token.href = href;
        return false;
      }
      if (token.href === "") return escapeHtml(token.raw);
      const words = this.parser.parseInline(token.tokens);
      return token.text === token.href ? words : `${words} (${escapeHtml(token.href)})`;
    },
    image: ({ raw, href }) => (webLink(href) === undefined ? escapeHtml(raw) : false),
  },
});

/** Longer ones are no messages, and take the parser longer than anybody waits. */
const MAX_CHARACTERS = 50_000;
/** The same of one paragraph, and of the marks in it: each may belong to each, and the parser tries them all. */
const MAX_OF_PARAGRAPH = 10_000;
const MAX_MARKS = 1_000;

/** Whether the parser reads a text in the time that one waits for a page. */
function isReadable(text: string): boolean {
  if (text.length > MAX_CHARACTERS) return false;
  return text.split(/\n[ \t]*\n/).every((paragraph) => {
    if (paragraph.length <= MAX_MARKS) return true;
    return paragraph.length <= MAX_OF_PARAGRAPH && (paragraph.match(/[*_~`[<!\\]/g)?.length ?? 0) <= MAX_MARKS;
  });
}

/** The label of the definition that a link or image refers to; undefined if it names its address itself. */
function labelOf({ type, raw }: Token): string | undefined {
  if ((type !== "link" && type !== "image") || !raw.endsWith("]")) return undefined;
  const named = raw.replace(/^!/, "").replace(/\[\]$/, "");
  const second = named.lastIndexOf("][");
  return sameLabel(named.slice(second < 0 ? 1 : second + 2, -1));
}

/** Shows definitions that nothing refers to, as they are no definitions to their writer: `[ERROR]: timeout`. */
function showUnused(tokens: Token[]): void {
  const used = new Set<string | undefined>();
  void marked.walkTokens(tokens, (token) => void used.add(labelOf(token)));
  void marked.walkTokens(tokens, (token) => {
    if (token.type !== "def" || used.has(sameLabel((token as Tokens.Def).tag))) return;
    Object.assign(token, { type: "html", block: true, text: token.raw });
  });
}

/** Markdown as HTML text; undefined where it is none that can be read: too much of it, or nested too deep. */
export function htmlOf(text: string): string | undefined {
  if (!isReadable(text)) return undefined;
  try {
    const tokens = marked.lexer(text);
    showUnused(tokens);
    return marked.parser(tokens);
  } catch (error) {
    // The parser goes down a level by calling itself.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
