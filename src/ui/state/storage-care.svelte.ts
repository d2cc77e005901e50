import type { App } from "./app.svelte";
import { keep, kept } from "./device-storage";

/** The part of the browser's storage that is used here; absent without a secure context. */
export type Storage = Pick<StorageManager, "estimate" | "persist" | "persisted">;

/** What is left is little when it is less than this of what the browser allows, and less than so many bytes. */
const LITTLE_PART = 0.1;
const LITTLE_BYTES = 50_000_000;

/** How often the browser is asked how much room is left while the page is in sight, ms. */
const LOOK_EVERY_MS = 600_000;

const ASKED = "earshot-persist-asked";

/** Bytes that are left, where that is little; undefined where it is enough, or nobody knows. */
export function littleLeft({ usage, quota }: StorageEstimate): number | undefined {
  if (usage === undefined || quota === undefined || quota <= 0) return undefined;
  const left = Math.max(0, quota - usage);
  return left < Math.min(quota * LITTLE_PART, LITTLE_BYTES) ? left : undefined;
}

/**
 * Asks the browser not to clear what is stored when the device runs short of room; some ask the user. Once in a tab and
 * once more when installed, which is when those that decide by themselves agree.
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

/** Cares for what is stored: has it kept once there is something to keep, and says when room runs short. */
export function startStorageCare(app: App): void {
  // Not there at all without a secure context, whatever the types say.
  const storage = navigator.storage as Storage | undefined;
  if (!storage || app.environment.storage === "memory") return;

  const look = async (): Promise<void> => {
    app.littleStorage = littleLeft(await storage.estimate());
  };
  const failed = (error: unknown): void => {
    // A browser that keeps nothing for this page has nothing to say about it.
    if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
  };
  $effect.root(() => {
    const hasTopics = $derived(app.subscriptions.length > 0);
    $effect(() => {
      if (hasTopics) askToKeep(storage, matchMedia("(display-mode: standalone)").matches).catch(failed);
    });
    // More is stored, or less: it may be another strip that is due.
    const thousands = $derived(Math.floor(app.catalogue.total / 1000));
    $effect(() => {
      void thousands;
      look().catch(failed);
    });
  });
  setInterval(() => {
    if (document.visibilityState === "visible") look().catch(failed);
  }, LOOK_EVERY_MS);
}
