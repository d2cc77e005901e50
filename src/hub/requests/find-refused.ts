import type { Failure, Credentials } from "../../protocol";
import { isNotAdmitted, reactionTo } from "./classify";
import { poll } from "./poll";
import type { Requests } from "./requests";

/** The result of a search among topics. Those in none of these lists were not asked about. */
export interface RefusedTopics {
  allowed: string[];
  /** Refused for good, with the code of the refusal. */
  refused: Map<string, number>;
  /** To be asked about again, with the refusal's code: not admitted now, or in an abandoned list. */
  waiting: Map<string, number>;
  /** Why the search ended early. */
  failure?: Failure;
}

/** After a first topic that isn't admitted, this many more requests at most look for topics that need no admission. */
const MAX_NOT_ADMITTED = 6;

/** Why topics can't be read; undefined if they can. An empty poll shows it (docs/protocol.md §4). */
export function whyNotRead(
  requests: Requests,
  topics: readonly string[],
  credentials: Credentials | undefined,
  signal?: AbortSignal,
): Promise<Failure | undefined> {
  return poll(requests, { topics, since: { kind: "none" }, scheduled: false, credentials, signal }, {});
}

/**
 * Finds the topics a server refuses, whatever the reason: a list is refused as a whole, so it is halved until each
 * refused topic is on its own.
 *
 * @param lists each fits into one URL
 * @param code the code of the list's refusal, when looking for topics that need no admission; absent = the first topic
 * not admitted ends the search
 */
export async function findRefused(
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
    const failure = await whyNotRead(requests, topics, credentials, signal);
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
      // Depth-first at first, while the server still admits some; then large parts first, because existing topics may
      // be anywhere.
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
