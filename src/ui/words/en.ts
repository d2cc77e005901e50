import { common, priority } from "./en/common";

/** The English catalogue, in sections by screen. Every string that the user sees comes from here. */
export const en = { common, priority };
