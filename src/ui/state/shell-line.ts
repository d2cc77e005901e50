/** Characters that a terminal acts on or doesn't show when they are pasted. */
const UNSEEN =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb]/gu;

/** A word that means itself to every shell; zsh takes one behind an equals sign for the name of a program. */
const PLAIN = /^(?!=)[\w./:=@%+,-]+$/;

/** The same with spaces, which every shell keeps inside double quotes. */
const PLAIN_WITH_BLANKS = /^[\w./:=@+, -]+$/;

/**
 * One word of a line, quoted so that no character has a special meaning to a POSIX shell or to fish. In single quotes,
 * fish takes a backslash before a backslash or quote for an escape, so such backslashes are outside, as quotes are.
 */
function shellWord(text: string): string {
  const seen = text.replace(UNSEEN, "");
  if (PLAIN.test(seen)) return seen;
  if (PLAIN_WITH_BLANKS.test(seen)) return `"${seen}"`;
  return `'${seen.replace(/(?:'|\\(?=['\\]|$)|(?<=\\)\\)+/g, (run) => `'${run.replace(/./g, "\\$&")}'`)}'`;
}

/** A command line for a terminal, made of these words. Characters that aren't visible are left out. */
export function shellLine(...words: string[]): string {
  return words.map(shellWord).join(" ");
}
