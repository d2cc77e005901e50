/** How many topic colours there are, `--topic-0` to `--topic-9`. */
export const TOPIC_HUES = 10;

/** The colour of a topic: chosen for it, else by a hash of its name, so that it is the same on every device. */
export function topicHue(topic: string, chosen?: number): number {
  if (chosen !== undefined && chosen >= 0 && chosen < TOPIC_HUES) return Math.floor(chosen);
  let hash = 0x811c9dc5;
  for (let index = 0; index < topic.length; index++) {
    hash = Math.imul(hash ^ topic.charCodeAt(index), 0x01000193);
  }
  // The low bits of FNV-1a alone differ little between names such as "a1" and "a2".
  hash ^= hash >>> 15;
  return (hash >>> 0) % TOPIC_HUES;
}
