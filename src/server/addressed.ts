import type { ProtocolEvent } from "../protocol";

/**
 * The event as it goes to a subscriber. The link to an uploaded file leads to this server by the name under which the
 * subscriber knows it: the publisher's `localhost` is of no use to a phone.
 */
export function addressed(event: ProtocolEvent, baseUrl: string): ProtocolEvent {
  if (event.event !== "message" || event.attachment?.expires === undefined) return event;
  const { url } = event.attachment;
  return { ...event, attachment: { ...event.attachment, url: baseUrl + url.slice(url.lastIndexOf("/file/")) } };
}
