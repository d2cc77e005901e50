/** So many topics are drawn at once without a thought; of more, the sections of a list share this number. */
const MOST_DRAWN = 150;

/** However many sections there are, each shows so many. */
const LEAST_IN_SECTION = 10;

/** How many topics each section of a list draws at first: all, unless there are too many of them. */
export function drawnAtFirst(topics: number, sections: number): number {
  return topics <= MOST_DRAWN ? topics : Math.max(LEAST_IN_SECTION, Math.floor(MOST_DRAWN / Math.max(1, sections)));
}
