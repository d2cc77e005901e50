import { start } from "../strings/en/start";
import { element } from "./element";
import { doneMeanwhile } from "./first-screen";
import { noted } from "./cached-strings";
import { startAnew } from "../state/start-anew";

/**
 * Says that the app could not be started, above the first rows if there are any, which can still be read.
 * @param strings default: the cached strings
 */
export function sayNoStart(error: unknown, strings: typeof start = noted() ?? start): never {
  doneMeanwhile();
  const again = element("button", "", { type: "button" }, strings.tryAgain);
  again.addEventListener("click", () => {
    again.disabled = true;
    void startAnew().finally(() => (again.disabled = false));
  });
  const strip = element("p", "", { role: "alert" }, `${strings.noStart} ${String(error)} `, again);
  strip.style.padding = "12px 16px";
  (document.querySelector("main") ?? document.querySelector("#app"))?.prepend(strip);
  throw error;
}
