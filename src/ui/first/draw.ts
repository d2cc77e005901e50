import { scopes as S } from "virtual:scopes";
import { readFirst } from "../../client";
import { feedItems } from "../feed/feed-items";
import type { Origin } from "../message/origin";
import { kept } from "../state/device-storage";
import { day, formatFor, moment, words } from "../words";
import { element } from "./element";
import { row } from "./row";
import { languageOf } from "../words/language";


export async function draw(): Promise<void> {
  const nowMs = Date.now();
  const { language, locale } = languageOf("en", navigator.languages);
  const reading = readFirst(({ subscriptions, settings, views }) =>
    subscriptions.length > 0 && views.length === 0 && languageOf(settings.language, navigator.languages).language === language && /^(?:#\/?)?$/.test(location.hash)
      ? {}
      : undefined,
  );
  formatFor(locale);
  moment(nowMs, nowMs);
  const read = await reading;
  if (!read || read.rows.length === 0) return;
  const { settings, subscriptions, servers, rows, isAll } = read;
  document.documentElement.lang = language;
  const root = document.documentElement;
  root.dataset["theme"] = settings.theme;
  root.dataset["density"] = settings.density;
  const minuteMs = Math.floor(nowMs / 60_000) * 60_000;
  const origins = new Map<number, Origin>();
  for (const { subId, serverId, topic, displayName: name, colour } of subscriptions) {
    const server = servers.find((one) => one.serverId === serverId);
    if (server) origins.set(subId, { address: server.address, topic, name, colour, allowsRemote: false });
  }
  const items = feedItems(rows, [], { newer: false, older: !isAll });
  const feed = element("div", "", { role: "feed", "aria-label": words.feed.label, "aria-busy": "false" });
  let drawn = 0;
  const more = (most: number) => { const to = drawn + most; for (; drawn < Math.min(to, items.length); drawn++) {
    const item = items[drawn]!;
    const slot = element("div", `item ${S.VirtualList}`);
    if (item.kind === "day") slot.append(element("div", `day ${S.DayLine}`, {}, day(item.at, minuteMs)));
    else if (item.kind === "row") {
      const origin = origins.get(item.row.subId);
      if (!origin) continue;
      slot.append(row(item.row, origin, { position: item.position + 1, setSize: isAll ? rows.length : -1, namesTopic: true, minuteMs }));
    }
    feed.append(slot);
  } };
  more(7);
  const shape = matchMedia("(width <= 640px)").matches ? "phone" : matchMedia("(width > 1100px)").matches ? "wide" : "middle";
  const header = element("header", S.FeedHeader, {}, element("div", `words ${S.FeedHeader}`, {}, element("h1", S.FeedHeader, {}, words.shell.everything), element("p", `soon ${S.FeedHeader}`)));
  const main = element("main", S.FeedPage, { id: "main", tabindex: "-1" }, header, shape !== "phone" && element("div", `box ${S.FeedPage}`),
    element("div", `feed ${S.FeedPage}`, {}, element("div", `feed ${S.Feed}`, {}, element("div", `scroller ${S.VirtualList}`, {}, feed, element("p", `end ${S.Feed}`)))));
  const frame = element("div", `frame ${shape}${kept("earshot-rail") === "narrow" ? " narrow" : ""} ${S.App}`, {},
    shape !== "phone" && element("div", `rail-comes ${S.App}`),
    element("div", `column ${S.App}`, {}, element("div", `page ${S.FeedPage}`, {}, main)),
    shape === "phone" && element("div", `bar-comes ${S.App}`));
  const target = document.querySelector("#app");
  if (!target || target.hasChildNodes()) return;
  target.append(element("a", `skip unseen ${S.App}`, { href: "#main" }, words.shell.skip), frame);
  const scroller = feed.parentElement!;
  while (drawn < items.length && scroller.scrollHeight <= scroller.clientHeight) more(2);
  await new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}
