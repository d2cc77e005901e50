/**
 * Splits a filter that is being typed into its complete words, which are followed by a space, and the word being typed.
 * A space in quotes ends no word.
 */
export function splitDraft(draft: string): { head: string; tail: string } {
  let isQuoted = false;
  let end = 0;
  for (let at = 0; at < draft.length; at++) {
    const character = draft[at];
    if (character === "\\" && isQuoted) at++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && /\s/.test(character ?? "")) end = at + 1;
  }
  return { head: draft.slice(0, end), tail: draft.slice(end) };
}
