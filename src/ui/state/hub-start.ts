import { fetchHubFiles } from "../../client";
import { firstRows } from "./first-rows";

/** The hub starts after the first rows, which don't need it, but waits no longer than this for them, ms. */
const MAX_HELD_BACK_MS = 1_000;

let isHeld = false;
let release: () => void = () => undefined;
const released = new Promise<void>((resolve) => (release = resolve));

/** Resolves when the hub may start by itself. */
export async function hubMayStart(): Promise<void> {
  await Promise.race([firstRows, new Promise<void>((resolve) => setTimeout(resolve, MAX_HELD_BACK_MS))]);
  if (isHeld) await released;
}

/** Holds the hub back: there is no server yet, so nothing for it to do. */
export function holdHub(): void {
  isHeld = true;
}

/** Whether the hub is held back, so that whoever needs little asks for it in another way. */
export const isHubHeld = (): boolean => isHeld;

/** Lets a hub that is held back start. */
export function letHubStart(): void {
  if (!isHeld) return;
  isHeld = false;
  fetchHubFiles();
  release();
}
