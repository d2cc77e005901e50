/** Resolves when the page is parsed and its styles hold: the first script begins before, and rows are measured as they are drawn. */
export async function pageReady(page: Document): Promise<void> {
  if (page.readyState === "loading") {
    await new Promise((resolve) => page.addEventListener("DOMContentLoaded", resolve, { once: true }));
  }
  const styles = [...page.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].filter(({ sheet }) => !sheet);
  await Promise.all(
    styles.map(
      (style) =>
        new Promise((resolve) => {
          style.addEventListener("load", resolve, { once: true });
          style.addEventListener("error", resolve, { once: true });
        }),
    ),
  );
}
