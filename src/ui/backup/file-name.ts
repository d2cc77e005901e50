/** The longest part of a file's name that a title gives, characters. */
const MAX_LETTERS = 60;

/** The name of a view as part of a file's name: what file systems don't take, or take for something else, is left out. */
export function exportFileName(title: string): string {
  const plain = title
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, MAX_LETTERS);
  return `earshot${plain.startsWith("-") ? "" : "-"}${plain}`.replace(/-$/, "");
}
