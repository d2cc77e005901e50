/** A piece of plain text: text as written, or an address to be shown as a link. */
export type TextPiece = { kind: "text"; text: string } | { kind: "link"; text: string; href: string };

/** A longer run is shown as text: no real link is that long, and a browser would cut it. */
const LONGEST_LINK = 2048;

/**
 * An address begins with its scheme and ends at white space, quotes, angle brackets, control characters, or characters
 * that change the direction of text (which could show a link other than it is).
 */
const ADDRESS = /https?:\/\/(?!\/)[^\s<>"`\p{Cc}\p{Bidi_C}\u200b-\u200d]+/giu;

/** Characters that aren't part of an address if they are its last, as they end the sentence. */
const TRAILING = new Set([".", ",", ";", ":", "!", "?", "'", "’", "”", "»", "*", "_", "~", "…", "。", "，", "、"]);
const OPENER_OF: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/**
 * Cuts what belongs to the sentence around an address: punctuation, and closing brackets that were not opened inside.
 */
function trimAddress(run: string): string {
  const counts = new Map<string, number>();
  for (const character of run) counts.set(character, (counts.get(character) ?? 0) + 1);
  let end = run.length;
  while (end > 0) {
    const last = run[end - 1] ?? "";
    const opener = OPENER_OF[last];
    if (opener !== undefined) {
      const closed = counts.get(last) ?? 0;
      if (closed <= (counts.get(opener) ?? 0)) break;
      counts.set(last, closed - 1);
    } else if (!TRAILING.has(last)) break;
    end--;
  }
  return run.slice(0, end);
}

/**
 * Splits plain text into text and http(s) links (docs/protocol.md §14). Joined, the pieces give the text again. Takes
 * time in proportion to the text, whatever it holds.
 */
export function linkify(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let done = 0;
  const addText = (until: number): void => {
    if (until > done) pieces.push({ kind: "text", text: text.slice(done, until) });
  };
  for (const match of text.matchAll(ADDRESS)) {
    const before = text[match.index - 1];
    if (before !== undefined && /[\p{L}\p{N}]/u.test(before)) continue;
    const address = trimAddress(match[0]);
    if (address.length > LONGEST_LINK || !URL.canParse(address)) continue;
    const url = new URL(address);
    if (url.hostname === "") continue;
    addText(match.index);
    pieces.push({ kind: "link", text: address, href: url.href });
    done = match.index + address.length;
  }
  addText(text.length);
  return pieces;
}
