/**
 * A server's bucket of requests for one visitor, and how often it gets one more, seconds (docs/protocol.md §11): its
 * defaults.
 */
const BUCKET = 60;
const REFILL_S = 5;

/** Span over which the hub counts its requests, seconds. */
const SPAN_S = 300;

/** Requests that a server usually allows within the span that the hub counts. */
export const USUAL_REQUESTS = BUCKET + SPAN_S / REFILL_S;
