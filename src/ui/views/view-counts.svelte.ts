import type { FilterTerm } from "../../contract";
import { countMatches, type MatchCount } from "../feed/filter/match-count.svelte";
import type { App } from "../state/app.svelte";
import { routeOf } from "../state/navigation/route";
import { coveredBy, isFeed, feedQueryOf } from "../state/navigation/view";

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
      this.#count = countMatches(app, scope, untilSeen);
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
      app.catalogue.unreadOfView = (viewId) => counts.get(viewId)?.unread ?? 0;
    });
  });
}
