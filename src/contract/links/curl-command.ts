// curl command lines, as found in documentation and scripts.

/** The letters of curl's options that take a value. */
const WITH_VALUE = /[AbCcDdEeFHhKmoPQrTtUuwXxYyz]/;

/** Long options without a value, among those used for topics. */
const WITHOUT_VALUE = [
  ...["--compressed", "--fail", "--include", "--insecure", "--location"],
  ...["--no-buffer", "--no-progress-meter", "--progress-bar", "--show-error", "--silent", "--verbose"],
];

/** Whether a text is a curl command with options or an address, with or without a prompt. */
export function isCurlCommand(text: string): boolean {
  return /^\s*(?:[$#>%]\s+)?curl(?:\.exe)?\s+(?:[-"'\\]|\S*[/.:])/i.test(text);
}

/** Reads the addresses of a curl command, as written, up to its end, such as a pipe, and whether it signs in. */
export function readCurlCommand(text: string): { addresses: string[]; signsIn: boolean } {
  const [, ...words] = shellWords(text.replace(/^\s*(?:[$#>%]\s+)?/, ""));
  const addresses: string[] = [];
  /** The option whose value is the next word. */
  let option: string | undefined;
  let signsIn = false;
  for (const word of words) {
    if (/^(?:-\w*H)?\s*authorization\s*:/i.test(word)) signsIn = true;
    if (option !== undefined || !/^-./.test(word)) {
      if (option === undefined || option === "--url") addresses.push(word);
      option = undefined;
      continue;
    }
    const isLong = word.startsWith("--");
    // Of several letters in one word, only the last may take a value, which may follow in the same word.
    const at = word.search(WITH_VALUE);
    if (["-u", "--user", "--oauth2-bearer"].includes(isLong ? word : `-${word.charAt(at)}`)) signsIn = true;
    if (isLong ? !WITHOUT_VALUE.includes(word) : at === word.length - 1) option = word;
  }
  return { addresses, signsIn };
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
