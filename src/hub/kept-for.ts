import type { KeptFor } from "../store";

const SECONDS_PER_DAY = 86_400;

/**
 * If no message for this many days was kept as short as the shortest, while others came, that is taken as out of date
 * (decision 0017).
 */
const OUTLIVED_AFTER_DAYS = 30;

/**
 * Learns from one more message how long the server keeps a topic's messages. The result is the shortest time seen,
 * until all messages of a month (or two, if there are steps between) were kept longer. The sender chooses how long a
 * message is kept, so one that is kept longer says nothing about the others. Returns `known` itself if nothing new was
 * learnt.
 *
 * @param keptS the message's `expires − time`
 * @param timeS its time, Unix seconds, not in the server's future
 */
export function learnKeptFor(known: KeptFor | undefined, keptS: number, timeS: number): KeptFor {
  const day = Math.floor(timeS / SECONDS_PER_DAY);
  if (!known) return { leastS: keptS, day };
  const { leastS, nextS = Infinity } = known;
  if (keptS < leastS) return { leastS: keptS, day, ...(known.day > day && { nextS: leastS }) };
  if (day <= known.day) return known;
  if (keptS === leastS) return { leastS, day };
  const laterS = Math.min(nextS, keptS);
  if (day - known.day > OUTLIVED_AFTER_DAYS) return { leastS: laterS, day };
  return laterS === nextS ? known : { ...known, nextS: laterS };
}
