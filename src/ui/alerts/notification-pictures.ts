import type { StoredMessage } from "../../contract";
import { isGone, isImage } from "../message/attachment-kind";
import { showable, type Showable } from "../message/load-into";
import { loadsOf } from "../message/loads.svelte";
import type { Origin } from "../message/origin";
import type { App } from "../state/app.svelte";
import { serverMs } from "../state/server-time";

/**
 * A notification waits no longer than this for its pictures, ms: if this tab hasn't shown it within 3 s, the hub gives
 * it to another tab (`src/hub/alerts.ts`).
 */
const WITHIN_MS = 1_000;

/** The pictures of a notification. */
export interface NotificationPictures {
  icon?: Showable;
  image?: Showable;
}

/**
 * Icon and image of a message, if they may load unasked (docs/design.md §2, promise 7) and are loaded in time.
 */
export async function notificationPictures(
  app: App,
  { event }: StoredMessage,
  origin: Origin,
  nowMs: number,
): Promise<NotificationPictures> {
  const loads = loadsOf(app, origin, event.id);
  const { attachment } = event;
  const load = async (text: string | undefined): Promise<Showable | undefined> => {
    const verdict = loads.judge(text ?? "");
    if (verdict.kind !== "load") return undefined;
    const shown = await showable(verdict.source);
    if (shown === undefined) loads.fail(verdict.source.href);
    return shown;
  };
  const shownMs = serverMs(app, origin.address, nowMs);
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, WITHIN_MS));
  const [icon, image] = await Promise.all(
    [event.icon, attachment && isImage(attachment) && !isGone(attachment, shownMs) ? attachment.url : undefined].map(
      (text) => Promise.race([load(text), late]),
    ),
  );
  return { ...(icon && { icon }), ...(image && { image }) };
}
