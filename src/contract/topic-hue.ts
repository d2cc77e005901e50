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

/**
 * The colour to give a new topic; undefined = that of its name, which is as rare as any.
 * @param others the colours of the topics that are there
 */
export function leastUsedHue(topic: string, others: readonly number[]): number | undefined {
  const used = (hue: number): number => others.filter((other) => other === hue).length;
  const own = topicHue(topic);
  const hues = Array.from({ length: TOPIC_HUES }, (_, step) => (own + step) % TOPIC_HUES);
  const least = Math.min(...hues.map(used));
  const hue = hues.find((hue) => used(hue) === least);
  return hue === own ? undefined : hue;
}
