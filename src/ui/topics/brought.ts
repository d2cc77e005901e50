import type { LinkedTopics } from "../../contract";
import type { Credentials } from "../../protocol";
import type { Navigation } from "../state/navigation.svelte";

/** What a link brought besides its topics: it is shown before anything of it is used, and only once. */
export interface Brought extends Pick<LinkedTopics, "address" | "topics" | "displayName"> {
  credentials?: Credentials;
}

let brought: Brought | undefined;

/** Keeps what a link brought for the screen that asks about its topics, in memory alone. */
export function bring(found: Brought): void {
  brought = found;
}

/** What the link that led here brought; from then on it is gone. */
export function takeBrought(): Brought | undefined {
  const taken = brought;
  brought = undefined;
  return taken;
}

let opened: string | undefined;

/** What the text of a link begins with that holds how another device is set up; see `backup/setup-link.ts`. */
export const SETUP = "setup:";

/**
 * Opens a link from elsewhere. Its text may hold a password, so that it is kept in memory and stands in no address. A set-up
 * holds none, and in the address it is there after a reload.
 */
export function openLink(navigation: Navigation, text: string, how: "push" | "replace" = "push"): void {
  const isSetup = text.startsWith(SETUP);
  if (!isSetup) opened = text;
  navigation.go({ kind: "open-link", text: isSetup ? text : "" }, undefined, how);
}

/** The text that was kept; from then on it is gone. */
export function takeOpened(): string | undefined {
  const taken = opened;
  opened = undefined;
  return taken;
}
