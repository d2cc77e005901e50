let drawn: (() => void) | undefined;

/** Resolves when the first rows stand in the page, or what the view shows in their place. */
export const firstRows = new Promise<void>((resolve) => (drawn = resolve));

/** Tells that the first rows stand in the page. What waits for them starts in a turn of its own. */
export function firstRowsDrawn(): void {
  setTimeout(() => drawn?.());
}
