/** Resolves when the page is parsed: the first script starts earlier. */
export async function pageParsed(page: Document): Promise<void> {
  if (page.readyState !== "loading") return;
  await new Promise((resolve) => page.addEventListener("DOMContentLoaded", resolve, { once: true }));
}

/** Resolves when the page is parsed and its styles are applied or failed: rows are measured as they are drawn. */
export async function pageStyled(page: Document): Promise<void> {
  await pageParsed(page);
  if (page.readyState === "complete") return;
  const styles = [...page.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].filter(({ sheet }) => !sheet);
  const heard = (target: EventTarget, event: string) =>
    new Promise((resolve) => target.addEventListener(event, resolve, { once: true }));
  // The window hears of its end whatever becomes of them.
  const ended = heard(window, "load");
  await Promise.all(styles.map((style) => Promise.race([heard(style, "load"), heard(style, "error"), ended])));
}
