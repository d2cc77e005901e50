import { start } from "../words/en/start";
import { element } from "./element";
import { noted } from "./said";

/** Says that the app could not be loaded, above the first rows where there are some: they can be read all the same. */
export function sayNoStart(error: unknown): never {
  const { noStart, tryAgain } = noted() ?? start;
  const again = element("button", "", { type: "button" }, tryAgain);
  again.addEventListener("click", () => location.reload());
  const words = `${noStart} ${String(error)} `;
  const strip = element("p", "", { role: "alert" }, words, again);
  strip.style.padding = "12px 16px";
  (document.querySelector("main") ?? document.querySelector("#app"))?.prepend(strip);
  throw error;
}
