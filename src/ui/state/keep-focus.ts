import { keyText } from "../../contract";
import type { App } from "./app.svelte";

/** Puts the focus on the message that is selected, else on the page's main part: from there every key goes on. */
export function focusBack(app: App): void {
  const { pane } = app.keyTargets.feed ?? app;
  const row = pane.selectedKey && document.getElementById(`${pane.name}row ${keyText(pane.selectedKey)}`);
  (row ?? document.getElementById("main"))?.focus({ preventScroll: true });
}

/**
 * Keeps the focus in the page: if the focused element is removed (a line with its button, a view with its messages),
 * the focus moves to the messages rather than to the top of the document, where users would be lost.
 */
export function keepFocus(app: App): void {
  let focused: Element | undefined;
  let frame = 0;
  const isLost = () => document.activeElement === document.body && focused?.isConnected === false;
  addEventListener("focusin", ({ target }) => (focused = target instanceof Element ? target : undefined));
  new MutationObserver(() => {
    if (!isLost()) return;
    cancelAnimationFrame(frame);
    // Code that knows a better place for the focus sets it together with the change.
    frame = requestAnimationFrame(() => {
      if (!isLost()) return;
      focusBack(app);
    });
  }).observe(document.body, { childList: true, subtree: true });
}
