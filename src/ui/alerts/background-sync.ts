// Asks the browser to wake a worker now and then, and when the network returns, so that messages come with the app
// closed even if a server sends no pushes. Only Chromium's family has this, for installed apps; nothing relies on it.
import { SYNC_CACHE, SYNC_SCOPE, SYNC_TAG, SYNC_STRINGS } from "../../contract";
import type { App } from "../state/app.svelte";
import { permission } from "./permission.svelte";
import { pushWorkerStrings, registerPushWorker } from "./push-registrations";

/** Browsers wake it every 12 hours at most, ms. */
const EVERY_MS = 43_200_000;

/** What some browsers' registrations have, missing from the standard types. */
interface SyncRegistration extends ServiceWorkerRegistration {
  sync?: { register(tag: string): Promise<void> };
  periodicSync?: { register(tag: string, options: { minInterval: number }): Promise<void> };
}

/** Keeps the registration while notifications are on in an installed app. */
export async function startBackgroundSync(app: App): Promise<void> {
  if ("serviceWorker" in navigator && import.meta.env.PROD) await granted(keep(app));
}

async function keep(app: App): Promise<void> {
  const { settings, subscriptions } = app.catalogue;
  const isWanted = settings.alerts && permission() === "granted" && subscriptions.length > 0;
  if (!isWanted || !(await isGranted())) return end();
  await (await caches.open(SYNC_CACHE)).put(SYNC_STRINGS, new Response(JSON.stringify(pushWorkerStrings())));
  const registration: SyncRegistration = await registerPushWorker(SYNC_SCOPE);
  // After a release that raises the database's version, the old worker could do nothing.
  void registration.update().catch(() => undefined);
  await granted(registration.periodicSync?.register(SYNC_TAG, { minInterval: EVERY_MS }));
  const once = (): void => void granted(registration.sync?.register(SYNC_TAG));
  addEventListener("offline", once);
  if (!navigator.onLine) once();
}

/** Whether the browser lets this app be woken, which only installed apps are. */
async function isGranted(): Promise<boolean> {
  try {
    const name = "periodic-background-sync" as PermissionName;
    return (await navigator.permissions.query({ name })).state === "granted";
  } catch (error) {
    // Other browsers don't know it.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** The browser may refuse at any time: storage is forbidden, or the app is rarely used. */
async function granted(work: Promise<void> | undefined): Promise<void> {
  await work?.catch((error: unknown) => {
    if (!(error instanceof DOMException)) throw error;
  });
}

async function end(): Promise<void> {
  const { href } = new URL(SYNC_SCOPE, location.href);
  const all = await navigator.serviceWorker.getRegistrations();
  await all.find(({ scope }) => scope === href)?.unregister();
}
