// The page's first, small script: it shows the snapshot of the last visit, if nothing has changed since, and starts the
// app after that frame. The app's own script is ten times as long.
import "./styles/tokens.css";
import "./styles/base.css";
import { showSnapshot } from "./snapshot/show-snapshot";
import { sayNoStart } from "./snapshot/say-no-start";
import { keptHost } from "./state/device-storage";

async function startApp(): Promise<void> {
  const app = import("./main");
  // The first formatter of a page waits 15 ms for the browser's data on languages. Here only the app's file is waited for.
  void (0).toLocaleString();
  await app;
}

/** How long, ms, files and database may take before the page says that it waits. Even a slow line is faster. */
const SAID_AFTER_MS = 15_000;

/**
 * Says that the app is still starting. A database answers no page while another writes, and WebKit stops a shared
 * worker with its last page, even during a write.
 */
function sayWaiting(): void {
  const app = document.querySelector("#app");
  const waiting = document.querySelector<HTMLElement>("#waiting");
  if (!app || !waiting || app.hasChildNodes()) return;
  waiting.hidden = false;
  waiting.onclick = () => location.reload();
  new MutationObserver(() => (waiting.hidden = true)).observe(app, { childList: true });
}

setTimeout(sayWaiting, SAID_AFTER_MS);
for (const [name, value] of Object.entries(keptHost().style ?? {})) {
  document.documentElement.style.setProperty(name, value);
}
// If the snapshot can't be shown, the app draws by itself.
void showSnapshot().catch(reportError).then(startApp).catch(sayNoStart);
