import { scopes as S } from "virtual:scopes";
import type { FirstTables, StoredMessage } from "../../client";
import { feedItems, joinGaps, type FeedItem } from "../feed/feed-items";
import { positionOf, rowKey } from "../feed/feed-window";
import type { FeedPlace } from "../feed/place";
import type { Origin } from "../message/origin";
import { kept } from "../state/device-storage";
import { dayBy } from "../words/dates";
import { element } from "./element";
import type { FirstFeed } from "./which-feed";
import { writeAsNoted } from "./noted-dates";
import { drawRow, foldLong, isDrawable } from "./row";
import type { Said } from "./said";

/** Rows of a feed's first page, which the app reads: where there are no more, their number is known. */
const FIRST_PAGE = 30;

/** So many are drawn before it is asked how far down they reach. */
const AT_ONCE = 7;

/** Rows and lines are no lower, px, so that as many as fill the screen are drawn at once and laid out with the frame alone. */
const LOW_PX = { row: 64, rowWithTopic: 92, line: 34, heading: 64 };

/** Scrolling that has moved nothing for so long, ms, is over. */
const SETTLED_MS = 100;

/** Rows give out by then, and the app is not to wait longer, ms. */
const LONGEST_FLING_MS = 2_000;

const MINUTE_MS = 60_000;

/** What was read of a feed. */
interface Read extends FirstTables {
  feed: FirstFeed;
  rows: readonly StoredMessage[];
  isAll: boolean;
}

/** The rows of a feed, drawn as far down as one looks. */
export class FeedRows {
  readonly scroller: HTMLElement;
  readonly #list: HTMLElement;
  readonly #slots: { element: HTMLElement; row: StoredMessage }[] = [];
  #drawn = 0;
  #movedAtMs = -Infinity;

  private constructor(
    private readonly items: readonly FeedItem[],
    private readonly draw: (item: FeedItem) => HTMLElement | undefined,
    private readonly said: Said,
    private readonly namesTopic: boolean,
    end: string | undefined,
  ) {
    this.#list = element("div", "", { role: "feed", "aria-label": said.feed, "aria-busy": "false" });
    this.scroller = element("div", `scroller ${S.VirtualList}`, {}, this.#list, element("p", `end ${S.Feed}`, {}, end));
    this.scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.scroller.addEventListener("touchmove", () => (this.#movedAtMs = performance.now()), { passive: true });
  }

  /** Undefined where one of them is not drawn here. */
  static of(
    { feed, rows, isAll, gaps, servers, subscriptions }: Read,
    said: Said,
    nowMs: number,
  ): FeedRows | undefined {
    const one = feed.subscription;
    const origins = new Map<number, Origin>();
    for (const { subId, serverId, topic, displayName: name, colour } of subscriptions) {
      const server = servers.find((other) => other.serverId === serverId);
      // Nothing is loaded here that a topic may be allowed to load.
      if (server) origins.set(subId, { address: server.address, topic, name, colour, allowsRemote: false });
    }
    const unfolded = new Set(kept("earshot-unfolded")?.split("\n"));
    if (rows.some((row) => !origins.has(row.subId) || !isDrawable(row, unfolded))) return undefined;
    const isWhole = isAll && rows.length <= FIRST_PAGE;
    const shownGaps = joinGaps(one ? gaps.filter(({ subId }) => subId === one.subId) : gaps);
    const items = feedItems(rows, shownGaps, { newer: false, older: !isWhole });
    const write = writeAsNoted(said.dates);
    const minuteMs = minuteOf(nowMs);
    const place = { setSize: isWhole ? rows.length : -1, namesTopic: !one, minuteMs, said, write };
    const draw = (item: FeedItem): HTMLElement | undefined => {
      if (item.kind === "day") {
        return element("div", `day ${S.DayLine}`, {}, dayBy(write, said.days, item.at, minuteMs));
      }
      const origin = item.kind === "row" ? origins.get(item.row.subId) : undefined;
      // The line of a gap comes behind the first frame.
      return item.kind === "row" && origin
        ? drawRow(item.row, origin, { ...place, position: item.position + 1 })
        : undefined;
    };
    return new FeedRows(items, draw, said, !one, isWhole ? said.end : undefined);
  }

  /** Draws as many as fill a page of this height, px: before they are in it, so that nothing is laid out for them alone. */
  begin(heightPx: number): void {
    let left = heightPx - LOW_PX.heading;
    const row = this.namesTopic ? LOW_PX.rowWithTopic : LOW_PX.row;
    const end = this.items.findIndex(({ kind }) => (left -= kind === "row" ? row : LOW_PX.line) < 0);
    this.#drawMore(end < 0 ? this.items.length : end + 1);
  }

  /** Folds the texts that are too long for the screen's width. In the page alone. */
  foldLong(): void {
    foldLong(this.#list, this.said);
  }

  /** Draws what is missing of the screen, and another screen below it, so that one can scroll. In the page alone. */
  fill(): void {
    const { scroller } = this;
    while (this.#drawn < this.items.length && scroller.scrollHeight < scroller.scrollTop + 2 * scroller.clientHeight) {
      this.#drawMore(AT_ONCE);
      this.foldLong();
    }
  }

  #scrolled(): void {
    this.#movedAtMs = performance.now();
    this.fill();
  }

  /** Resolves once nobody scrolls: whatever takes the place of these rows would stop a fling. Not for ever. */
  async still(): Promise<void> {
    const endMs = performance.now() + LONGEST_FLING_MS;
    for (let nowMs = endMs - LONGEST_FLING_MS; nowMs < endMs; nowMs = performance.now()) {
      const leftMs = this.#movedAtMs + SETTLED_MS - nowMs;
      if (leftMs <= 0) return;
      await new Promise((resolve) => setTimeout(resolve, leftMs));
    }
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

  /** Where it stands: at the first message on the screen; undefined at the top. */
  get place(): FeedPlace | undefined {
    if (this.scroller.scrollTop <= 0) return undefined;
    const { top } = this.scroller.getBoundingClientRect();
    for (const { element, row } of this.#slots) {
      const box = element.getBoundingClientRect();
      if (box.bottom > top) return { ...positionOf("feed", row), key: rowKey(row), offset: box.top - top };
    }
    return undefined;
  }
}

const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS) * MINUTE_MS;
