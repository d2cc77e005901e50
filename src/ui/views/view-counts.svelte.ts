import type { SubscriptionRecord } from "../../client";
import { countMatches } from "../feed/filter/match-count.svelte";
import type { App } from "../state/app.svelte";
import { routeOf } from "../state/navigation/route";
import { inPlaces } from "../state/navigation/places";
import { sameWhileEqual } from "../state/same-while-equal";
import { covered, type FeedQuery, isFeed, feedQueryOf } from "../state/navigation/view";
import { unreadOf } from "../message/marks";

/** What is unread of some topics in one feed; undefined until it is counted. */
function countUnread(
  app: App,
  topicsNow: () => readonly SubscriptionRecord[],
  scopeOf: (subIds: number[]) => FeedQuery,
): () => number | undefined {
  const topics = $derived(topicsNow());
  const subIds = $derived.by(sameWhileEqual(() => topics.map(({ subId }) => subId)));
  const hasUnread = $derived(topics.some(({ unread }) => unread > 0));
  const found = countMatches(app, () => (hasUnread ? unreadOf(scopeOf(subIds)) : undefined));
  return () => (hasUnread ? found() : 0);
}

function countView(app: App, link: string): () => number | undefined {
  const { view, filter } = routeOf(link, app.navigation.home);
  const { catalogue } = app;
  return countUnread(
    app,
    () => {
      const { servers, tables } = catalogue;
      return isFeed(view) ? inPlaces(filter, servers, covered(view, servers, tables.subscriptions)) : [];
    },
    (subIds) => feedQueryOf(isFeed(view) ? view : { kind: "everything" }, filter, subIds, catalogue.hidden),
  );
}

/** Counts what is unread in all saved views, and in Everything where something is hidden, from now on. */
export function startViewCounts(app: App): void {
  $effect.root(() => {
    const links = $derived.by(sameWhileEqual(() => app.catalogue.views.map(({ viewId, link }) => ({ viewId, link }))));
    app.catalogue.unreadBesideHidden = countUnread(
      app,
      () => app.unmuted.filter(({ hides }) => hides),
      (subIds) => ({ list: "feed", subIds, filter: { terms: [] }, hidden: app.catalogue.hidden }),
    );
    $effect(() => {
      const counts = new Map(links.map(({ viewId, link }) => [viewId, countView(app, link)]));
      app.catalogue.unreadOfView = (viewId) => counts.get(viewId)?.() ?? 0;
    });
  });
}
