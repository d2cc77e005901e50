/**
 * Parts what is being typed into a filter: the words that are complete, as a blank follows them, and the one that is being
 * written. A blank in quotes ends no word.
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
