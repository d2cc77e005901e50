import { startAlerts } from "./alerts";
import { startAppBadge } from "./alerts/app-badge.svelte";
import { Away } from "./away/away";
import { tellUndoneImport } from "./backup/tell-undone";
import { Keyboard } from "./commands";
import { followLanguage } from "./prerender/follow-language.svelte";
import { keepFocus } from "./state/keep-focus";
import type { Meanwhile } from "./prerender/first-screen";
import type { App } from "./state/app.svelte";
import { whenIdle } from "./state/when-idle";
import { hostRead } from "./state/host";
import { sayEndingSignIn } from "./topics/ending-sign-ins";
import { followMoves } from "./topics/follow-moves.svelte";
import { startStorageCare } from "./state/storage-care.svelte";
import { startViewCounts } from "./views/view-counts.svelte";

/**
 * Starts the background services: what a page does besides showing messages. None of it is part of the first load.
 * @param before key presses and other actions that were kept until now, to be carried out
 */
export function startBackgroundServices(app: App, before: readonly Meanwhile[]): void {
  const keyboard = new Keyboard(app);
  for (const done of before) {
    if (typeof done === "function") done();
    else keyboard.press(done);
  }
  addEventListener("keydown", (event) => keyboard.press(event));
  keepFocus(app);
  startAlerts(app);
  startAppBadge(app);
  void startPushes(app);
  startStorageCare(app);
  startViewCounts(app);
  followMoves(app);
  void whenIdle().then(() => sayEndingSignIn(app));
  void whenIdle().then(() => tellUndoneImport(app));
  new Away(app).start();
  followLanguage(app, () => void startSync(app));
  void whenIdle().then(() => void hostRead(app));
}

/**
 * Keeps pushes registered. It is a file of its own: workers use some of its modules too, and must not be led to this one.
 */
async function startPushes(app: App): Promise<void> {
  // If it can't be loaded, the registrations stand as they are until the next start.
  const part = await import("./alerts/push.svelte").catch(() => undefined);
  part?.pushesOf(app);
  await startSync(app);
}

/** Keeps background sync as it should be, and its strings in the language that is spoken. */
async function startSync(app: App): Promise<void> {
  const part = await import("./alerts/background-sync").catch(() => undefined);
  await part?.startBackgroundSync(app);
}
