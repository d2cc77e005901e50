import { keep, kept } from "../state/device-storage";

const KEY = "earshot-recent";

/** How many entries come before the others as lately used: as many as are taken in at a glance. */
const MOST = 6;

/** Keys of the palette's entries that were chosen last, the newest first. */
export function recentKeys(): string[] {
  return (kept(KEY) ?? "").split("\n").filter(Boolean);
}

/** Notes that an entry was chosen. */
export function noteRecent(key: string): void {
  const others = recentKeys().filter((other) => other !== key);
  keep(KEY, [key, ...others].slice(0, MOST).join("\n"));
}
