import {
  fail,
  isStreamType,
  subscribeUrl,
  type Credentials,
  type Failure,
  type HttpFormat,
  type Result,
  type SubscribeRequest,
} from "../protocol";
import type { Requests } from "./requests";

/** Enough of a foreign `Content-Type` for the details of a connection, characters. */
const MAX_TYPE_TEXT = 100;

/** What to ask for, and how. */
export interface Subscribing extends Omit<SubscribeRequest, "address" | "auth" | "format"> {
  format: HttpFormat;
  credentials?: Credentials | undefined;
  signal: AbortSignal;
}

/**
 * Asks for a stream or a poll (docs/protocol.md §2 to 4). Its body is to be read only where its type is that of the
 * format: all else is the sign-in page of a guest network, or something else that lives at the address, whatever its
 * status.
 */
export async function subscribe(
  requests: Requests,
  { credentials, signal, ...asked }: Subscribing,
): Promise<Result<Response, Failure>> {
  const answer = await requests.send({
    url: (auth) => subscribeUrl({ address: requests.address, ...asked, ...(auth && { auth }) }),
    credentials,
    signal,
  });
  if (!answer.ok) return answer;
  const { headers, body } = answer.value;
  const type = headers.get("Content-Type");
  if (isStreamType(asked.format, type)) return answer;
  // One that is cut meanwhile needs no cancelling.
  void body?.cancel().catch(() => undefined);
  return fail({ kind: "malformed", text: (type ?? "no Content-Type").slice(0, MAX_TYPE_TEXT) });
}

/** Lines came, of the right type, and none of them was one of the protocol. */
export const NO_EVENTS: Failure = { kind: "malformed", text: "no line is an event" };
