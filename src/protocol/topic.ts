import { type Result, fail, ok } from "./result";

/** Longest topic name in characters (docs/protocol.md §1). */
const MAX_TOPIC_LENGTH = 64;

/** Names that a server reserves for its own paths (docs/protocol.md §1); exact, in lower case. */
export const RESERVED_TOPICS: readonly string[] = [
  "docs",
  "static",
  "file",
  "app",
  "metrics",
  "account",
  "settings",
  "signup",
  "login",
  "v1",
];

/** Why a text isn't a topic name. `at` counts UTF-16 code units, as a text field does. */
export type TopicNameError =
  | { kind: "empty" }
  | { kind: "too-long"; length: number }
  | { kind: "bad-character"; character: string; at: number }
  | { kind: "reserved"; name: string };

/** Whether the text has the form of a topic name (docs/protocol.md §1); reserved names have it too. */
export function isTopicName(text: string): boolean {
  return /^[-_A-Za-z0-9]{1,64}$/.test(text);
}

/** Whether a server reserves this name for itself. */
export function isReservedTopic(name: string): boolean {
  return RESERVED_TOPICS.includes(name);
}

/** Checks a topic name as typed or linked, so that the problem can be shown beside the field. */
export function checkTopicName(text: string): Result<string, TopicNameError> {
  if (isReservedTopic(text)) return fail({ kind: "reserved", name: text });
  if (text === "") return fail({ kind: "empty" });
  const bad = /[^-_A-Za-z0-9]/u.exec(text);
  if (bad) return fail({ kind: "bad-character", character: bad[0], at: bad.index });
  if (text.length > MAX_TOPIC_LENGTH) return fail({ kind: "too-long", length: text.length });
  return ok(text);
}

/** Without 0, o, 1, i and l, as the name may be read aloud or copied from another screen. */
const RANDOM_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
/** 16 of 31 characters are 79 bits: an open topic's only password is its name. */
const RANDOM_GROUPS = 4;
const RANDOM_GROUP_LENGTH = 4;

/**
 * A name that is hard to guess, in groups that are easy to copy.
 *
 * @param random uniform in [0, 1), from a cryptographic source
 */
export function randomTopicName(random: () => number): string {
  const character = () => RANDOM_ALPHABET.charAt(Math.floor(random() * RANDOM_ALPHABET.length));
  const group = () => Array.from({ length: RANDOM_GROUP_LENGTH }, character).join("");
  return Array.from({ length: RANDOM_GROUPS }, group).join("-");
}
