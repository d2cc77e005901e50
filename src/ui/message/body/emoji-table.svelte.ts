import { firstRows } from "../../state/after-next-paint";
import { partTags, readEmojiTable, type EmojiTable } from "../../../contract";

/** `undefined` = not read yet; empty = unreadable, so all tags are shown as words. */
let table = $state.raw<EmojiTable>();
let reading: Promise<void> | undefined;

async function read(after: Promise<void> | undefined): Promise<void> {
  await after;
  try {
    table = readEmojiTable((await import("virtual:emoji-table")).default);
  } catch {
    // Offline before the table was ever cached: tags stay words until there is a network.
    table = new Map();
    addEventListener("online", () => void read(undefined), { once: true });
  }
}

/** Loads the emoji table; resolves once it is here or has failed to load. @param after what it must not delay */
export function emojiTableCome(after: Promise<void> | undefined = firstRows): Promise<void> {
  return (reading ??= read(after));
}

/** The emoji table; undefined until it is loaded. Calling this loads it, so call it only for a message with tags. */
export function emojiTable(): EmojiTable | undefined {
  void emojiTableCome();
  return table;
}

/** A message's emoji in one string, and its other tags; none until the table is here, because they would move then. */
export function shownTags(tags: readonly string[] = []): { emoji: string; others: string[] } {
  const known = tags.length > 0 ? emojiTable() : undefined;
  const { emoji, others } = known ? partTags(tags, known) : { emoji: [], others: [] };
  return { emoji: emoji.join(" "), others };
}
