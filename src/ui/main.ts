import { connect, type Client } from "../client";
import { mountApp } from "./mount";
import { firstScreen } from "./prerender/first-screen";
import { sayNoStart } from "./prerender/say-no-start";
import { loadBackgroundServices } from "./load-background-services";
import { startInstallOffer } from "./state/install.svelte";
import { hubMayStart } from "./state/hub-start";
import { appStrings } from "./strings";

/**
 * Not a top-level `await`: parts that load later, such as a language, import this module and would wait for it to end.
 */
async function start(target: Element): Promise<void> {
  // The browser makes its offer when it likes.
  startInstallOffer();
  try {
    const connected: Promise<Client> = connect(hubMayStart(), () => {
      void import("./say-blocked").then(({ sayBlocked }) => sayBlocked(connected));
    });
    const app = await mountApp(target, await connected);
    void loadBackgroundServices(app);
    await app.updates.start(() => app.catalogue.subscriptions.length > 0);
  } catch (error) {
    // Nothing is mounted yet that could show the error.
    if (firstScreen() || !target.hasChildNodes()) sayNoStart(error, appStrings.common);
    throw error;
  }
}

const target = document.querySelector("#app");
if (!target) throw new Error("index.html has no #app");
void start(target);
