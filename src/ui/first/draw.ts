import { scopes as S } from "virtual:scopes";
import { openReader } from "../../client";
import { feedItems } from "../feed/feed-items";
import type { Origin } from "../message/origin";
import { kept } from "../state/device-storage";
import { day, speakLanguage, words } from "../words";
import { element } from "./element";
import { row } from "./row";
import { languageOf } from "../words/language";

const ROWS = 30;

export async function draw(target: Element): Promise<void> {
  const topics = /^(?:#\/?)?$/.test(location.hash) ? [] : undefined;
  if (!topics) return;
  const nowMs = Date.now();
  const opened = await openReader({ asItIs: true });
  if (!opened.ok) return;
  const { reader, close } = opened.value;
  const [tables, page] = await Promise.all([
    reader.catalogue(),
    reader.page({ list: "feed", filter: { terms: [] }, direction: "older", count: ROWS, nowMs }),
  ]);
  close();
  const { settings, subscriptions, servers, views, gaps } = tables;
  if (languageOf(settings.language, navigator.languages).language !== "en") return;
  if (subscriptions.length === 0 || page.rows.length === 0 || gaps.length > 0 || views.length > 0) return;
  document.documentElement.lang = await speakLanguage(settings.language, navigator.languages);
  const root = document.documentElement;
  root.dataset["theme"] = settings.theme;
  root.dataset["density"] = settings.density;
  const minuteMs = Math.floor(nowMs / 60_000) * 60_000;
  const origins = new Map<number, Origin>();
  for (const { subId, serverId, topic, displayName: name, colour } of subscriptions) {
    const server = servers.find((one) => one.serverId === serverId);
    if (server) origins.set(subId, { address: server.address, topic, name, colour, allowsRemote: false });
  }
  const items = feedItems(page.rows, [], { newer: false, older: page.next !== undefined });
  const feed = element("div", "", { role: "feed", "aria-label": words.feed.label, "aria-busy": "false" });
  let height = 0;
  for (const item of items) {
    if (height > innerHeight) break;
    const slot = element("div", `item ${S.VirtualList}`);
    if (item.kind === "day") slot.append(element("div", `day ${S.DayLine}`, {}, day(item.at, minuteMs)));
    else if (item.kind === "row") {
      const origin = origins.get(item.row.subId);
      if (!origin) continue;
      height += 90;
      slot.append(row(item.row, origin, { position: item.position + 1, setSize: page.next ? -1 : page.rows.length, namesTopic: true, minuteMs }));
    }
    feed.append(slot);
  }
  const shape = matchMedia("(width <= 640px)").matches ? "phone" : matchMedia("(width > 1100px)").matches ? "wide" : "middle";
  const header = element("header", S.FeedHeader, {}, element("div", `words ${S.FeedHeader}`, {}, element("h1", S.FeedHeader, {}, words.shell.everything), element("p", `soon ${S.FeedHeader}`)));
  const main = element("main", S.FeedPage, { id: "main", tabindex: "-1" }, header, shape !== "phone" && element("div", `box ${S.FeedPage}`),
    element("div", `feed ${S.FeedPage}`, {}, element("div", `feed ${S.Feed}`, {}, element("div", `scroller ${S.VirtualList}`, {}, feed, element("p", `end ${S.Feed}`)))));
  const frame = element("div", `frame ${shape}${kept("earshot-rail") === "narrow" ? " narrow" : ""} ${S.App}`, {},
    shape !== "phone" && element("div", `rail-comes ${S.App}`),
    element("div", `column ${S.App}`, {}, element("div", `page ${S.FeedPage}`, {}, main)),
    shape === "phone" && element("div", `bar-comes ${S.App}`));
  if (target.hasChildNodes()) return;
  target.append(element("a", `skip unseen ${S.App}`, { href: "#main" }, words.shell.skip), frame);
  await new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}
