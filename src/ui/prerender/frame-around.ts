import type { Shape } from "../state/layout.svelte";
import { scopes as S } from "./first-rows.scopes";
import { element } from "./element";
import type { FeedRows } from "./feed-rows";
import type { CachedStrings } from "./cached-strings";

/** The layout that `Layout` would choose for the page's width. */
export function shapeOf(): Shape {
  if (matchMedia("(width <= 40em)").matches) return "phone";
  return matchMedia("(width > 68.75em)").matches ? "wide" : "middle";
}

/** The markup of the app's first frame, around the rows and with them: App, FeedPage, FeedHeader, Feed. */
export function frameAround(
  title: string,
  { scroller }: FeedRows,
  said: CachedStrings,
  { shape, isNarrow }: { shape: Shape; isNarrow: boolean },
): [HTMLElement, HTMLElement] {
  const isPhone = shape === "phone";
  const heading = element(
    "div",
    `words ${S.FeedHeader}`,
    {},
    element("h1", S.FeedHeader, {}, title),
    element("p", `soon ${S.FeedHeader}`),
  );
  const feed = element("div", `feed ${S.FeedPage}`, {}, element("div", `feed ${S.Feed}`, {}, scroller));
  const main = element(
    "main",
    S.FeedPage,
    { id: "main", tabindex: "-1" },
    element("header", S.FeedHeader, {}, heading),
    !isPhone && element("div", `box ${S.FeedPage}`),
    feed,
  );
  const column = element("div", `column ${S.App}`, {}, element("div", `page ${S.FeedPage}`, {}, main));
  const skip = element("a", `skip unseen ${S.App}`, { href: "#main" }, said.skip);
  const frame = element(
    "div",
    `frame ${shape}${isNarrow ? " narrow" : ""} ${S.App}`,
    {},
    !isPhone && element("div", `rail-comes ${S.App}`),
    column,
    isPhone && element("div", `bar-comes ${S.App}`),
  );
  return [skip, frame];
}
