/** A body with fewer lines is always shown as prose. */
export const FEWEST_LINES = 4;
