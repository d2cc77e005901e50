import { keyText } from "../../../contract";
import type { App } from "../app.svelte";

/** Focuses the selected message, else the main part; every key works from there. */
export function focusBack(app: App): void {
  const { pane } = app.keyTargets.feed ?? app;
  const row = pane.selectedKey && document.getElementById(`${pane.name}row ${keyText(pane.selectedKey)}`);
  (row ?? document.getElementById("main"))?.focus({ preventScroll: true });
}

/** What a line in the list of topics, groups and views is, as an attribute of its element says. */
export const LINES = ["topic", "group", "view"] as const;

/** The element that replaced one of a removed line: a line that moves far is redrawn. */
function drawnAnew(removed: Element): HTMLElement | null {
  for (const name of LINES) {
    const value = removed.closest<HTMLElement>(`[data-${name}]`)?.dataset[name];
    if (value !== undefined)
      return document.querySelector(`[data-${name}="${CSS.escape(value)}"] ${removed.localName}`);
  }
  return null;
}

/**
 * Keeps the focus in the page. A moved element keeps it; if it is removed (a line with its button, a view with its
 * messages), the focus moves to the section around it that takes focus, else to the messages, not to the top of the
 * document.
 */
export function keepFocus(app: App): void {
  let focused: HTMLElement | undefined;
  let section: HTMLElement | null | undefined;
  let frame = 0;
  const isNowhere = () => document.activeElement === document.body;
  const isLost = () => isNowhere() && focused?.isConnected === false;
  addEventListener("focusin", ({ target }) => {
    focused = target instanceof HTMLElement ? target : undefined;
    // A dialog of the section is in front of it.
    if (!focused?.closest("dialog")) section = focused?.closest<HTMLElement>('section[tabindex="-1"]');
  });
  // A press on nothing in particular removes the focus on purpose.
  addEventListener("click", () => {
    if (isNowhere() && focused?.isConnected) focused = undefined;
  });
  new MutationObserver((changes) => {
    const element = focused;
    if (!element || !isNowhere()) return;
    if (element.isConnected) {
      const isMoved = changes.some(({ addedNodes }) => [...addedNodes].some((node) => node.contains(element)));
      if (isMoved) element.focus({ preventScroll: true });
      return;
    }
    cancelAnimationFrame(frame);
    // Code that knows a better place for the focus sets it along with the change.
    frame = requestAnimationFrame(() => {
      if (!isLost()) return;
      const again = section?.isConnected ? section : drawnAnew(element);
      if (again) again.focus({ preventScroll: true });
      else focusBack(app);
    });
  }).observe(document.body, { childList: true, subtree: true });
}
