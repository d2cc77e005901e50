import type { ServerTest } from "../../contract";
import { accountUrl, readAccount, type Credentials, type Failure } from "../../protocol";
import type { Environment } from "../environment";
import { MAX_ACCOUNT_BYTES, readJson } from "../read-text";
import type { Requests } from "../requests";
import { checkAccess, hearServerTime } from "./check-access";

/** Topics that are read with the same credentials, or none. */
export interface ReadWith {
  accountId: number;
  credentials?: Credentials | undefined;
  topics: readonly string[];
}

/**
 * Tries, apart from the connection, what a connection does: signing in, a stream, and what the server says about
 * itself.
 */
export async function testServer(
  environment: Environment,
  requests: Requests,
  groups: readonly ReadWith[],
): Promise<ServerTest> {
  const access: ServerTest["access"] = [];
  for (const { accountId, credentials, topics } of groups) {
    const checked = await checkAccess(environment, requests, topics.slice(0, MAX_TOPICS), credentials);
    access.push({ accountId, ...(!checked.ok && { why: checked.error }) });
    // Another sign-in would be refused as well, and count as one that failed.
    if (!checked.ok && isOfServer(checked.error)) break;
  }
  const readable = groups.find(({ accountId }) => access.some((one) => one.accountId === accountId && !one.why));
  const keepsS = await askKeepsS(environment, requests);
  if (!readable) return { access, ...(keepsS !== undefined && { keepsS }) };
  const [topic = ""] = readable.topics;
  const heardS = await hearServerTime(environment, requests, [topic], readable.credentials);
  return {
    access,
    ...(keepsS !== undefined && { keepsS }),
    hasStream: heardS !== undefined,
    ...(heardS !== undefined && { clockAheadS: heardS - Math.floor(environment.now() / 1_000) }),
  };
}

/** At most this many topics of an account are asked for, as all of them are allowed or refused alike. */
const MAX_TOPICS = 20;

/** Whether a failure is the server's, and not one of these topics or credentials. */
function isOfServer({ kind }: Failure): boolean {
  return kind !== "unauthorized" && kind !== "forbidden";
}

async function askKeepsS(environment: Environment, requests: Requests): Promise<number | undefined> {
  const answer = await requests.send({ url: () => accountUrl(requests.address) });
  return answer.ok ? readAccount(await readJson(answer.value, environment, MAX_ACCOUNT_BYTES))?.keepsS : undefined;
}
