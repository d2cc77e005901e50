/** Without 0 and o, 1, i and l, as the name may be read out or typed from another screen. */
const RANDOM_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
/** 16 of 31 characters are 79 bits: an open topic has no other password than its name. */
const RANDOM_GROUPS = 4;
const RANDOM_GROUP_LENGTH = 4;

/**
 * A topic name that is hard to guess, in groups that are easy to copy by hand.
 * @param random uniform numbers in [0, 1) from a cryptographic source
 */
export function randomTopicName(random: () => number): string {
  const character = () => RANDOM_ALPHABET.charAt(Math.floor(random() * RANDOM_ALPHABET.length));
  const group = () => Array.from({ length: RANDOM_GROUP_LENGTH }, character).join("");
  return Array.from({ length: RANDOM_GROUPS }, group).join("-");
}
