import { startAlerts } from "./alerts";
import { startAppBadge } from "./alerts/app-badge.svelte";
import { Away } from "./away/away";
import { Keyboard } from "./commands";
import { noteSaid } from "./first/note-said";
import { keepFocus } from "./shell/keep-focus";
import type { App } from "./state/app.svelte";
import { atRest } from "./state/at-rest";
import { startStorageCare } from "./state/storage-care.svelte";
import { startViewCounts } from "./views/view-counts.svelte";

/**
 * What a page does beside showing messages; none of it is part of the first load.
 * @param pressed keys that were pressed before
 */
export function beside(app: App, pressed: readonly KeyboardEvent[]): void {
  const keyboard = new Keyboard(app);
  for (const event of pressed) keyboard.press(event);
  addEventListener("keydown", (event) => keyboard.press(event));
  keepFocus(app);
  startAlerts(app);
  startAppBadge(app);
  startStorageCare(app);
  startViewCounts(app);
  new Away(app).start();
  void atRest().then(() => noteSaid(app));
}
