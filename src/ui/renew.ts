// A file of its own (`src/build/page.ts`) that runs each time it is imported by another address: it loads the app as
// its host has it now. Service worker and browser cache may both hold broken files, so they are renewed, unless the
// host is unreachable or lacks a file its page names.
const scope = new URL("./", document.baseURI).href;

async function load(address: string, isPage: boolean): Promise<string> {
  const answer = await fetch(new URL(address, scope), { cache: "reload" });
  // The cache takes an answer that was read to its end.
  const text = await answer.text();
  // Hosts send a page for files they don't have.
  const isHtml = answer.headers.get("Content-Type")?.startsWith("text/html") ?? false;
  if (!answer.ok || isHtml !== isPage) throw new TypeError(`${address} can't be loaded`);
  return text;
}

async function renew(): Promise<void> {
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const own = loaded.filter((name) => name.startsWith(`${scope}assets/`));
  const named = [...(await load(scope, true)).matchAll(/="\.\/(assets\/[^"]+)"/g)].map(([, name = ""]) => name);
  if (named.length === 0) throw new TypeError("This is the page of something else.");
  await Promise.all(named.map((name) => load(name, false)));
  await Promise.allSettled(own.map((name) => load(name, false)));
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  if (registration?.scope === scope) {
    await registration.unregister();
    const kept = (await caches.keys()).filter((name) => name.endsWith(scope));
    await Promise.all(kept.map((name) => caches.delete(name)));
  }
}

try {
  await renew();
  location.reload();
} catch {
  // The kept app may start all the same.
  if (navigator.serviceWorker?.controller) location.reload();
}

export {};
