import type { ServerAddress } from "../../../protocol";
import type { App } from "../../state/app.svelte";
import type { FeedView, TopicsOfServer, View } from "../../state/navigation/view";

/** The view of the shown topics with one more, or without it. */
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

/** The view that shows these topics in one feed. */
export function viewOf(app: App, subIds: readonly number[]): FeedView {
  let view: FeedView = { kind: "everything" };
  for (const subId of subIds) {
    const subscription = app.catalogue.subscription(subId);
    const server = subscription && app.catalogue.server(subscription.serverId);
    if (server) view = viewWith(view, server.address, subscription.topic);
  }
  return view;
}

/** Adds a topic to the page's feed or removes it; the filter stays. */
export function pickTopic(app: App, subId: number): void {
  const subscription = app.catalogue.subscription(subId);
  const server = subscription && app.catalogue.server(subscription.serverId);
  if (!server) return;
  const { view, filter } = app.navigation;
  app.navigation.go(viewWith(view, server.address, subscription.topic), filter);
}
