// The app's shell offline, and presses on notifications. What is neither a navigation to the app nor one of its files is not touched.
import { addPlugins, cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from "workbox-precaching";
import { registerRoute } from "workbox-routing";
import type { NotificationData } from "../protocol";
import { isKeepable } from "./keepable";
import { answerPress } from "./notification-press";
import { isAppNavigation } from "./scope";

declare const self: ServiceWorkerGlobalScope;

// A version of which one file is another than it should be is not installed.
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
// Exact addresses only. By default workbox also tries `<address>.html` and `<address>/index.html`, names that may be topics.
precacheAndRoute(__PRECACHED__, { cleanURLs: false, directoryIndex: "", ignoreURLParametersMatching: [] });
cleanupOutdatedCaches();

registerRoute(
  ({ request, url }) => request.mode === "navigate" && isAppNavigation(url, self.registration.scope),
  createHandlerBoundToURL("index.html"),
);

// A new version waits until the user takes it: the page asks (workbox-window's `messageSkipWaiting`).
self.addEventListener("message", ({ data }: ExtendableMessageEvent) => {
  if (isSkipWaiting(data)) void self.skipWaiting();
});

// The very first visit is kept too, so that a part loaded later (Markdown, say) is there when the network is not.
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
    }),
  );
});

function isSkipWaiting(data: unknown): boolean {
  return typeof data === "object" && data !== null && "type" in data && data.type === "SKIP_WAITING";
}
