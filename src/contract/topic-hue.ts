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
 * @param uses how many topics have each colour
 */
export function leastUsedHue(topic: string, uses: readonly number[]): number | undefined {
  const own = topicHue(topic);
  const hues = Array.from({ length: TOPIC_HUES }, (_, step) => (own + step) % TOPIC_HUES);
  const use = (hue: number): number => uses[hue] ?? 0;
  const least = hues.reduce((best, hue) => (use(hue) < use(best) ? hue : best), own);
  return least === own ? undefined : least;
}
