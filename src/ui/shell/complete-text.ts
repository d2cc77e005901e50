import type { SubscriptionRecord } from "../../client";
import { toMs } from "../../protocol";
import type { App } from "../state/app.svelte";
import { completenessOf } from "../state/topics/completeness";
import { momentWithTime, stateStrings } from "../strings";

/** Until when, and since when, these topics are stored completely; undefined unless known for all of them. */
export function completeText(app: App, subscriptions: readonly SubscriptionRecord[]): string | undefined {
  const known = completenessOf(subscriptions, app.catalogue.gaps);
  if (!known || known.kind === "unchecked" || known.kind === "refused") return undefined;
  const checkedAtMs = [...new Set(subscriptions.map(({ serverId }) => serverId))].map(
    (serverId) => app.catalogue.status(serverId)?.lastCompleteAtMs ?? app.catalogue.server(serverId)?.lastCompleteAtMs,
  );
  if (checkedAtMs.includes(undefined)) return undefined;
  const say = (ms: number): string => momentWithTime(ms, app.clock.minuteMs, "within");
  const until = say(Math.min(...checkedAtMs.filter((ms) => ms !== undefined)));
  return known.kind === "since"
    ? stateStrings.completeFrom({ until, since: say(toMs(known.time)) })
    : stateStrings.complete({ until });
}
