import type { ServerAddress } from "../../../protocol";
import type { App } from "../../state/app.svelte";
import type { FeedView, TopicsOfServer, View } from "../../state/navigation/view";

/** The view of the topics shown with one more, or without it. */
export function viewWith(view: View, server: ServerAddress, topic: string): FeedView {
  const shown: readonly TopicsOfServer[] =
    view.kind === "topics" ? [{ server: view.server, topics: view.topics }] : view.kind === "several" ? view.parts : [];
  const at = shown.findIndex((part) => part.server === server);
  const before = shown[at]?.topics ?? [];
  const topics = before.includes(topic) ? before.filter((other) => other !== topic) : [...before, topic];
  const parts = at < 0 ? [...shown, { server, topics }] : shown.with(at, { server, topics });
  const kept = parts.filter((part) => part.topics.length > 0);
  const [first, another] = kept;
  if (!first) return { kind: "everything" };
  return another ? { kind: "several", parts: kept } : { kind: "topics", ...first };
}

/** The same for a topic here; the view itself once that is removed. */
function withTopic(app: App, view: View, subId: number): View {
  const subscription = app.catalogue.subscription(subId);
  const server = subscription && app.catalogue.server(subscription.serverId);
  return server ? viewWith(view, server.address, subscription.topic) : view;
}

/** The view that shows these topics in one feed. */
export function viewOf(app: App, subIds: readonly number[]): View {
  return subIds.reduce<View>((view, subId) => withTopic(app, view, subId), { kind: "everything" });
}

/** Adds a topic to the page's feed or removes it; the filter stays. */
export function pickTopic(app: App, subId: number): void {
  const { view, filter } = app.navigation;
  app.navigation.go(withTopic(app, view, subId), filter);
}
