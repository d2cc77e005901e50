import type { FeedRows } from "./feed-rows";
import type { FirstScreen } from "./first-screen";

/** A press on a row, or on its button. */
interface Press {
  rowId: string;
  on: "row" | "button";
  event: MouseEvent;
}

/** What stands in the page of the first rows, and what is done with them: presses are kept, links lead where they lead. */
export function screenOf(target: Element, rows: FeedRows): FirstScreen {
  const presses: Press[] = [];
  const pressed = (event: MouseEvent): void => {
    const on = event.target instanceof Element ? event.target : undefined;
    if (!on || on.closest("a[target]")) return;
    // The way past the rail would be an address of the app's.
    event.preventDefault();
    if (on.closest("a")) return document.getElementById("main")?.focus();
    const row = on.closest("article");
    if (row) presses.push({ rowId: row.id, on: on.closest("button") ? "button" : "row", event });
  };
  target.addEventListener("click", pressed as EventListener);

  return {
    still: () => rows.still(),
    leave() {
      target.removeEventListener("click", pressed as EventListener);
      const { place } = rows;
      const focused = target.contains(document.activeElement) ? document.activeElement?.closest("[id]")?.id : undefined;
      target.replaceChildren();
      return {
        place,
        repeat() {
          if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
          for (const { rowId, on, event } of presses) {
            const row = document.getElementById(rowId);
            const { shiftKey, ctrlKey, metaKey } = event;
            const again = new MouseEvent("click", { bubbles: true, cancelable: true, shiftKey, ctrlKey, metaKey });
            (on === "button" ? row?.querySelector(".text-button") : row)?.dispatchEvent(again);
          }
        },
      };
    },
  };
}
