import {
  type Failure,
  type Credentials,
  type Result,
  authCheckUrl,
  fail,
  ok,
  splitTopicsByUrlLength,
} from "../../protocol";
import { isNotAdmitted } from "../requests/classify";
import { findRefused } from "../requests/find-refused";
import { StreamAttempt } from "../live/stream-attempt";
import { poll } from "../requests/poll";
import { readJson, saidOf } from "../requests/read-text";
import type { Requests } from "../requests/requests";
import type { Environment } from "../environment";
import { receiveByStream } from "../requests/transport";

/**
 * Makes sure, before anything is stored, that the address is a topic server and the topics may be read.
 * `/<topics>/auth` tells both (docs/protocol.md §2), or an empty poll (`since=none`) if a proxy hides that path. Topics
 * the server doesn't admit yet wait once they are stored.
 */
export async function checkAccess(
  environment: Environment,
  requests: Requests,
  topics: readonly string[],
  credentials: Credentials | undefined,
  progress?: (done: number, of: number) => void,
): Promise<Result<null, Failure>> {
  const { address } = requests;
  const lists = splitTopicsByUrlLength(address, topics, undefined, credentials);
  for (const [done, list] of lists.entries()) {
    progress?.(done, lists.length);
    await requests.pace(lists.length);
    const checked = await checkList(environment, requests, list, credentials);
    if (!checked.ok) return checked;
  }
  return ok(null);
}

async function checkList(
  environment: Environment,
  requests: Requests,
  topics: readonly string[],
  credentials: Credentials | undefined,
): Promise<Result<null, Failure>> {
  const failure = await askAccess(environment, requests, topics, credentials);
  if (!failure || isNotAdmitted(failure)) return ok(null);
  const why = await whyNoAccess(environment, requests, topics, credentials, failure);
  return why ? fail(why) : checkByPoll(environment, requests, topics, credentials, failure);
}

/** Asks `/<topics>/auth`; resolves to undefined if it says that all of them may be read. */
async function askAccess(
  environment: Environment,
  requests: Requests,
  topics: readonly string[],
  credentials: Credentials | undefined,
): Promise<Failure | undefined> {
  const { address } = requests;
  const answer = await requests.send({
    url: (auth) => authCheckUrl({ address, topics, ...(auth && { auth }) }),
    credentials,
  });
  if (!answer.ok) return answer.error;
  return saidOf(await readJson(answer.value, environment), "success") ? undefined : { kind: "malformed", text: "" };
}

/** Why the topics can't be read, with those that are refused; undefined if the failure doesn't tell. */
async function whyNoAccess(
  environment: Environment,
  requests: Requests,
  topics: readonly string[],
  credentials: Credentials | undefined,
  failure: Failure,
): Promise<Failure | undefined> {
  switch (failure.kind) {
    case "forbidden": {
      const { refused } =
        topics.length > 1
          ? await findRefused(environment, requests, [topics], { credentials, code: failure.code })
          : { refused: new Map() };
      const isSignedIn = credentials !== undefined;
      return {
        ...failure,
        topics: refused.size > 0 ? [...refused.keys()] : [...topics],
        ...(isSignedIn && { isSignedIn }),
      };
    }
    case "no-topic-server":
    case "malformed":
    case "http":
      return undefined;
    default:
      return failure;
  }
}

async function checkByPoll(
  environment: Environment,
  requests: Requests,
  topics: readonly string[],
  credentials: Credentials | undefined,
  before: Failure,
): Promise<Result<null, Failure>> {
  const request = { topics, since: { kind: "none" }, scheduled: false, credentials } as const;
  let malformed = 0;
  const failure = await poll(environment, requests, request, {
    malformed: (count) => void (malformed += count),
  });
  if (!failure && malformed === 0) return ok(null);
  return fail(await asOtherThanServer(requests, failure, before));
}

/** Why a poll shows no topic server: a page came instead, and none answers at `/v1/health`; or its failure. */
async function asOtherThanServer(
  requests: Requests,
  failure: Failure | undefined,
  before: Failure = { kind: "malformed", text: "" },
): Promise<Failure> {
  const isPage = !failure || failure.kind === "malformed" || (failure.kind === "http" && failure.status < 500);
  if (isPage && (await requests.health()) === undefined) return { kind: "no-topic-server" };
  return failure ?? before;
}

/**
 * What the server's clock shows, Unix seconds: a stream tells it in its `open`. If no stream gets through, the newest
 * delivered message shows what the clock must at least have shown; undefined if there is none. The device's clock is
 * never used: if it were ahead, messages yet to come would count as history.
 */
export async function askServerTime(
  environment: Environment,
  requests: Requests,
  topics: readonly string[],
  credentials: Credentials | undefined,
): Promise<Result<number | undefined, Failure>> {
  const heard =
    (await hearServerTime(environment, requests, topics, credentials)) ??
    // Together they may be more new topics than the server admits.
    (topics.length > 1 ? await hearServerTime(environment, requests, topics.slice(0, 1), credentials) : undefined);
  if (heard !== undefined) return ok(heard);
  let newest: number | undefined;
  const lists = splitTopicsByUrlLength(requests.address, topics, undefined, credentials);
  for (const list of lists) {
    await requests.pace(lists.length);
    const request = { topics: list, since: { kind: "latest" }, scheduled: false, credentials } as const;
    const failure = await poll(environment, requests, request, {
      events: (events) => void (newest = Math.max(newest ?? 0, ...events.map(({ time }) => time))),
    });
    if (failure) return fail(failure);
  }
  return ok(newest);
}

/** What the server's clock shows as a stream opens, Unix seconds; undefined if no stream gets through. */
export function hearServerTime(
  environment: Environment,
  requests: Requests,
  topics: readonly string[],
  credentials: Credentials | undefined,
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const done = (timeS?: number): void => {
      resolve(timeS);
      attempt.close();
    };
    const attempt = new StreamAttempt(environment, {
      spec: { accountId: 0, topics },
      transport: "json",
      receive: receiveByStream(requests, "json", { topics, credentials }),
      sink: { events: ([first]) => done(first?.time) },
      ended: () => done(),
      expectOpen: true,
    });
  });
}
