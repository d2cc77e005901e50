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

/** How much of an unexpected `Content-Type` is kept for the connection details, characters. */
const MAX_TYPE_TEXT = 100;

/** What to ask for, and how. */
export interface Subscribing extends Omit<SubscribeRequest, "address" | "auth" | "format"> {
  format: HttpFormat;
  credentials?: Credentials | undefined;
  signal: AbortSignal;
}

/**
 * Requests a stream or a poll (docs/protocol.md §2 to 4). An answer counts only if its type is that of the format:
 * anything else is the sign-in page of a guest network, or something else that lives at the address, whatever its
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
  // If the connection breaks meanwhile, there is nothing to cancel.
  void body?.cancel().catch(() => undefined);
  return fail({ kind: "malformed", text: (type ?? "no Content-Type").slice(0, MAX_TYPE_TEXT) });
}

/** The failure when lines of the right type came, but none of them was of the protocol. */
export const NO_EVENTS: Failure = { kind: "malformed", text: "no line is an event" };
