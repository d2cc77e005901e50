import { around } from "../state/around";
import type { moreIcons } from "./more-icons";

/** Paths of the icons: 24 box, stroke 1.7, round caps. Several strokes of one icon stand in one path. Those of the first rows. */
const firstIcons = {
  star: "M12 4l2.5 5.1 5.6.8-4 4 .9 5.6-5-2.7-5 2.7.9-5.6-4-4 5.6-.8z",
} as const;

/** Name of an icon. */
export type IconName = keyof typeof firstIcons | keyof typeof moreIcons;

function isFirst(name: IconName): name is keyof typeof firstIcons {
  return Object.hasOwn(firstIcons, name);
}

/** Path of an icon; undefined until it came, where the first rows have none of it, and for one that there is not. */
export function iconPath(name: IconName): string | undefined {
  if (isFirst(name)) return firstIcons[name];
  const others = around()?.moreIcons;
  return others && Object.hasOwn(others, name) ? others[name] : undefined;
}
