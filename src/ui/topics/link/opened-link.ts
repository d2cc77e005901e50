import type { LinkedTopics } from "../../../contract";
import type { Credentials } from "../../../protocol";
import type { Navigation } from "../../state/navigation/navigation.svelte";
import { SETUP } from "../../state/packed-text";

/** What a link holds besides its topics, shown once, before any of it is used. */
export interface LinkContent extends Pick<LinkedTopics, "address" | "topics" | "displayName"> {
  credentials?: Credentials;
}

let content: LinkContent | undefined;

/** Keeps what a link holds in memory, for the screen that asks about its topics. */
export function keepLinkContent(found: LinkContent): void {
  content = found;
}

/** Takes what the current link holds, so that it can't be taken again. */
export function takeLinkContent(): LinkContent | undefined {
  const taken = content;
  content = undefined;
  return taken;
}

let opened: string | undefined;

/**
 * Opens a link from elsewhere. Its text may hold a password, so it is kept in memory, not in the address. A set-up
 * holds none, and in the address it survives a reload.
 */
export function openLink(navigation: Navigation, text: string, how: "push" | "replace" = "push"): void {
  const isSetup = text.startsWith(SETUP);
  if (!isSetup) opened = text;
  navigation.go({ kind: "open-link", text: isSetup ? text : "" }, undefined, how);
}

/** The stored text, which can be taken only once. */
export function takeOpened(): string | undefined {
  const taken = opened;
  opened = undefined;
  return taken;
}
