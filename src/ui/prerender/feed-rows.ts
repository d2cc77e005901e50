import { type StoredMessage, rowKey } from "../../contract";
import { scopes as S } from "./first-rows.scopes";
import type { FirstTables, Settings } from "../../client";
import { feedItems, joinGaps, type FeedItem } from "../feed/feed-items";
import type { FeedPlace } from "../state/scroll-anchor";
import { EXPANDED } from "../message/collapse";
import type { Origin } from "../message/origin";
import { kept } from "../state/device-storage";
import { serverName, sharedNames, topicName } from "../state/names";
import { dayBy } from "../strings/dates";
import { element } from "./element";
import { writeAsNoted } from "./noted-dates";
import { drawRow, isDrawable, shorten } from "./row";
import type { CachedStrings } from "./cached-strings";
import { Stillness } from "./stillness";
import type { FirstFeed } from "./which-feed";

/** Rows of a feed's first page, as the app reads it. If there are no more rows, the total is known. */
const FIRST_PAGE = 30;

/** How many rows are drawn before their height is measured. */
const AT_ONCE = 7;

/**
 * Least height of a row, px, without and with a topic: decides how many rows to draw at once so that they fill the
 * screen.
 */
const LOW_PX: Record<Settings["density"], readonly [number, number]> = { comfortable: [74, 104], compact: [28, 28] };

const MINUTE_MS = 60_000;

/** What was read of a feed. */
interface Read extends FirstTables {
  feed: FirstFeed;
  rows: readonly StoredMessage[];
  isAll: boolean;
}

/** The rows of a feed, drawn as far down as the user has scrolled. */
export class FeedRows {
  readonly scroller: HTMLElement;
  readonly #list: HTMLElement;
  readonly #slots: { element: HTMLElement; row: StoredMessage }[] = [];
  readonly #left = new AbortController();
  #drawn = 0;
  readonly #stillness = new Stillness(
    () => performance.now(),
    (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  );

  private constructor(
    private readonly items: readonly FeedItem[],
    private readonly draw: (item: FeedItem) => HTMLElement | undefined,
    private readonly said: CachedStrings,
    private readonly lowPx: number,
    end: string | undefined,
  ) {
    this.#list = element("div", "", { role: "feed", "aria-label": said.feed, "aria-busy": "false" });
    this.scroller = element("div", `scroller ${S.VirtualList}`, {}, this.#list, element("p", `end ${S.Feed}`, {}, end));
    const options = { passive: true, signal: this.#left.signal };
    const { scroller } = this;
    scroller.addEventListener("scroll", () => this.#scrolled(), options);
    scroller.addEventListener("touchmove", () => this.#stillness.moved(), options);
    for (const down of ["pointerdown", "touchstart"]) {
      scroller.addEventListener(down, () => this.#stillness.press(true), options);
    }
    for (const up of ["pointerup", "touchend", "touchcancel"]) {
      addEventListener(up, () => this.#stillness.press(false), options);
    }
  }

  /** Undefined if the prerender can't draw one of them. */
  static of(
    { feed, rows, isAll, gaps, servers, subscriptions, settings }: Read,
    said: CachedStrings,
    nowMs: number,
  ): FeedRows | undefined {
    const one = feed.subscription;
    const origins = new Map<number, Origin>();
    const shared = sharedNames(subscriptions);
    for (const subscription of subscriptions) {
      const { subId, serverId, topic, displayName: name, colour } = subscription;
      const server = servers.find((other) => other.serverId === serverId);
      if (!server) continue;
      const named = shared.has(topicName(subscription)) ? serverName(server) : undefined;
      // Nothing is loaded here.
      origins.set(subId, { address: server.address, topic, name, colour, serverName: named, unasked: "nothing" });
    }
    const expanded = new Set(kept(EXPANDED)?.split("\n"));
    // No more than the app reads at first, as it could not restore a position further down.
    const page = rows.slice(0, FIRST_PAGE);
    if (page.some((row) => !origins.has(row.subId) || !isDrawable(row, expanded))) return undefined;
    const shownGaps = joinGaps(one ? gaps.filter(({ subId }) => subId === one.subId) : gaps);
    const letters = page.map(lettersOf);
    const repeated = letters.findIndex((own, at) => own === letters[at + 1] && own === letters[at + 2]);
    // The app may fold what stands below the first of three that may repeat each other.
    const drawn = page.slice(0, repeated + 1 || FIRST_PAGE);
    const isWhole = isAll && rows.length === drawn.length;
    const items = feedItems(drawn, shownGaps, { newer: false, older: !isWhole });
    const write = writeAsNoted(said.dates);
    const minuteMs = minuteOf(nowMs);
    const place = {
      setSize: isWhole ? rows.length : -1,
      namesTopic: !one,
      compact: settings.density === "compact",
      said,
      write,
    };
    const draw = (item: FeedItem): HTMLElement | undefined => {
      if (item.kind === "day") {
        return element("div", `day ${S.DayLine}`, {}, dayBy(write, said.days, item.at, minuteMs));
      }
      const origin = item.kind === "row" ? origins.get(item.row.subId) : undefined;
      // Gap lines are drawn after the first frame.
      return item.kind === "row" && origin
        ? drawRow(item.row, origin, { ...place, position: item.position + 1 })
        : undefined;
    };
    return new FeedRows(items, draw, said, LOW_PX[settings.density][one ? 0 : 1], isWhole ? said.end : undefined);
  }

  /**
   * Draws as many as fill a page of this height, px: the header above them makes up for a day's line, which is lower than
   * a row. Call it before they are in the page, to save a layout.
   */
  begin(heightPx: number): void {
    this.#drawMore(Math.ceil(heightPx / this.lowPx));
  }

  /** Shortens the texts that are too long for the screen's width. Call it once they are in the page. */
  shorten(): void {
    shorten(this.#list, this.said);
  }

  /** Fills the rest of the screen, and one screen below it for scrolling. Call it once they are in the page. */
  fill(): void {
    const { scroller } = this;
    while (this.#drawn < this.items.length && scroller.scrollHeight < scroller.scrollTop + 2 * scroller.clientHeight) {
      this.#drawMore(AT_ONCE);
      this.shorten();
    }
  }

  #scrolled(): void {
    this.#stillness.moved();
    this.fill();
  }

  /** Resolves once the user neither scrolls nor presses. */
  still(): Promise<void> {
    return this.#stillness.still();
  }

  /** Removes the listeners. */
  leave(): void {
    this.#left.abort();
  }

  #drawMore(count: number): void {
    for (const item of this.items.slice(this.#drawn, this.#drawn + count)) {
      const drawn = this.draw(item);
      const slot = element("div", `item ${S.VirtualList}`, {}, drawn);
      if (item.kind === "row") this.#slots.push({ element: slot, row: item.row });
      this.#list.append(slot);
    }
    this.#drawn += count;
  }

  /** The scroll position, given by the first message on screen; undefined at the top. */
  get place(): FeedPlace | undefined {
    if (this.scroller.scrollTop <= 0) return undefined;
    const { top } = this.scroller.getBoundingClientRect();
    for (const { element, row } of this.#slots) {
      const box = element.getBoundingClientRect();
      if (box.bottom > top) return { time: row.time, arrival: row.arrival, key: rowKey(row), offset: box.top - top };
    }
    return undefined;
  }
}

/**
 * Keeps only letters that no number, time or id holds, so that messages that repeat each other (`repeatKey`) give the
 * same text.
 */
export function lettersOf({ subId, event }: StoredMessage): string {
  return subId + event.message.replace(/[^gjkloqrvy]/g, "");
}

const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS) * MINUTE_MS;
