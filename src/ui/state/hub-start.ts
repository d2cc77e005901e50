import { firstRows } from "./first-rows";

/** The hub starts after the first rows, which don't need it, but waits no longer than this for them, ms. */
const MAX_HELD_BACK_MS = 1_000;

let isHeld = false;
let decide: () => void = () => undefined;
const decided = new Promise<void>((resolve) => (decide = resolve));
let release: () => void = () => undefined;
const released = new Promise<void>((resolve) => (release = resolve));

/** Resolves when the hub may start by itself. */
export async function hubMayStart(): Promise<void> {
  await decided;
  if (isHeld) await released;
  else await Promise.race([firstRows, new Promise<void>((resolve) => setTimeout(resolve, MAX_HELD_BACK_MS))]);
}

/** Call once it is known whether there is a server: without one the hub has nothing to do and is held back. */
export function decideHubStart(hasServer: boolean): void {
  isHeld = !hasServer;
  decide();
}

/** Whether the hub is held back, so that whoever needs little asks for it in another way. */
export const isHubHeld = (): boolean => isHeld;

/** Lets a hub that is held back start. */
export function letHubStart(): void {
  if (!isHeld) return;
  isHeld = false;
  release();
}
