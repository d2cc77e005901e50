import { askPermission, permission } from "../alerts/permission.svelte";
import { allOf, markAllRead } from "../message/marks";
import type { App } from "../state/app.svelte";
import { canInstall, install } from "../state/install.svelte";
import { totalOf } from "../state/topics/groups";
import { alertStrings, topicStrings } from "../strings";

/** What is offered above the page's feed, with at most one thing to press: older messages, notifications, installing. */
export function offerOf(app: App) {
  const { offers, pane } = app;
  const { older } = offers;
  const topics = pane.covered.filter(({ subId }) => older?.subIds.includes(subId));
  const unread = totalOf(topics, "unread");
  if (older && unread > 0) {
    const { older: text, markRead: action } = topicStrings.add;
    const putAway = () => (offers.older = undefined);
    const run = () => (void markAllRead(app, allOf(topics), older.upTo), putAway());
    return { text: text({ count: Math.min(older.count, unread) }), action, run, putAway };
  }
  if (!offers.firstSteps) return undefined;
  const strings = topicStrings.firstSteps;
  const putAway = () => offers.endFirstSteps();
  const allowed = permission();
  if (allowed === "ask") {
    return { text: strings.alerts, action: alertStrings.turnOn, run: () => void askPermission(), putAway };
  }
  if (allowed === "blocked") {
    if (offers.tellsHow) return { text: alertStrings.states.blocked, putAway };
    return { text: strings.blocked, action: strings.how, run: () => (offers.tellsHow = true), putAway };
  }
  if (!canInstall()) return undefined;
  return { text: strings.app, action: strings.install, run: () => void install(), putAway };
}
