/** Whether this run tries everything (`npm run test:faults`, and browsers); `npm test` tries boundary and fewer random cases. */
export const isLong = typeof process === "undefined" || process.env["LONG"] !== undefined;

/** How many random cases to try, of those that the long run tries. */
export const runs = (long: number): number => (isLong ? long : Math.ceil(long / 4));
