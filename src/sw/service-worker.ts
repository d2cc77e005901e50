// Serves the app's shell offline, and handles presses on notifications. Requests other than navigations to the app and
// its files aren't touched.
import { addPlugins, cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from "workbox-precaching";
import { registerRoute } from "workbox-routing";
import type { NotificationData } from "../contract";
import { isKeepable } from "./keepable";
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

// A new version waits until the user accepts it: the page then asks (workbox-window's `messageSkipWaiting`).
self.addEventListener("message", ({ data }: ExtendableMessageEvent) => {
  if (isSkipWaiting(data)) void self.skipWaiting();
});

// The page of the very first visit is controlled too, so that a part loaded later (Markdown, say) is there when the
// network isn't.
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("notificationclick", (event) => {
  const { notification, action } = event;
  notification.close();
  event.waitUntil(
    answerPress(notification.data as NotificationData, action, {
      scope: self.registration.scope,
      windows: () => self.clients.matchAll({ type: "window", includeUncontrolled: true }),
      open: (url) => self.clients.openWindow(url),
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      now: () => Date.now(),
    }),
  );
});

function isSkipWaiting(data: unknown): boolean {
  return typeof data === "object" && data !== null && "type" in data && data.type === "SKIP_WAITING";
}
