import type { CountQuery } from "../../client";
import type { FilterTerm } from "../../contract";
import { MatchCount } from "../feed/match-count.svelte";
import type { App } from "../state/app.svelte";
import type { ViewCounts } from "../state/catalogue.svelte";
import { routeOf } from "../state/route";
import { coveredBy, isFeed, feedQueryOf, type FeedQuery } from "../state/view";

const UNREAD: FilterTerm = { kind: "is", what: "unread", not: false };

/** Resolves once the page is visible: a hidden page needs no counts. */
function untilSeen(): Promise<void> {
  if (document.visibilityState === "visible") return Promise.resolve();
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState !== "visible") return;
      document.removeEventListener("visibilitychange", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
  });
}

/** A filter whose matches change as time passes. */
function movesWithTime({ filter }: FeedQuery): boolean {
  return filter.terms.some((term) => "written" in term && !/^\d{4}-/.test(term.written));
}

/** Counts what is unread in one saved view. */
class ViewCount {
  #count = $state.raw<MatchCount>();
  #hasUnread: () => boolean;

  constructor(app: App, link: string) {
    const { view, filter } = routeOf(link, app.home);
    const topics = $derived(
      isFeed(view) ? coveredBy({ view, filter }, app.catalogue.servers, app.catalogue.tables.subscriptions) : [],
    );
    // As text, which stays equal while only the counters of the topics change.
    const subIds = $derived(topics.map(({ subId }) => subId).join());
    const hasUnread = $derived(topics.some(({ unread }) => unread > 0));
    this.#hasUnread = () => hasUnread;
    $effect(() => {
      if (!isFeed(view) || !hasUnread) return;
      const ids = subIds.split(",").filter(Boolean).map(Number);
      const scope = feedQueryOf(view, { terms: [...filter.terms, UNREAD] }, ids);
      const read = async (query: CountQuery) => {
        await untilSeen();
        return (await app.read((reader) => reader.count(query)))?.value;
      };
      const count = new MatchCount(read, scope);
      const stopListening = app.client.listen((event) => count.apply(event));
      this.#count = count;
      $effect(() => {
        void app.clock.minuteMs;
        if (movesWithTime(scope)) count.recount();
      });
      return () => {
        stopListening();
        count.stop();
      };
    });
  }

  get unread(): number {
    return this.#hasUnread() ? (this.#count?.found ?? 0) : 0;
  }
}

/** Counts what is unread in all saved views, from now on. */
export function startViewCounts(app: App): void {
  $effect.root(() => {
    // As text, which stays equal when the table is read again and the views are the same.
    const links = $derived(JSON.stringify(app.catalogue.views.map(({ viewId, link }) => [viewId, link])));
    $effect(() => {
      const counts = new Map(
        (JSON.parse(links) as [number, string][]).map(([viewId, link]) => [viewId, new ViewCount(app, link)]),
      );
      const shown: ViewCounts = { unreadOf: (viewId) => counts.get(viewId)?.unread ?? 0 };
      app.catalogue.setViewCounts(shown);
    });
  });
}
