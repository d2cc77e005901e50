import { afterNextPaint } from "./after-next-paint";

let drawn: (() => void) | undefined;

/** Resolves when the first rows are on the screen, or what the view shows in their place. */
export const firstRows = new Promise<void>((resolve) => (drawn = resolve));

/** Tells that the first rows stand in the page. What waits for them starts behind the frame that they come with. */
export function firstRowsDrawn(): void {
  afterNextPaint(() => drawn?.());
}
