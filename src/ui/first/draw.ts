import { scopes as S } from "virtual:scopes";
import { readFirst, type StoredMessage } from "../../client";
import { feedItems } from "../feed/feed-items";
import type { Origin } from "../message/origin";
import { kept } from "../state/device-storage";
import { day, formatFor, moment, words } from "../words";
import { element } from "./element";
import { row } from "./row";
import { languageOf } from "../words/language-of";


export async function draw(startApp: () => void): Promise<void> {
  const T: number[] = [performance.now()];
  const nowMs = Date.now();
  const { language, locale } = languageOf("en", navigator.languages);
  const reading = readFirst(() => { T.push(performance.now()); if ((globalThis as any).WARM) warm(nowMs); }, ({ subscriptions, settings, views }) =>
    subscriptions.length > 0 && views.length === 0 && languageOf(settings.language, navigator.languages).language === language && /^(?:#\/?)?$/.test(location.hash)
      ? {}
      : undefined,
  );
  formatFor(locale);
  moment(nowMs, nowMs);
  T.push(performance.now());
  const read = await reading;
  T.push(performance.now());
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
  const frame = frameAround(feed);
  const target = document.querySelector("#app");
  if (!target || target.hasChildNodes()) return;
  target.append(element("a", `skip unseen ${S.App}`, { href: "#main" }, words.shell.skip), frame);
  T.push(performance.now());
  const scroller = feed.parentElement!;
  while (drawn < items.length && scroller.scrollHeight <= scroller.clientHeight) more(2);
  T.push(performance.now());
  await new Promise<void>((resolve) => requestAnimationFrame(() => { T.push(performance.now()); setTimeout(resolve); }));
  T.push(performance.now()); console.debug("T eval,warmed,opened,read,drawn,laid,raf,painted " + T.map((x) => x.toFixed(0)).join(" ") + " " + performance.getEntriesByType("resource").map(r=>r.name.split("/").pop()!.slice(0,6)+" "+r.startTime.toFixed(0)+"-"+(r as PerformanceResourceTiming).responseEnd.toFixed(0)).join(", "));
}

function frameAround(feed: HTMLElement): HTMLElement {
  const shape = matchMedia("(width <= 640px)").matches ? "phone" : matchMedia("(width > 1100px)").matches ? "wide" : "middle";
  const header = element("header", S.FeedHeader, {}, element("div", `words ${S.FeedHeader}`, {}, element("h1", S.FeedHeader, {}, words.shell.everything), element("p", `soon ${S.FeedHeader}`)));
  const main = element("main", S.FeedPage, { id: "main", tabindex: "-1" }, header, shape !== "phone" && element("div", `box ${S.FeedPage}`),
    element("div", `feed ${S.FeedPage}`, {}, element("div", `feed ${S.Feed}`, {}, element("div", `scroller ${S.VirtualList}`, {}, feed, element("p", `end ${S.Feed}`)))));
  return element("div", `frame ${shape}${kept("earshot-rail") === "narrow" ? " narrow" : ""} ${S.App}`, {},
    shape !== "phone" && element("div", `rail-comes ${S.App}`),
    element("div", `column ${S.App}`, {}, element("div", `page ${S.FeedPage}`, {}, main)),
    shape === "phone" && element("div", `bar-comes ${S.App}`));
}

function warm(nowMs: number): void {
  const target = document.querySelector("#app");
  const style = document.querySelector<HTMLLinkElement>('link[rel="stylesheet"]');
  if (!target || !style?.sheet) return;
  const sample = { subId: 0, id: "", time: 0, arrival: 0, via: "poll", receivedAtMs: 0, event: { id: "", time: 0, event: "message", topic: "t", title: "Sample", message: "Its text", priority: 4 } } as unknown as StoredMessage;
  const place = { position: 0, setSize: -1, namesTopic: true, minuteMs: nowMs };
  const origin = { address: "https://a" as Origin["address"], topic: "t", allowsRemote: false };
  const feed = element("div", "", { role: "feed" }, element("div", `day ${S.DayLine}`, {}, "Today"), row(sample, origin, place), row({ ...sample, readAtMs: 1 }, origin, place));
  const frame = frameAround(feed);
  target.append(frame);
  void frame.offsetHeight;
  frame.remove();
}
