import {
  type Failure,
  type Credentials,
  type ProtocolEvent,
  type Result,
  authCheckUrl,
  fail,
  ok,
  splitTopicsByUrlLength,
} from "../../protocol";
import type { Timer } from "../environment";
import { isNotAdmitted } from "../requests/classify";
import { findRefused } from "../requests/find-refused";
import { OPEN_WITHIN_MS, receiveByStream } from "../live/stream-attempt";
import { poll } from "../requests/poll";
import { saidOf } from "../requests/read-text";
import type { Requests } from "../requests/requests";

/**
 * Why the address is no topic server, or the topics may not be read; undefined if all is well. Asked before anything is
 * stored: `/<topics>/auth` answers both (docs/protocol.md §2), or an empty poll (`since=none`) if a proxy hides that
 * path. Topics that the server doesn't admit yet wait once they are stored.
 */
export async function whyNoAccess(
  requests: Requests,
  topics: readonly string[],
  credentials: Credentials | undefined,
  progress?: (done: number, of: number) => void,
): Promise<Failure | undefined> {
  const lists = splitTopicsByUrlLength(requests.address, topics, credentials);
  for (const [done, list] of lists.entries()) {
    progress?.(done, lists.length);
    await requests.pace(lists.length);
    const failure = await whyNoAccessTo(requests, list, credentials);
    if (failure) return failure;
  }
  return undefined;
}

async function whyNoAccessTo(
  requests: Requests,
  topics: readonly string[],
  credentials: Credentials | undefined,
): Promise<Failure | undefined> {
  const { address } = requests;
  const answer = await requests.json({ url: authCheckUrl(address, topics), credentials });
  if (answer.ok && saidOf(answer.value, "success")) return undefined;
  const failure: Failure = answer.ok ? { kind: "malformed", text: "" } : answer.error;
  if (isNotAdmitted(failure)) return undefined;
  switch (failure.kind) {
    case "forbidden": {
      const { code } = failure;
      const found = topics.length > 1 ? await findRefused(requests, [topics], { credentials, code }) : undefined;
      const refused = [...(found?.refused.keys() ?? [])];
      return {
        ...failure,
        topics: refused.length > 0 ? refused : [...topics],
        ...(credentials !== undefined && { isSignedIn: true }),
      };
    }
    case "no-topic-server":
    case "malformed":
    case "http":
      return whyNotPolled(requests, topics, credentials, failure);
    default:
      return failure;
  }
}

/**
 * Why an empty poll fails.
 *
 * @param before how the question before it failed
 */
async function whyNotPolled(
  requests: Requests,
  topics: readonly string[],
  credentials: Credentials | undefined,
  before: Failure,
): Promise<Failure | undefined> {
  const request = { topics, since: { kind: "none" }, scheduled: false, credentials } as const;
  let malformed = 0;
  const failure = await poll(requests, request, { malformed: (count) => void (malformed += count) });
  if (!failure && malformed === 0) return undefined;
  // The answer may have been a web page.
  const isPage = !failure || failure.kind === "malformed" || (failure.kind === "http" && failure.status < 500);
  if (isPage && (await requests.health()) === undefined) return { kind: "no-topic-server" };
  return failure ?? before;
}

/**
 * What the server's clock shows, Unix seconds: a stream says so in its `open`. If no stream gets through, the newest
 * delivered message gives a time that has passed; undefined if there is none. The device's clock is never used: if it
 * were ahead, messages yet to come would count as history.
 */
export async function askServerTime(
  requests: Requests,
  topics: readonly string[],
  credentials: Credentials | undefined,
): Promise<Result<number | undefined, Failure>> {
  const heard =
    (await hearServerTime(requests, topics, credentials)) ??
    // Together they may be more new topics than the server admits.
    (topics.length > 1 ? await hearServerTime(requests, topics.slice(0, 1), credentials) : undefined);
  if (heard !== undefined) return ok(heard);
  let newest: number | undefined;
  const lists = splitTopicsByUrlLength(requests.address, topics, credentials);
  for (const list of lists) {
    await requests.pace(lists.length);
    const request = { topics: list, since: { kind: "latest" }, scheduled: false, credentials } as const;
    const failure = await poll(requests, request, {
      events: (events) => void (newest = Math.max(newest ?? 0, ...events.map(({ time }) => time))),
    });
    if (failure) return fail(failure);
  }
  return ok(newest);
}

/** What the server's clock shows as a stream opens, Unix seconds; undefined if no stream gets through. */
export async function hearServerTime(
  requests: Requests,
  topics: readonly string[],
  credentials: Credentials | undefined,
): Promise<number | undefined> {
  const { setTimer, clearTimer } = requests.environment;
  const aborter = new AbortController();
  let timer: Timer;
  const hear = receiveByStream(requests, "json", { topics, credentials });
  const timeS = await new Promise<number | undefined>((resolve) => {
    const sink = {
      asked: () => void (timer = setTimer(() => resolve(undefined), OPEN_WITHIN_MS)),
      events: ([first]: ProtocolEvent[]) => resolve(first?.time),
    };
    void hear(sink, aborter.signal).then(() => resolve(undefined));
  });
  aborter.abort();
  clearTimer(timer);
  return timeS;
}
