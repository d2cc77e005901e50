/**
 * The value below which this share of all values lies, interpolated between the two nearest. `share` is from 0 to 1.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [low = NaN, high = NaN] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low + (high - low) * (place - Math.floor(place));
}

/** The middle value, or the mean of the two in the middle. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The summary of a set of values. */
export interface Summary {
  median: number;
  min: number;
  max: number;
}

export function summaryOf(values: readonly number[]): Summary {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}
