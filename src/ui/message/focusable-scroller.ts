import type { Attachment } from "svelte/attachments";

/**
 * Makes an element focusable by Tab while it scrolls sideways, as not every browser does so by itself. `data-more` is
 * set while there is more beyond its end.
 */
export const focusableScroller: Attachment<HTMLElement> = (element) => {
  const look = (): void => {
    const beyond = element.scrollWidth - element.clientWidth;
    if (beyond > 0) element.tabIndex = 0;
    else element.removeAttribute("tabindex");
    // Negative where text runs from right to left.
    element.toggleAttribute("data-more", beyond - Math.abs(element.scrollLeft) > 1);
  };
  const sizes = new ResizeObserver(look);
  sizes.observe(element);
  element.addEventListener("scroll", look, { passive: true });
  return () => sizes.disconnect();
};
