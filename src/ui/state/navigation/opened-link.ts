import type { LinkedTopics } from "../../../contract";
import type { Credentials } from "../../../protocol";
import type { Navigation } from "./navigation.svelte";

/** What a link holds besides its topics, shown once, before any of it is used. */
export interface LinkContent extends LinkedTopics {
  credentials?: Credentials;
}

/** Keeps a value in memory until it is taken, which is possible only once. */
function takenOnce<Value>() {
  let kept: Value | undefined;
  return {
    keep: (value: Value) => void (kept = value),
    take() {
      const taken = kept;
      kept = undefined;
      return taken;
    },
  };
}

/** What the current link holds, for the screen that asks about its topics. */
export const linkContent = takenOnce<LinkContent>();

export const openedText = takenOnce<string>();

/** Opens a link from elsewhere. Its text may hold a password, so it is kept in memory, not in the address. */
export function openLink(navigation: Navigation, text: string, how: "push" | "replace" = "push"): void {
  openedText.keep(text);
  navigation.go({ kind: "open-link", text: "" }, undefined, how);
}
