import { firstRows } from "../state/first-rows";
import { readEmojiTable, type EmojiTable } from "../../contract";

/** `undefined` = not read yet; empty = could not be read, so that all tags are shown as words. */
let table = $state.raw<EmojiTable>();
let reading: Promise<void> | undefined;

async function read(): Promise<void> {
  await firstRows;
  try {
    table = readEmojiTable((await import("virtual:emoji-table")).default);
  } catch {
    // Offline before the table was ever kept: tags are shown as words until there is a network again.
    table = new Map();
    addEventListener("online", () => void read(), { once: true });
  }
}

/** Loads the emoji table; resolves once it is here, or can't be loaded now. */
export function emojiTableCome(): Promise<void> {
  return (reading ??= read());
}

/**
 * The emoji table, or undefined until it came (it is not part of the first load). Asking for it starts that, so ask only
 * for a message that has tags.
 */
export function emojiTable(): EmojiTable | undefined {
  void emojiTableCome();
  return table;
}
