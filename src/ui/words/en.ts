import { common, priority } from "./en/common";
import { errors } from "./en/errors";
import { feed } from "./en/feed";
import { shell } from "./en/shell";
import { state } from "./en/state";

/**
 * The English catalogue, in sections by screen. Every string that the user sees comes from here, or from the sections of
 * screens that come later, `words/topics.ts` and `words/settings.ts`.
 */
export const en = { common, priority, errors, feed, shell, state };
