import type { Failure, Credentials } from "../protocol";
import { isNotAdmitted, reactionTo } from "./classify";
import type { Clock } from "./environment";
import { poll } from "./poll";
import type { Requests } from "./requests";

/** What a search found of some topics. Those that are in none of these were not asked about. */
export interface RefusedTopics {
  allowed: string[];
  /** Refused for good, with the code of the refusal. */
  refused: Map<string, number>;
  /**
   * To be asked about again, with the code of the refusal: the server admits no more new topics just now, or the search
   * was given up within a list that is refused.
   */
  waiting: Map<string, number>;
  /** Why the search ended early. */
  failure?: Failure;
}

/**
 * Once one topic by itself was not admitted, so many refusals more may be caused in looking for others that exist
 * already, and need no admission.
 */
const MAX_NOT_ADMITTED = 6;

/** Why topics can't be read; undefined if they can. An empty poll tells it (docs/protocol.md §4). */
export function whyNotRead(
  clock: Clock,
  requests: Requests,
  topics: readonly string[],
  credentials: Credentials | undefined,
  signal?: AbortSignal,
): Promise<Failure | undefined> {
  const request = {
    topics,
    since: { kind: "none" },
    scheduled: false,
    credentials,
    ...(signal && { signal }),
  } as const;
  return poll(clock, requests, request, { events: () => undefined, malformed: () => undefined });
}

/**
 * Finds the topics that a server refuses, whatever it calls the reason: a list is refused as a whole, so it is halved
 * until each refused topic stands alone.
 *
 * @param lists each fits into one address
 * @param code that of the list's refusal, when topics are looked for that need no admission; absent = the first one that
 *   isn't admitted ends the search
 */
export async function findRefused(
  clock: Clock,
  requests: Requests,
  lists: readonly (readonly string[])[],
  {
    credentials,
    signal,
    code: ofList,
  }: { credentials: Credentials | undefined; signal?: AbortSignal; code?: number | undefined },
): Promise<RefusedTopics> {
  const found: RefusedTopics = { allowed: [], refused: new Map(), waiting: new Map() };
  let toAsk = [...lists];
  let notAdmitted = ofList === undefined ? MAX_NOT_ADMITTED : undefined;
  for (let topics = toAsk.shift(); topics; topics = toAsk.shift()) {
    if (requests.count.room("asking") < 1) {
      if (ofList !== undefined) for (const topic of [topics, ...toAsk].flat()) found.waiting.set(topic, ofList);
      return found;
    }
    const failure = await whyNotRead(clock, requests, topics, credentials, signal);
    if (!failure) {
      found.allowed.push(...topics);
      continue;
    }
    const reaction = reactionTo(failure);
    // Wrong credentials are refused for every topic, and each further try would count as a failed login.
    if (reaction.kind !== "leave-out" || (failure.kind === "unauthorized" && credentials)) {
      return { ...found, failure };
    }
    const { code } = reaction;
    if (notAdmitted !== undefined && isNotAdmitted(failure)) notAdmitted += 1;
    const [only] = topics;
    if (topics.length > 1) {
      const half = Math.ceil(topics.length / 2);
      const halves = [topics.slice(0, half), topics.slice(half)];
      // First deep, where the server still admits some; then the large parts first, as what exists may be anywhere.
      toAsk = notAdmitted === undefined ? [...halves, ...toAsk] : [...toAsk, ...halves];
    } else if (only !== undefined) {
      if (isNotAdmitted(failure)) {
        found.waiting.set(only, code);
        if (notAdmitted === undefined) {
          notAdmitted = 0;
          toAsk.sort((a, b) => b.length - a.length);
        }
      } else found.refused.set(only, code);
    }
    if (!isNotAdmitted(failure) || (notAdmitted ?? 0) < MAX_NOT_ADMITTED) continue;
    for (const topic of toAsk.flat()) found.waiting.set(topic, code);
    return found;
  }
  return found;
}
