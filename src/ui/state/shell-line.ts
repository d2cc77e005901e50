import type { ServerAddress } from "../../protocol";
import { frameStrings } from "../strings";

/** A `curl` command that publishes to the topic. It holds no credentials: the sender adds their own. */
export function curlLine(address: ServerAddress, topic: string, message: string = frameStrings.curlSample): string {
  return shellLine("curl", "-d", message, `${address}/${topic}`);
}

/** Characters that a terminal acts on or hides when pasted. */
const UNSEEN =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb]/gu;

/** A word that every shell takes literally; zsh reads one that begins with an equals sign as a program's name. */
const PLAIN = /^(?!=)[\w./:=@%+,-]+$/;

/** The same with spaces, which every shell keeps inside double quotes. */
const PLAIN_WITH_BLANKS = /^[\w./:=@+, -]+$/;

/**
 * A word quoted so that no character is special to a POSIX shell or to fish. Inside single quotes, fish treats a
 * backslash before a backslash or quote as an escape, so such backslashes are outside, like quotes.
 */
function shellWord(text: string): string {
  const seen = text.replace(UNSEEN, "");
  if (PLAIN.test(seen)) return seen;
  if (PLAIN_WITH_BLANKS.test(seen)) return `"${seen}"`;
  return `'${seen.replace(/(?:'|\\(?=['\\]|$)|(?<=\\)\\)+/g, (run) => `'${run.replace(/./g, "\\$&")}'`)}'`;
}

/** A command line of these words, without invisible characters. */
export function shellLine(...words: string[]): string {
  return words.map(shellWord).join(" ");
}
