/** How long to wait for a new version, ms. A slower one goes on being fetched and may be used at the next press. */
const MAX_WAITED_MS = 30_000;

/**
 * Loads the page as its host has it now, where a part of the app could not be loaded. A plain reload may bring the same again:
 * a mended version waits for as long as a page of the broken one is open, and a cache may hold a file that was broken.
 */
export async function startAnew(): Promise<void> {
  const workers = "serviceWorker" in navigator ? navigator.serviceWorker : undefined;
  const registration = await workers?.getRegistration().catch(() => undefined);
  if (!workers || !registration) return loadPastCache();
  const reload = (): void => location.reload();
  setTimeout(reload, MAX_WAITED_MS);
  // Without a network, the cached app may start all the same.
  await registration.update().catch(() => undefined);
  const { installing, waiting } = registration;
  if (!installing && !waiting) return reload();
  workers.oncontrollerchange = reload;
  for (const next of [installing, waiting]) {
    next?.postMessage({ type: "SKIP_WAITING" });
    // Its files can't be had.
    next?.addEventListener("statechange", () => next.state === "redundant" && reload());
  }
}

/** Loads the page past the browser's cache. If no page can be loaded, this one stays. */
async function loadPastCache(): Promise<void> {
  const { href } = new URL("assets/", document.baseURI);
  const files = performance.getEntriesByType("resource").map(({ name }) => name);
  const loaded = [location.href, ...files.filter((name) => name.startsWith(href))].map(async (address) => {
    const answer = await fetch(address, { cache: "reload" });
    // The cache takes an answer that was read to its end.
    await answer.blob();
    return answer.ok;
  });
  const [isThere] = await Promise.all(loaded).catch(() => []);
  if (isThere) location.reload();
}
