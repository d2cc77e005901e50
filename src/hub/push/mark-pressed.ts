// A press on one of the app's own buttons on a notification, where no page is there to carry it out.
import { CONTRACT_VERSION, type Mark, type MessageKey } from "../../contract";
import { changesEvent } from "../changes-event";
import type { HubMessage } from "../hub-message";
import type { PushPlace } from "./push-place";
import { updateBadge } from "./update-badge";

/** Marks a message, and tells the pages. Resolves to whether that was stored. */
export async function markPressed(place: PushPlace, key: MessageKey, mark: Mark): Promise<boolean> {
  const { store, channel, now } = place;
  const marked = await store.mark([key], mark, now());
  if (!marked.ok) return false;
  const event = changesEvent(marked.value);
  if (event) channel.post({ version: CONTRACT_VERSION, kind: "event", event } satisfies HubMessage);
  await updateBadge(place);
  return true;
}
