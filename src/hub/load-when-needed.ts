/** Undefined if it can't be loaded now; the next call tries again. */
export const loadWhenNeeded = () => import("./when-needed").catch(() => undefined);
