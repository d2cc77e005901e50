import { NOTIFICATION_LOCK, PUSH_LOCK, readEmojiTable, type NotificationData } from "../contract";
import type { Channel, PushWorker } from "../hub";
import { readPushTarget } from "../protocol";
import { isThisVersion, openStore, type Store } from "../store";
import emojiLines from "virtual:emoji-table";
import { setBadge } from "./answer-presses";
import { isAppNavigation } from "./scope";

declare const self: ServiceWorkerGlobalScope;

/** Scopes of push registrations are two folders below the app. */
export const APP = new URL("../../", self.registration.scope).href;

const emoji = readEmojiTable(emojiLines);

/** Every registration of the origin, or only its own where a worker can't list them. */
async function registrations(): Promise<readonly ServiceWorkerRegistration[]> {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  return serviceWorker ? serviceWorker.getRegistrations() : [self.registration];
}

/** What a push needs from the platform, with the store and the channel to the pages. */
export function pushWorker(store: Store, channel: Pick<Channel, "post">): PushWorker {
  const { registration } = self;
  return {
    scope: `./${registration.scope.slice(APP.length)}`,
    store,
    channel,
    emoji,
    fetch: (url, init) => fetch(url, init),
    // A browser asks about the local network only for a page, and no page is waiting here.
    isBlocked: () => Promise.resolve(false),
    now: () => Date.now(),
    setTimer: (run, delayMs) => setTimeout(run, delayMs),
    clearTimer: (timer) => clearTimeout(timer as number | undefined),
    ...NOTIFICATIONS,
    async isInSight() {
      const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
      return windows.some((one) => one.visibilityState === "visible" && isAppNavigation(new URL(one.url), APP));
    },
    setBadge,
    async target() {
      const subscription = await registration.pushManager.getSubscription();
      return subscription ? readPushTarget(subscription.toJSON()) : undefined;
    },
    end: endRegistration,
    alone: (work) => navigator.locks.request(PUSH_LOCK, work),
  };
}

/** Ends this registration with the browser. */
export async function endRegistration(): Promise<void> {
  await (await self.registration.pushManager.getSubscription())?.unsubscribe();
  await self.registration.unregister();
}

export const NOTIFICATIONS: Pick<PushWorker, "show" | "shown" | "close"> = {
  show: ({ title, options }) =>
    navigator.locks.request(NOTIFICATION_LOCK, () => self.registration.showNotification(title, options)),
  shown: (tag) =>
    navigator.locks.request(NOTIFICATION_LOCK, async () => {
      const shown = await self.registration.getNotifications({ tag });
      return shown.flatMap(({ data }) => (data as NotificationData | null) ?? []);
    }),
  close: (tags, keeps) =>
    navigator.locks.request(NOTIFICATION_LOCK, async () => {
      for (const registration of await registrations()) {
        for (const notification of await registration.getNotifications()) {
          const { tag, data } = notification;
          if (tags.includes(tag) && !keeps?.(data as NotificationData, tag)) notification.close();
        }
      }
    }),
};

let opening: Promise<Store | undefined> | undefined;

/** Opens the database. `nothing`: it was evicted; undefined: it can't be opened, or has another version. */
export async function openPushStore(): Promise<Store | "nothing" | undefined> {
  const isThis = await isThisVersion();
  if (isThis === undefined) return "nothing";
  if (!isThis) {
    // What came is shown anyway; if the app's host is unreachable, the next push tries again.
    void self.registration.update().catch(() => undefined);
    return undefined;
  }
  const forget = (): void => (opening = undefined);
  opening ??= openStore({ onEnd: forget }).then((opened) => {
    if (!opened.ok) forget();
    return opened.ok ? opened.value : undefined;
  });
  return opening;
}
