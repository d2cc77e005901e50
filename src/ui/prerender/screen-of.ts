import { EXPANDED } from "../message/collapse";
import { keep, kept } from "../state/device-storage";
import type { FeedRows } from "./feed-rows";
import { notePress, type FirstScreen } from "./first-screen";

/** Focusable elements that the app has too: a row, the main content, the skip link. */
const FOCUSED = "article, main, .skip";

/** The prerendered rows in the page, and what the user does with them: presses are kept, links work at once. */
export function screenOf(target: Element, rows: FeedRows): FirstScreen {
  const pressed = (event: Event): void => {
    const on = event.target instanceof Element ? event.target : undefined;
    if (!on || !(event instanceof MouseEvent) || on.closest("a[target]")) return;
    const row = on.closest("article");
    // The skip link's fragment would be taken for an address of the app.
    if (on.closest("a")) {
      event.preventDefault();
      document.getElementById("main")?.focus();
    } else if (row && on.closest("button")) expand(row.id);
    // Selecting text is no press.
    else if (row && getSelection()?.isCollapsed !== false) notePress(() => pressAgain(row.id, event));
  };
  target.addEventListener("click", pressed);

  return {
    still: () => rows.still(),
    leave() {
      target.removeEventListener("click", pressed);
      const { place } = rows;
      const focused = target.contains(document.activeElement) ? document.activeElement?.closest(FOCUSED) : undefined;
      rows.leave();
      target.replaceChildren();
      return {
        place,
        focus() {
          if (!focused) return;
          const again = focused.id ? document.getElementById(focused.id) : target.querySelector<HTMLElement>(".skip");
          again?.focus({ preventScroll: true });
        },
      };
    },
  };
}

function pressAgain(rowId: string, { shiftKey, ctrlKey, metaKey }: MouseEvent): void {
  const again = new MouseEvent("click", { bubbles: true, cancelable: true, shiftKey, ctrlKey, metaKey });
  document.getElementById(rowId)?.dispatchEvent(again);
}

/** The app then draws the text expanded too. */
function expand(rowId: string): void {
  const key = rowId.slice("row ".length);
  const others = kept(EXPANDED)?.split("\n") ?? [];
  keep(EXPANDED, [...others.filter((other) => other !== key), key].join("\n"));
}
