/** Loads the page as its host has it now, after a part of the app failed to load. Returns if that is impossible. */
export async function startAnew(): Promise<void> {
  // The address differs each time, because the module runs when loaded (`src/ui/renew.ts`).
  const address = new URL(`renew.js?${String(Date.now())}`, document.baseURI).href;
  try {
    await import(/* @vite-ignore */ address);
  } catch {
    // The host is unreachable. The cached app may still start.
    if (navigator.serviceWorker?.controller) location.reload();
  }
}
