import type { Failure, Since } from "../protocol";
import { authCheckUrl, frameOfText, OVERLONG, subscribeUrl } from "../protocol";
import { EventReading, MAX_STRANGE_LINES, NO_EVENTS } from "./event-reading";
import { TOO_MANY_ERRORS, type Requests } from "./requests";
import type { ConnectWebSocket } from "./environment";
import type { Receive, StreamRequest } from "./transport";

/** `since`: what the server stored from then on comes as well, at the start. */
interface WebSocketRequest extends StreamRequest {
  since?: Since;
}

/**
 * Receives by a WebSocket (docs/protocol.md §2, 7 and 8). It can send no headers, so the credentials are in its
 * address, which is shown to nothing but the connection itself. Every close code is treated the same.
 */
export function receiveByWebSocket(connect: ConnectWebSocket, requests: Requests, request: WebSocketRequest): Receive {
  const { topics, credentials, since } = request;
  const { address } = requests;
  return async (sink, signal) => {
    if (signal.aborted) return { kind: "ended" };
    if (requests.isBounded && requests.count.room("receiving") < 1) return TOO_MANY_ERRORS;
    requests.count.add();
    let isServed = false;
    const reading = new EventReading(sink, MAX_STRANGE_LINES);
    await new Promise<void>((resolve) => {
      const url = subscribeUrl({
        address,
        topics,
        format: "ws",
        ...(since && { since }),
        ...(credentials && { auth: credentials }),
      });
      const line = connect(url, {
        data(data) {
          if (signal.aborted) return;
          isServed = true;
          // Binary data is no frame of the protocol; it is counted like any line that can't be read.
          if (reading.take([typeof data === "string" ? frameOfText(data) : OVERLONG]) !== "enough") return;
          line.close();
          resolve();
        },
        closed: () => resolve(),
      });
      signal.addEventListener("abort", () => {
        line.close();
        resolve();
      });
    });
    if (reading.isStrange()) return NO_EVENTS;
    if (reading.failure) return reading.failure;
    if (isServed || signal.aborted) return { kind: "ended" };
    // It may have been refused; its status is not told.
    requests.count.answered(400);
    return whyRefused(requests, request, signal);
  };
}

/** A refused handshake tells a script nothing (docs/protocol.md §10), so a plain request has to find out why. */
async function whyRefused(
  requests: Requests,
  { topics, credentials }: StreamRequest,
  signal: AbortSignal,
): Promise<Failure | "held-back"> {
  const answer = await requests.send({
    url: (auth) => authCheckUrl({ address: requests.address, topics, ...(auth && { auth }) }),
    credentials,
    signal,
  });
  if (!answer.ok) return answer.error;
  await answer.value.body?.cancel().catch(() => undefined);
  // The server answers and would let us read, so something in between blocks the upgrade.
  return "held-back";
}
