import { firstIcons } from "./first-icons";
import { deferred } from "./lazily.svelte";
import type { moreIcons } from "./more-icons";

const deferredIcons = deferred(() => import("./more-icons"));

let given: typeof moreIcons | undefined;

/** Makes all icons available at once, for a screen whose file has them. */
export function giveIcons(icons: typeof moreIcons): void {
  given = icons;
}

/** Name of an icon. */
export type IconName = keyof typeof firstIcons | keyof typeof moreIcons;

/** Icons that point along the line of text; written from right to left, they are turned (`languages.css`). */
export const POINTING: ReadonlySet<IconName> = new Set<IconName>([
  "back",
  "chevron-right",
  "external",
  "list",
  "path",
  "rail",
  "send",
  "undo",
]);

function isFirst(name: IconName): name is keyof typeof firstIcons {
  return Object.hasOwn(firstIcons, name);
}

/** Path of an icon; undefined until it came, where the first rows have none of it, and for one that there is not. */
export function iconPath(name: IconName): string | undefined {
  if (isFirst(name)) return firstIcons[name];
  const others = given ?? deferredIcons()?.moreIcons;
  return others && Object.hasOwn(others, name) ? others[name] : undefined;
}
