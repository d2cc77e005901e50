import { doneMeanwhile } from "./first-screen";
import { pageParsed, snapshotStrings } from "./show-snapshot";
import { startAnew } from "../state/start-anew";

/** Without a snapshot there are no texts in the user's language, and the English ones are not loaded yet. */
const START = { noStart: "Earshot could not start.", tryAgain: "Try again" };

/** Says, above the snapshot if any, that the app could not be started. @param strings default: the snapshot's */
export async function sayNoStart(error: unknown, strings: typeof START = snapshotStrings() ?? START): Promise<never> {
  await pageParsed(document);
  doneMeanwhile();
  const again = document.createElement("button");
  again.type = "button";
  again.textContent = strings.tryAgain;
  again.addEventListener("click", () => {
    again.disabled = true;
    void startAnew().finally(() => (again.disabled = false));
  });
  const strip = document.createElement("p");
  strip.role = "alert";
  strip.append(`${strings.noStart} ${String(error)} `, again);
  strip.style.padding = "12px 16px";
  (document.querySelector("main") ?? document.querySelector("#app"))?.prepend(strip);
  throw error;
}
