// Serves the app's shell offline, and handles presses on notifications. Requests for anything but the app and its files
// pass through.
import { addPlugins, cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from "workbox-precaching";
import { registerRoute } from "workbox-routing";
import { CHANNEL_NAME } from "../contract";
import { markPressed } from "../hub";
import { isThisVersion, openStore } from "../store";
import { KeptLanguage } from "./kept-language";
import { answerPresses, setBadge } from "./answer-presses";
import { isAppNavigation } from "./scope";

declare const self: ServiceWorkerGlobalScope;

// One wrong file keeps the version from being installed: its host may have half of it and half of another build.
addPlugins([
  {
    // A cache may hold half a file, and keep it for a year.
    requestWillFetch: ({ request }) => Promise.resolve(new Request(request, { cache: "no-cache" })),
    // Scripts and styles are compared with their hashes by the browser.
    cacheWillUpdate: async ({ request, response }) => {
      if (response.status !== 200) return null;
      // Hosts answer with a page and status 200 for files that they don't have.
      const isPage = response.headers.get("Content-Type")?.startsWith("text/html") ?? false;
      if (!request.url.endsWith("/index.html")) return isPage ? null : response;
      return isPage && (await response.clone().text()).includes(__BUILD__) ? response : null;
    },
  },
]);
// Only exact addresses are served. By default workbox also tries `<address>.html` and `<address>/index.html`, names
// that may be topics.
precacheAndRoute(__PRECACHED__, { cleanURLs: false, directoryIndex: "", ignoreURLParametersMatching: [] });
cleanupOutdatedCaches();

registerRoute(
  ({ request, url }) => request.mode === "navigate" && isAppNavigation(url, self.registration.scope),
  createHandlerBoundToURL("index.html"),
);

const { scope } = self.registration;
const absolute = (path: string) => new URL(path, scope).href;
const language = new KeptLanguage({
  files: Object.fromEntries(Object.entries(__LANGUAGES__).map(([code, { url }]) => [code, absolute(url)])),
  open: () => caches.open(`earshot-language-${scope}`),
  async load(url) {
    const { integrity } = Object.values(__LANGUAGES__).find((file) => absolute(file.url) === url) ?? {};
    return fetch(url, { cache: "no-cache", integrity: integrity ?? "" });
  },
  note: absolute("assets/language"),
});
registerRoute(
  ({ url }) => language.isFile(url.href),
  async ({ request }) => (await language.match(request.url)) ?? fetch(request),
);
// Like any other file, a missing language file keeps the version from being installed.
self.addEventListener("install", (event) => event.waitUntil(language.renew()));
self.addEventListener("activate", (event) => event.waitUntil(language.clean()));

// A new version waits until the user accepts it: the page then asks (workbox-window's `messageSkipWaiting`).
self.addEventListener("message", (event: ExtendableMessageEvent) => {
  const { data } = event as { data: unknown };
  if (typeof data !== "object" || data === null || !("type" in data)) return;
  if (data.type === "SKIP_WAITING") void self.skipWaiting();
  // Sent at each start of a page, so that a file that can't be fetched now is fetched later.
  if (data.type === "LANGUAGE" && "code" in data && typeof data.code === "string") {
    event.waitUntil(language.use(data.code).catch(() => undefined));
  }
});

// This also controls the page of the very first visit, so that what it loads later (Markdown, say) is there offline.
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

answerPresses({
  scope,
  async mark(key, mark) {
    if (!(await isThisVersion())) return false;
    const opened = await openStore();
    if (!opened.ok) return false;
    const channel = new BroadcastChannel(CHANNEL_NAME);
    const isMarked = await markPressed(
      { store: opened.value, now: Date.now, channel: { post: (message) => channel.postMessage(message) }, setBadge },
      key,
      mark,
    );
    channel.close();
    opened.value.close();
    return isMarked;
  },
});
