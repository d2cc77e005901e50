// Hiding messages from Everything (docs/design.md §6). The topic's own feed and searches still show them.
import type { SubscriptionRecord } from "../../client";
import { hideLike, hidingRules, isHiddenBy, MAX_HIDES, type StoredMessage } from "../../contract";
import { priorityOf } from "../../protocol";
import type { MenuItem } from "../parts/menu-item";
import type { App } from "../state/app.svelte";
import { topicName } from "../state/topics/names";
import { rowStrings } from "../strings";

/** A topic's rules once messages like this one are hidden, or shown again; undefined = they can't be hidden. */
function rulesAfter({ subId, hides = [] }: SubscriptionRecord, row: StoredMessage): string[] | undefined {
  const others = hides.filter((rule) => !isHiddenBy(hidingRules([{ subId, hides: [rule] }]), Date.now())(row));
  if (others.length < hides.length) return others;
  const rule = hideLike(row.event);
  return rule === undefined || hides.length >= MAX_HIDES || priorityOf(row.event) === 5 ? undefined : [...hides, rule];
}

/** Hides messages like this one, or shows them again; undefined if they can't be hidden. */
export function hideAction(app: App, row: StoredMessage): MenuItem | undefined {
  const subscription = app.catalogue.subscription(row.subId);
  const rules = subscription && rulesAfter(subscription, row);
  if (!rules) return undefined;
  const run = () => setHides(app, subscription, rules);
  return app.catalogue.isHidden(row)
    ? { label: rowStrings.message.showLike, icon: "eye", run }
    : { label: rowStrings.message.hideLike, icon: "eye-off", run };
}

/** Sets what Everything leaves out of a topic, with an Undo. */
export async function setHides(app: App, subscription: SubscriptionRecord, rules: string[]): Promise<void> {
  const { subId, hides: before = [] } = subscription;
  const set = (hides: string[]) =>
    app.attempt("patchSubscription", { subId, patch: { hides: hides.length > 0 ? hides : null } });
  if (!(await set(rules))) return;
  const { hides, shows } = rowStrings.message;
  app.notices.show({
    text: rules.length > before.length ? hides({ topic: topicName(subscription) }) : shows,
    undo: () => void set(before),
  });
}
