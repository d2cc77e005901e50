import { lazily } from "./lazily.svelte";
import type { moreIcons } from "./more-icons";

/** Paths of the icons: 24 box, stroke 1.7, round caps. Several strokes of one icon stand in one path. Those of the first rows. */
const firstIcons = {
  inbox:
    "M4 13l2.2-7.2A1.5 1.5 0 0 1 7.6 4.7h8.8a1.5 1.5 0 0 1 1.4 1.1L20 13v4.5a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17.5zM4 13h4.5l1.5 2.5h4l1.5-2.5H20",
  urgent: "M12 4.5L3.5 19h17zM12 10v4M12 16.7v.01",
  star: "M12 4l2.5 5.1 5.6.8-4 4 .9 5.6-5-2.7-5 2.7.9-5.6-4-4 5.6-.8z",
  clock: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 7.5V12l3 2",
  snooze: "M12 6a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM12 9.5V13l2.5 1.5M6.5 3.5L3.5 6M17.5 3.5l3 2.5",
  list: "M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5h.01M4.5 12h.01M4.5 17.5h.01",
  search: "M10.8 4.5a6.3 6.3 0 1 0 0 12.6 6.3 6.3 0 0 0 0-12.6zM15.5 15.5L20 20",
  settings:
    "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3.5V6M12 18v2.5M3.5 12H6M18 12h2.5M6 6l1.7 1.7M16.3 16.3L18 18M18 6l-1.7 1.7M7.7 16.3L6 18",
  plus: "M12 5v14M5 12h14",
  "check-all": "M2.5 12.5L7 17l8.5-9M12.5 16.5l.5.5L21.5 8",
  "chevron-down": "M6 9.5l6 6 6-6",
  "bell-off": "M6 16.5V11a6 6 0 0 1 1.2-3.6M9.5 5.6A6 6 0 0 1 18 11v3.5M4.5 18H17M10 20.5h4M4 4l16 16",
  key: "M9 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 12l7-7M16 8l2.5 2.5",
  rail: "M5 5h14v14H5zM10 5v14",
} as const;

/** Name of an icon. */
export type IconName = keyof typeof firstIcons | keyof typeof moreIcons;

const more = lazily(async () => (await import("./more-icons")).moreIcons);

function isFirst(name: IconName): name is keyof typeof firstIcons {
  return Object.hasOwn(firstIcons, name);
}

/** Path of an icon; undefined until it came, where the first rows have none of it, and for one that there is not. */
export function iconPath(name: IconName): string | undefined {
  if (isFirst(name)) return firstIcons[name];
  const others = more();
  return others && Object.hasOwn(others, name) ? others[name] : undefined;
}
