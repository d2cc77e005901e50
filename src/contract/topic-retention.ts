/**
 * How long a server keeps a topic's messages at least, seconds; undefined = not known yet. What the topic's own messages
 * have shown counts, else what those of the server's other topics have. A server without a cache keeps none.
 * @param serverS the server's retention, seconds; 0 = it has no cache
 * @param keptFor what the topic's messages have shown
 */
export function topicRetentionS(
  serverS: number | undefined,
  keptFor: { leastS: number } | undefined,
): number | undefined {
  return serverS === 0 ? 0 : (keptFor?.leastS ?? serverS);
}
