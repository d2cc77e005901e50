/** Stylesheets that are loaded or loading, by address. */
const styles = new Map<string, Promise<void>>();

/**
 * Loads a part of the app on demand, with its styles. The build wraps each `import()` in it, in place of the bundler's
 * own helper, which doesn't work in workers.
 *
 * @param load the `import()` itself
 * @param files the part's styles, as relative addresses; a part of a worker has none
 * @param from address of the script that asks
 * @throws if the part or one of its styles can't be loaded; the next call tries again
 */
export async function loadPart<Part>(load: () => Promise<Part>, files: string[] = [], from = ""): Promise<Part> {
  const [part] = await Promise.all([load(), ...files.map((file) => style(new URL(file, from).href))]);
  return part;
}

function style(href: string): Promise<void> {
  const known = styles.get(href) ?? fetchStyle(href);
  styles.set(href, known);
  return known;
}

function fetchStyle(href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // The page has had it from the start.
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
