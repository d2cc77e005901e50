/** What the build calls the links of these files in the page (`src/build/worker-beside-page.ts`). */
const HUB_FILES = 'link[rel="earshot-hub"]';

/**
 * Asks for the files of the hub all at once, so that its worker, which asks for one after the other, finds them in the
 * browser's cache.
 */
export function fetchHubFiles(): void {
  for (const { href } of document.querySelectorAll<HTMLLinkElement>(HUB_FILES)) {
    // The worker asks again for a file that can't be had, and a failure is found there.
    void fetch(href).catch(() => undefined);
  }
}
