import type { Failure, Credentials } from "../protocol";
import { authCheckUrl, splitTopicsByUrlLength } from "../protocol";
import { reactionTo } from "./classify";
import { linkedAbort } from "./linked-abort";
import type { Requests } from "./requests";

/** Which topics are refused, with the code of the refusal; or why that could not be found out. */
export interface RefusedTopics {
  refused: Map<string, number>;
  failure?: Failure;
}

/**
 * Finds the topics that may not be read, by `/<topics>/auth` (docs/protocol.md §2): a list is refused as a whole, so it
 * is halved until each refused topic stands alone. That takes few requests, which the server rations.
 */
export async function findRefused(
  requests: Requests,
  topics: readonly string[],
  credentials: Credentials | undefined,
  signal?: AbortSignal,
): Promise<RefusedTopics> {
  const refused = new Map<string, number>();
  const toCheck = splitTopicsByUrlLength(requests.address, topics, undefined, credentials);
  for (let list = toCheck.pop(); list; list = toCheck.pop()) {
    const checked = list;
    const { aborter, unlink } = linkedAbort(signal);
    const answer = await requests.send({
      url: (auth) => authCheckUrl({ address: requests.address, topics: checked, ...(auth && { auth }) }),
      credentials,
      signal: aborter.signal,
    });
    if (answer.ok) await answer.value.body?.cancel().catch(() => undefined);
    unlink();
    if (answer.ok) continue;
    const reaction = reactionTo(answer.error);
    if (reaction.kind !== "leave-out") return { refused, failure: answer.error };
    // Wrong credentials are refused for every topic, and each further try would count as a failed login.
    if (answer.error.kind === "unauthorized" && credentials) return { refused, failure: answer.error };
    const [only] = checked;
    if (checked.length === 1 && only !== undefined) refused.set(only, reaction.code);
    else toCheck.push(checked.slice(0, checked.length / 2), checked.slice(checked.length / 2));
  }
  return { refused };
}
