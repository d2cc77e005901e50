import { randomInt } from "node:crypto";

const DIGITS_AND_LOWER = "0123456789abcdefghijklmnopqrstuvwxyz";
const ALL = `${DIGITS_AND_LOWER}ABCDEFGHIJKLMNOPQRSTUVWXYZ`;

/** Random digits and letters, as in ids and tokens (docs/protocol.md §4, 6 and 9). */
export function randomId(length: number, letters: "of both cases" | "of lower case" = "of both cases"): string {
  const alphabet = letters === "of both cases" ? ALL : DIGITS_AND_LOWER;
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join("");
}
