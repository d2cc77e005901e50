// Serves the app's shell offline, and handles presses on notifications. Requests other than navigations to the app and
// its files aren't touched.
import { addPlugins, cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from "workbox-precaching";
import { registerRoute } from "workbox-routing";
import type { NotificationData } from "../contract";
import { DATABASE_NAME, openStore, SCHEMA_VERSION } from "../store";
import { isKeepable } from "./keepable";
import { KeptLanguage } from "./kept-language";
import { answerPress } from "./notification-press";
import { isAppNavigation } from "./scope";

declare const self: ServiceWorkerGlobalScope;

// If any file isn't what it should be, the version isn't installed.
addPlugins([
  {
    cacheWillUpdate: ({ request, response }) => {
      const { pathname } = new URL(request.url);
      return Promise.resolve(
        isKeepable(pathname, response.status, response.headers.get("Content-Type")) ? response : null,
      );
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
  files: Object.fromEntries(Object.entries(__LANGUAGES__).map(([code, path]) => [code, absolute(path)])),
  open: () => caches.open(`earshot-language-${scope}`),
  async load(url) {
    const response = await fetch(url);
    const type = response.headers.get("Content-Type");
    if (!isKeepable(new URL(url).pathname, response.status, type)) throw new TypeError(`${url} is not a script`);
    return response;
  },
  note: absolute("assets/language"),
});
registerRoute(
  ({ url }) => language.isFile(url.href),
  async ({ request }) => (await language.match(request.url)) ?? fetch(request),
);
// Without the language's new file, the version isn't installed, as without any other.
self.addEventListener("install", (event) => event.waitUntil(language.renew()));
self.addEventListener("activate", (event) => event.waitUntil(language.clean()));

// A new version waits until the user accepts it: the page then asks (workbox-window's `messageSkipWaiting`).
self.addEventListener("message", (event: ExtendableMessageEvent) => {
  const { data } = event as { data: unknown };
  if (typeof data !== "object" || data === null || !("type" in data)) return;
  if (data.type === "SKIP_WAITING") void self.skipWaiting();
  // Said at each start of a page, so that a file that can't be fetched now is fetched later.
  if (data.type === "LANGUAGE" && "code" in data && typeof data.code === "string") {
    event.waitUntil(language.use(data.code).catch(() => undefined));
  }
});

// The page of the very first visit is controlled too, so that a part loaded later (Markdown, say) is there when the
// network isn't.
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("notificationclick", (event) => {
  const { notification, action } = event;
  notification.close();
  event.waitUntil(
    answerPress(notification.data as NotificationData | null, action, {
      scope: self.registration.scope,
      windows: () => self.clients.matchAll({ type: "window", includeUncontrolled: true }),
      open: (url) => self.clients.openWindow(url),
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      now: () => Date.now(),
      async mark(key, mark) {
        const there = (await indexedDB.databases()).find(({ name }) => name === DATABASE_NAME);
        // Only pages upgrade the database.
        if (there?.version !== SCHEMA_VERSION) return false;
        const opened = await openStore();
        if (!opened.ok) return false;
        const marked = await opened.value.mark([key], mark, Date.now());
        opened.value.close();
        return marked.ok;
      },
    }),
  );
});
