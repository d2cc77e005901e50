import type { App } from "./app.svelte";
import { keep, kept } from "./device-storage";
import { ownWindow } from "./layout.svelte";

/** The part of the browser's storage API that is used here. */
export type Storage = Pick<StorageManager, "estimate" | "persist" | "persisted">;

/** Storage is short if both less than this share of the quota and less than this many bytes are left. */
const LITTLE_PART = 0.1;
const LITTLE_BYTES = 50_000_000;

/** How often to check how much room is left while the page is visible, ms. */
const LOOK_EVERY_MS = 600_000;

const ASKED = "earshot-persist-asked";

/** The bytes left, if that is little; undefined if it is enough or unknown. */
export function littleLeft({ usage, quota }: StorageEstimate): number | undefined {
  if (usage === undefined || quota === undefined || quota <= 0) return undefined;
  const left = Math.max(0, quota - usage);
  return left < Math.min(quota * LITTLE_PART, LITTLE_BYTES) ? left : undefined;
}

/**
 * Asks the browser not to clear stored data when space runs short; some ask the user. Once per tab, and again when
 * installed, because browsers that decide by themselves agree then.
 * @returns whether it was asked
 */
export async function askToKeep(storage: Storage, isInstalled: boolean): Promise<boolean> {
  const where = isInstalled ? "installed" : "tab";
  const asked = kept(ASKED)?.split(" ") ?? [];
  if (asked.includes(where) || (await storage.persisted())) return false;
  keep(ASKED, [...asked, where].join(" "));
  await storage.persist();
  return true;
}

/** Asks the browser to keep the data once there is any, and watches whether storage runs short. */
export function startStorageCare(app: App): void {
  // Undefined without a secure context, whatever the types say.
  const storage = navigator.storage as Storage | undefined;
  if (!storage || app.device.environment.storage === "memory") return;

  const look = async (): Promise<void> => {
    app.device.littleStorage = littleLeft(await storage.estimate());
  };
  const failed = (error: unknown): void => {
    // A browser that denies storage to this page rejects these calls.
    if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
  };
  $effect.root(() => {
    const hasTopics = $derived(app.catalogue.subscriptions.length > 0);
    $effect(() => {
      if (hasTopics) askToKeep(storage, ownWindow.current).catch(failed);
    });
    // A thousand messages more or less may have changed how much room is left.
    const thousands = $derived(Math.floor(app.catalogue.tables.total / 1000));
    $effect(() => {
      void thousands;
      look().catch(failed);
    });
  });
  setInterval(() => {
    if (document.visibilityState === "visible") look().catch(failed);
  }, LOOK_EVERY_MS);
}
