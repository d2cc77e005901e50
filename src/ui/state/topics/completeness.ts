import type { GapRecord, SubscriptionRecord } from "../../../client";

/** From when on all messages of a topic are known to be stored. Server time, Unix seconds. */
export type Completeness =
  | { kind: "unchecked" }
  | { kind: "refused" }
  /** From the end of the newest gap, or from subscribing if no history was wanted. */
  | { kind: "since"; time: number }
  /** As far back as the server kept messages when the topic was subscribed to. */
  | { kind: "all" };

/** The completeness of one topic (docs/design.md §4, "Proof"). */
export function completeness(
  { subId, joined, fromTime, refusedCode }: SubscriptionRecord,
  gaps: readonly GapRecord[],
): Completeness {
  if (refusedCode !== undefined) return { kind: "refused" };
  if (!joined) return { kind: "unchecked" };
  const ends = gaps.filter((gap) => gap.subId === subId).map((gap) => gap.to);
  const time = Math.max(fromTime ?? -Infinity, ...ends);
  return time === -Infinity ? { kind: "all" } : { kind: "since", time };
}

/** The completeness of several topics together: that of the least complete one. Undefined for no topics. */
export function completenessOf(
  subscriptions: readonly SubscriptionRecord[],
  gaps: readonly GapRecord[],
): Completeness | undefined {
  const known = subscriptions.map((one) => completeness(one, gaps));
  const times = known.flatMap((one) => (one.kind === "since" ? [one.time] : []));
  const missing = known.find(({ kind }) => kind === "refused") ?? known.find(({ kind }) => kind === "unchecked");
  return missing ?? (times.length > 0 ? { kind: "since", time: Math.max(...times) } : known[0]);
}
