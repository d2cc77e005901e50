import { loadFeedPage } from "./load-feed-page";
import { letHubStart } from "../state/hub-start";
import { wantShell } from "../state/shell-wanted";

/** The events that come before a press, and the press itself. */
const SIGNS = ["pointermove", "pointerdown", "keydown", "click"] as const;

/**
 * Loads what a stranger is about to need once they do something. The hub and a feed come first: a press on the screen may
 * be the one that subscribes, and whatever else is loaded with them would delay its first messages.
 */
export function followStranger(): () => void {
  const abort = new AbortController();
  const seen = ({ type, target }: Event): void => {
    letHubStart();
    // If it can't be loaded, showing a feed tries again and says so.
    void loadFeedPage().catch(() => undefined);
    const isInView = target instanceof Element && target.closest("main") !== null;
    if (isInView && (type === "pointerdown" || type === "click")) return;
    wantShell();
    abort.abort();
  };
  for (const sign of SIGNS) addEventListener(sign, seen, { capture: true, passive: true, signal: abort.signal });
  return () => abort.abort();
}
