/** Alias to emoji, such as `warning` to ⚠️. Aliases are case-sensitive (docs/protocol.md §14). */
export type EmojiTable = ReadonlyMap<string, string>;

/** More emoji would hide the title; the rest are listed with the other tags. */
const MAX_IN_FRONT = 8;

/** A message's tags in two parts (docs/protocol.md §14): emoji before the title, in order, and all others, each once. */
export function partTags(tags: readonly string[], table: EmojiTable) {
  const parted: Record<"emoji" | "others", string[]> = { emoji: [], others: [] };
  for (const tag of new Set(tags)) {
    const emoji = table.get(tag);
    if (emoji !== undefined && parted.emoji.length < MAX_IN_FRONT) parted.emoji.push(emoji);
    else if (tag.trim() !== "") parted.others.push(tag);
  }
  return parted;
}

export function readEmojiTable(lines: string): EmojiTable {
  const table = new Map<string, string>();
  for (const line of lines.split("\n")) {
    const [emoji, ...aliases] = line.split(" ");
    if (emoji !== undefined) for (const alias of aliases) table.set(alias, emoji);
  }
  return table;
}
