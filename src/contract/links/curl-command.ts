// Command lines of curl, as documentation and scripts have them.

/** The letters of curl's options that take a value. */
const WITH_VALUE = /[AbCcDdEeFHhKmoPQrTtUuwXxYyz]/;

/** Long options with a value, among those used for topics. */
const LONG_WITH_VALUE = [
  "cacert cert connect-timeout cookie cookie-jar data data-ascii data-binary data-raw data-urlencode form form-string",
  "header interface json key max-time oauth2-bearer output proxy referer request resolve retry retry-delay",
  "retry-max-time upload-file url url-query user user-agent write-out",
].flatMap((names) => names.split(" "));

/** What a curl command says about where its request goes. */
export interface CurlCommand {
  /** As written. */
  addresses: string[];
  /** Whether it signs in. */
  signsIn: boolean;
}

/** Whether a text is a curl command with options or an address, with or without a prompt. */
export function isCurlCommand(text: string): boolean {
  return /^\s*(?:[$#>%]\s+)?curl(?:\.exe)?\s+(?:[-"'\\]|\S*[/.:])/i.test(text);
}

/** Reads a curl command up to its end, such as a pipe. */
export function readCurlCommand(text: string): CurlCommand {
  const [, ...words] = shellWords(text.replace(/^\s*(?:[$#>%]\s+)?/, ""));
  const addresses: string[] = [];
  let signsIn = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const option = optionOf(word);
    if (!option) {
      addresses.push(word);
      continue;
    }
    let { value } = option;
    if (option.takesValue && value === undefined) {
      at += 1;
      value = words[at] ?? "";
    }
    if (option.name === "url") addresses.push(value ?? "");
    if (["u", "user", "oauth2-bearer"].includes(option.name)) signsIn = true;
    if (["H", "header"].includes(option.name) && /^\s*authorization\s*:/i.test(value ?? "")) signsIn = true;
  }
  return { addresses, signsIn };
}

interface Option {
  name: string;
  takesValue: boolean;
  /** Absent = in the next word. */
  value?: string;
}

/** The option that a word is. Of several letters in one word, only the last may take a value. */
function optionOf(word: string): Option | undefined {
  if (word.startsWith("--") && word.length > 2) {
    const name = word.slice(2);
    return { name, takesValue: LONG_WITH_VALUE.includes(name) };
  }
  if (!word.startsWith("-") || word.length < 2) return undefined;
  const at = word.search(WITH_VALUE);
  if (at < 0) return { name: word.slice(-1), takesValue: false };
  const value = word.slice(at + 1);
  return { name: word.charAt(at), takesValue: true, ...(value !== "" && { value }) };
}

/** The words of the first command in a text, unquoted as by a POSIX shell; nothing is expanded. */
function shellWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  const token = /\\\r?\n|\\(.?)|'([^']*)'?|"((?:[^"\\]|\\.)*)"?|([|;&<>\r\n])|(\s+)|([^\\'"|;&<>\s]+)/gsu;
  for (const [all, escaped, single, double, end, blank, plain] of text.matchAll(token)) {
    if (end !== undefined && (end !== "&" || word === undefined)) break;
    if (blank !== undefined || (escaped === undefined && all.startsWith("\\"))) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? "") + (escaped ?? single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? plain ?? all);
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}
