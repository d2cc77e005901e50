import { afterNextPaint } from "./after-next-paint";

let drawn: (() => void) | undefined;

/** Resolves when the first rows, or what the view shows in their place, are on the screen. */
export const firstRows = new Promise<void>((resolve) => (drawn = resolve));

/** Marks the first rows as part of the page. What waits for them starts after the frame that shows them. */
export function firstRowsDrawn(): void {
  afterNextPaint(() => drawn?.());
}
