// Receives the pushes of one server, looks for messages when the browser's background sync wakes it, and handles
// presses on what it showed. It serves no files: pages have a service worker of their own. Each server needs its own,
// as the browser ties a registration to one key.
import { CHANNEL_NAME, type PushWorkerStrings, SYNC_CACHE, SYNC_TAG, SYNC_STRINGS } from "../contract";
import {
  changePush,
  hearTold,
  markPressed,
  receiveInBackground,
  receivePush,
  showUnstored,
  type PushWorker,
} from "../hub";
import { decodePush, pushKeyBytes } from "../protocol";
import { isThisVersion } from "../store";
import { answerPresses } from "./answer-presses";
import { APP, endRegistration, NOTIFICATIONS, openPushStore, pushWorker } from "./this-worker";

declare const self: ServiceWorkerGlobalScope;

const channel = new BroadcastChannel(CHANNEL_NAME);

/** Works on the database. Ends a registration without one; `unusable` is called if this version must not open it. */
async function withWorker<T>(work: (worker: PushWorker) => Promise<T>, unusable?: () => Promise<T>) {
  const store = await openPushStore();
  if (store === "nothing") return void (await endRegistration());
  return store ? work(pushWorker(store, { post: (message) => channel.postMessage(message) })) : unusable?.();
}

// It controls no page, so a new version need not wait for any; but until a page has migrated the database, the former
// version goes on.
self.addEventListener("install", (event) => {
  void self.skipWaiting();
  const isFit = async (): Promise<void> => {
    if ((await isThisVersion()) === false) throw new Error("The database has another version.");
  };
  event.waitUntil(isFit());
});

self.addEventListener("push", (event) => {
  const text = event.data?.text() ?? "";
  event.waitUntil(
    withWorker(
      async (worker) => {
        if (await receivePush(worker, text)) await hearTold(worker);
      },
      () => showUnstored({ ...NOTIFICATIONS, now: () => Date.now() }, decodePush(text)),
    ),
  );
});

self.addEventListener("pushsubscriptionchange", (event) => {
  const { oldSubscription } = event as Partial<PushSubscriptionChangeEvent>;
  const change = (worker: PushWorker): Promise<void> =>
    changePush(worker, oldSubscription?.endpoint, async (key) => {
      const applicationServerKey = pushKeyBytes(key);
      if (!applicationServerKey) return;
      // The push service can't be reached now; the next start of the app tries again.
      await self.registration.pushManager
        .subscribe({ userVisibleOnly: true, applicationServerKey })
        .catch((error: unknown) => {
          if (!(error instanceof DOMException)) throw error;
        });
    });
  // The next start of the app tries again.
  (event as ExtendableEvent).waitUntil(withWorker(change));
});

async function receiveAll(worker: PushWorker): Promise<void> {
  const kept = await (await caches.open(SYNC_CACHE)).match(new URL(SYNC_STRINGS, APP).href);
  // Without the strings, the next page fetches what came.
  if (kept) await receiveInBackground(worker, (await kept.json()) as PushWorkerStrings);
  await hearTold(worker);
}

// The browser's background sync, when the network is back, and now and then.
for (const name of ["sync", "periodicsync"]) {
  self.addEventListener(name, (event) => {
    const sync = event as ExtendableEvent & { readonly tag: string };
    if (sync.tag === SYNC_TAG) sync.waitUntil(withWorker(receiveAll));
  });
}

answerPresses({
  scope: APP,
  mark: async (key, mark) => (await withWorker((worker) => markPressed(worker, key, mark))) ?? false,
});
