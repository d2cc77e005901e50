import { TOPIC_HUES, topicHue } from "../contract";

/**
 * The colour for a new topic; undefined = the one that its name gives, if no colour is used less.
 * @param uses how many topics have each colour
 */
export function leastUsedHue(topic: string, uses: readonly number[]): number | undefined {
  const own = topicHue(topic);
  const hues = Array.from({ length: TOPIC_HUES }, (_, step) => (own + step) % TOPIC_HUES);
  const use = (hue: number): number => uses[hue] ?? 0;
  const least = hues.reduce((best, hue) => (use(hue) < use(best) ? hue : best), own);
  return least === own ? undefined : least;
}
