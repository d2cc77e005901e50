/** Up to this many topics are all drawn at once. If there are more, the sections of a list share this number. */
const MAX_DRAWN = 150;

/** Each section shows at least this many topics, however many sections there are. */
const LEAST_IN_SECTION = 10;

/** How many topics each section of a list draws at first: all, unless there are too many of them. */
export function drawnAtFirst(topics: number, sections: number): number {
  return topics <= MAX_DRAWN ? topics : Math.max(LEAST_IN_SECTION, Math.floor(MAX_DRAWN / Math.max(1, sections)));
}
