import { dateOf } from "../strings/dates";

/** A moment's day (ms) for file names, `2026-11-24`, by the device's clock. */
export function fileDate(ms: number): string {
  const date = dateOf(ms);
  const digits = (number: number): string => String(number).padStart(2, "0");
  return `${String(date.getFullYear())}-${digits(date.getMonth() + 1)}-${digits(date.getDate())}`;
}

/** The longest part of a file name taken from a title, characters. */
const MAX_LETTERS = 60;

/** A view's name as part of a file name, without characters that file systems refuse or interpret. */
export function exportFileName(title: string): string {
  const plain = title
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, MAX_LETTERS);
  return `earshot${plain.startsWith("-") ? "" : "-"}${plain}`.replace(/-$/, "");
}
