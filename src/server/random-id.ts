import { randomInt } from "node:crypto";

const LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const LOWER_AND_DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789";

function randomText(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join("");
}

/** Id of an event. By its form `since` tells an id from a time (docs/protocol.md §4). */
export function randomMessageId(): string {
  return randomText(12, LETTERS_AND_DIGITS);
}

/** Id of an action (docs/protocol.md §6). */
export function randomActionId(): string {
  return randomText(10, LETTERS_AND_DIGITS);
}

/** An access token, `tk_` and 29 characters (docs/protocol.md §9). */
export function randomToken(): string {
  return `tk_${randomText(29, LOWER_AND_DIGITS)}`;
}

/** The topic on which an account's apps are notified of its changes (docs/protocol.md §1). */
export function randomSyncTopic(): string {
  return `st_${randomText(13, LETTERS_AND_DIGITS)}`;
}
