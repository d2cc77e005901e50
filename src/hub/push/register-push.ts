// Tells servers where to push what (docs/protocol.md §15).
import type { PushFault } from "../../contract";
import {
  serverUrl,
  type Credentials,
  ERROR_CODES,
  fail,
  type Failure,
  ok,
  type PushTarget,
  readPushKey,
  registerPushBody,
  type Result,
  splitTopicsByUrlLength,
  unregisterPushBody,
} from "../../protocol";
import type { AccountRecord } from "../../store";
import { findRefused } from "../requests/find-refused";
import type { Requests } from "../requests/requests";

/** The code a server answers with if it refuses to send to the browser's push service. */
const SERVICE_REFUSED = 40039;

/** Asks a server for the key that registrations are made with. */
export async function askPushKey(requests: Requests): Promise<Result<string, PushFault>> {
  const answer = await requests.json({ url: serverUrl(requests.address, "clientConfig") });
  if (!answer.ok) {
    const { error } = answer;
    const isUntold = error.kind === "no-topic-server" || (error.kind === "http" && error.status === 404);
    return fail(isUntold ? { kind: "no-key", problem: "untold" } : { kind: "failed", why: error });
  }
  const key = readPushKey(answer.value);
  return key.ok ? key : fail({ kind: "no-key", problem: key.error });
}

/** Registers or renews a target, without topics that may not be read. Resolves to those. */
export async function postPush(
  requests: Requests,
  { target, topics, account }: { target: PushTarget; topics: readonly string[]; account: AccountRecord | undefined },
): Promise<Result<string[], PushFault>> {
  // Failed sign-ins lock a whole household out, so refused credentials aren't tried again unasked.
  if (account?.refusedAtMs !== undefined) {
    return fail({ kind: "failed", why: { kind: "unauthorized", code: ERROR_CODES.unauthorized } });
  }
  const credentials = account?.credentials;
  const failure = await post(requests, target, topics, credentials);
  if (!failure) return ok([]);
  if (failure.kind !== "forbidden") return fail(faultOf(failure));
  const lists = splitTopicsByUrlLength(requests.address, topics, credentials);
  const found = await findRefused(requests, lists, { credentials, code: failure.code });
  const left = topics.filter((topic) => !found.refused.has(topic));
  if (left.length === 0) return fail({ kind: "forbidden" });
  // The server doesn't name the refused topic, so it is unknown what to leave out.
  if (left.length === topics.length) return fail({ kind: "failed", why: found.failure ?? failure });
  const again = await post(requests, target, left, credentials);
  return again ? fail(faultOf(again)) : ok([...found.refused.keys()]);
}

/** Tells a server to stop pushing to an endpoint. Resolves to whether the server received that. */
export async function deletePush(
  requests: Requests,
  endpoint: string,
  account: AccountRecord | undefined,
): Promise<boolean> {
  // Anyone who knows the endpoint may end it, so refused credentials are left out.
  const credentials = account?.refusedAtMs === undefined ? account?.credentials : undefined;
  const failure = await requests.failure({
    url: serverUrl(requests.address, "webPush"),
    method: "DELETE",
    body: unregisterPushBody(endpoint),
    credentials,
  });
  return failure === undefined;
}

function post(
  requests: Requests,
  target: PushTarget,
  topics: readonly string[],
  credentials: Credentials | undefined,
): Promise<Failure | undefined> {
  return requests.failure({
    url: serverUrl(requests.address, "webPush"),
    method: "POST",
    body: registerPushBody(target, topics),
    credentials,
  });
}

function faultOf(failure: Failure): PushFault {
  if (failure.kind === "no-topic-server") return { kind: "no-key", problem: "off" };
  if (failure.kind !== "http") return { kind: "failed", why: failure };
  if (failure.code === SERVICE_REFUSED) return { kind: "service-refused" };
  // The reference server answers so from the eleventh device on (docs/protocol.md §15).
  return failure.status === 500 ? { kind: "too-many-devices" } : { kind: "failed", why: failure };
}
