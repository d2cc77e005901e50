import type { KeptFor } from "../store";

const SECONDS_PER_DAY = 86_400;

/** A short life that no message has shown for so many days, while others came, is one of former times (decision 0017). */
const OUTLIVED_AFTER_DAYS = 30;

/**
 * What one more message tells of how long the server keeps those of its topic: the least that was seen, until those of a
 * month (or two, where there are steps between) have all shown more. How long one is kept is a matter of who sent it, so that a longer life of one says nothing of
 * the others. Gives `known` itself where it tells nothing new.
 *
 * @param keptS the message's `expires − time`
 * @param timeS its time, not in the server's future
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
