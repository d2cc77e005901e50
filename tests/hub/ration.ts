import { ERROR_CODES } from "../../src/protocol";
import { errorAnswer, isFree, type Intercept } from "./fake-server";
import type { World } from "./world";

/**
 * How many requests a server allows at once by default, and after how long it gives one back, ms (docs/protocol.md
 * §11).
 */
const MAX_REQUESTS = 60;
const REFILL_MS = 5_000;

/** Makes a server ration requests, by default as it does itself. Health checks are free. */
export function rationed(
  world: World,
  { most = MAX_REQUESTS, left: atFirst = Infinity, refillMs = REFILL_MS, streams = Infinity } = {},
): Intercept {
  let left = Math.min(most, atFirst);
  let refilledMs = world.time.now();
  return ({ url }) => {
    if (isFree(url)) return undefined;
    const refill = Math.floor((world.time.now() - refilledMs) / refillMs);
    left = Math.min(most, left + refill);
    refilledMs += refill * refillMs;
    if (left < 1) return errorAnswer(429, 42901);
    left -= 1;
    const isCounted = /\/(json|sse|ws)$/.test(url.pathname);
    return isCounted && world.server.streams.size >= streams ? errorAnswer(429, ERROR_CODES.tooManyStreams) : undefined;
  };
}
