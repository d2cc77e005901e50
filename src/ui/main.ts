import "./styles/tokens.css";
import "./styles/base.css";
import { connect } from "../client";
import { mountApp } from "./mount";
import { firstScreen } from "./prerender/first-screen";
import { sayNoStart } from "./prerender/say-no-start";
import { loadBackgroundServices } from "./load-background-services";
import { firstRows } from "./state/first-rows";
import { appStrings } from "./strings";

/** The first rows need no hub; but where they are long in coming, it is not to wait for them, ms. */
const MOST_HELD_BACK_MS = 1_000;

function hubMayStart(): Promise<void> {
  return Promise.race([firstRows, new Promise<void>((resolve) => setTimeout(resolve, MOST_HELD_BACK_MS))]);
}

/** No wait at the top level: parts that load later, such as a language, build on this module and would wait for its end. */
async function start(target: Element): Promise<void> {
  try {
    const app = await mountApp(target, await connect(hubMayStart()));
    void loadBackgroundServices(app);
    await app.updates.start();
  } catch (error) {
    // Nothing is mounted yet that could say it.
    if (firstScreen() || !target.hasChildNodes()) sayNoStart(error, appStrings.common);
    throw error;
  }
}

const target = document.querySelector("#app");
if (!target) throw new Error("index.html has no #app");
void start(target);
