/** A body of fewer lines is read as words, whatever they hold. */
export const FEWEST_LINES = 4;
