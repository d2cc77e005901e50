import { startAlerts, startAppBadge } from "./alerts/alerts.svelte";
import { startBackgroundSync } from "./alerts/background-sync";
import { pushesOf } from "./alerts/push.svelte";
import { Away } from "./away/away";
import { Keyboard } from "./commands/keyboard";
import { followLanguage } from "./shell/follow-language.svelte";
import { keepFocus } from "./state/navigation/keep-focus";
import { doneMeanwhile } from "./snapshot/first-screen";
import type { App } from "./state/app.svelte";
import { whenIdle } from "./state/after-next-paint";
import { hostRead } from "./state/host";
import { keepSnapshots } from "./snapshot/keep-snapshot";
import { sayEndingSignIn } from "./topics/server/sign-in.svelte";
import { followMoves } from "./topics/server/move-server.svelte";
import { startStorageCare } from "./state/storage-care.svelte";
import { startViewCounts } from "./views/view-counts.svelte";

/** Starts what a page does besides showing messages: keys at once, with what was pressed before; the rest when idle. */
export async function startBackgroundServices(app: App): Promise<void> {
  const keyboard = new Keyboard(app);
  for (const done of doneMeanwhile()) {
    if (typeof done === "function") done();
    else keyboard.press(done);
  }
  addEventListener("keydown", (event) => keyboard.press(event));
  keepFocus(app);
  await whenIdle();
  startAlerts(app);
  startAppBadge(app);
  pushesOf(app);
  void startBackgroundSync(app);
  startStorageCare(app);
  startViewCounts(app);
  followMoves(app);
  new Away(app).start();
  const target = document.querySelector("#app");
  if (target) keepSnapshots(app, target);
  followLanguage(app);
  await whenIdle();
  void sayEndingSignIn(app);
  void hostRead(app);
}
