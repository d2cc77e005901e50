import type { MessageKey } from "../../contract";
import type { App } from "../state/app.svelte";
import { isFeed } from "../state/navigation/view";
import { whenIdle } from "../state/after-next-paint";
import { appStrings } from "../strings";
import { conditionsNow, viewOf } from "./show-snapshot";
import { treeOf } from "./tree";

/** The screen counts as at rest once it hasn't changed for this long, ms. */
const REST_MS = 1_000;

/** How many screens of rows are kept. The second, built after the first frame, is for scrolls before the app came. */
const SCREENS = 2;

/** Keeps a snapshot of the screen whenever the page is at rest, for its next start. */
export function keepSnapshots(app: App, target: Element): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void whenIdle().then(() => keep(app, target)), REST_MS);
  };
  new MutationObserver(wait).observe(target, { subtree: true, childList: true, characterData: true, attributes: true });
  for (const event of ["resize", "visibilitychange"]) addEventListener(event, wait);
  target.addEventListener("scrollend", wait, { capture: true, passive: true });
  wait();
}

function keep(app: App, target: Element): void {
  const scroller = target.querySelector("main .scroller");
  const isAtTop = scroller !== null && scroller.scrollTop <= 0;
  if (!isFeed(app.navigation.view) || !isAtTop) return;
  if (app.dialogs.current) return;
  const below = [...target.querySelectorAll("main [role=feed] > .item")]
    .filter((item) => item.getBoundingClientRect().top >= innerHeight)
    .map((item) => treeOf(item, SCREENS * innerHeight));
  const trees = [treeOf(target, innerHeight), ["div", {}, {}, ...below.filter((tree) => tree !== undefined)]];
  const shown = [...target.querySelectorAll("main article[id]")].map(({ id }): MessageKey => {
    const [subId, time, ...key] = id.slice("row ".length).split("/");
    return [Number(subId), Number(time), key.join("/")];
  });
  const { lang, dir, dataset, style } = document.documentElement;
  const { theme = "", density = "" } = dataset;
  const { noStart, tryAgain } = appStrings.common;
  const snapshot = {
    view: viewOf(location.hash),
    conditions: conditionsNow(),
    height: innerHeight,
    root: { lang, dir, theme, density, fontSize: style.fontSize, noStart, tryAgain },
    tree: JSON.stringify(trees),
  };
  // If it can't be kept, the next start draws without it.
  void app.client.send("keepSnapshot", { snapshot, shown });
}
