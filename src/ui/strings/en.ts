import { common, priority } from "./en/common";
import { feed } from "./en/feed";
import { shell } from "./en/shell";

/**
 * The English catalogue, in sections by screen. Every string that the user sees comes from here, or from the sections of
 * screens that load later, such as `strings/topics.ts` and `strings/settings.ts`.
 */
export const en = { common, priority, feed, shell };
