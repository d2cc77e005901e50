import { connect } from "../client";
import { mountApp } from "./mount";
import { firstScreen } from "./snapshot/first-screen";
import { pageParsed, pageStyled } from "./snapshot/show-snapshot";
import { sayNoStart } from "./snapshot/say-no-start";
import { startBackgroundServices } from "./background-services";
import { startInstallOffer } from "./state/install.svelte";
import { firstRows, within } from "./state/after-next-paint";
import { appStrings } from "./strings";

/** The hub starts after the first rows, which don't need it, or at the latest after this, ms. */
const MAX_HELD_BACK_MS = 1_000;

/** Not a top-level `await`: what loads later, such as a language, imports this module and would wait for its end. */
async function start(): Promise<void> {
  // It may be here before the screen of first visits.
  await pageParsed(document);
  await pageStyled(document);
  const target = document.querySelector<HTMLElement>("#app");
  if (!target) throw new Error("index.html has no #app");
  // The browser makes its offer when it likes.
  startInstallOffer();
  try {
    const app = await mountApp(target, await connect(within(firstRows, MAX_HELD_BACK_MS)));
    void startBackgroundServices(app);
    await app.updates.start();
  } catch (error) {
    // Nothing is mounted yet that could show the error.
    if (firstScreen() || !target.hasChildNodes()) await sayNoStart(error, appStrings.common);
    throw error;
  }
}

void start();
