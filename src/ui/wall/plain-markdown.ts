/** Markdown without its signs, for a line to be read from afar: emphasis, code, headings, lists, quotes, links, images. */
export function plainMarkdown(text: string): string {
  return text
    .replace(/^[ \t]*(?:```.*|~~~.*|[-*_]{3,}[ \t]*)$/gm, "")
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+]|\d{1,9}[.)])[ \t]+/gm, "")
    .replace(/!?\[([^[\]\n]*)\]\([^()\s]*(?:[ \t]"[^"\n]*")?\)/g, "$1")
    .replace(/(\*\*|__|~~|`{1,3})(?=\S)([^\n]*?\S)\1/g, "$2")
    .replace(/(?<![\p{L}\p{N}*_])([*_])(?=\S)([^*_\n]*\S)\1(?![\p{L}\p{N}*_])/gu, "$2")
    .trim();
}
