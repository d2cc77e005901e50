/** Styles that are here or on their way, by address. */
const styles = new Map<string, Promise<void>>();

/**
 * Loads a part that comes later, with its styles. The build puts it around each `import()`, in the place of its own that
 * knows no workers.
 *
 * @param load the `import()` itself
 * @param files the part's styles, as relative addresses; a part of a worker has none
 * @param from address of the script that asks
 * @throws where the part or one of its styles can't be had; asked again, it tries again
 */
export async function loadPart<Part>(load: () => Promise<Part>, files: string[] = [], from = ""): Promise<Part> {
  await Promise.all(files.map((file) => style(new URL(file, from).href)));
  return load();
}

function style(href: string): Promise<void> {
  const known = styles.get(href) ?? fetchStyle(href);
  styles.set(href, known);
  return known;
}

function fetchStyle(href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // It stands in the page from the start.
    if ([...document.styleSheets].some((one) => one.href === href)) return resolve();
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.crossOrigin = "";
    link.href = href;
    link.onload = () => resolve();
    link.onerror = () => {
      styles.delete(href);
      link.remove();
      reject(new Error(`${href} can't be had.`));
    };
    document.head.append(link);
  });
}
