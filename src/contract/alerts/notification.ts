// What a notification carries from the page that shows it to the service worker that handles a press, and back.
import type { MessageKey } from "../stored-message";

/**
 * Lock to hold while showing or listing notifications: if a tab lists them while one is being shown, Chromium loses
 * track of that one, so that a press does nothing and no code can close it.
 */
export const NOTIFICATION_LOCK = "earshot notifications";

/** Stored with a notification: all that the handler of a press knows. */
export interface NotificationData {
  /** The view or message that a press opens, `#/…`. Never holds credentials. */
  fragment: string;
  /** When it was shown, device clock, ms. */
  shownAtMs: number;
  /** The message it shows; absent if it represents several, or a server. */
  key?: MessageKey;
  /** Addresses that its buttons open, by the button's name. The page carries out the other buttons. */
  links?: Record<string, string>;
  /** Those of them after which the message is read. */
  clears?: string[];
  /** What it summarises, by subscription. */
  summary?: Record<number, AlertCount>;
}

/** How many messages a summary stands for. */
export interface AlertCount {
  count: number;
  /** How many of them have priority 5. */
  urgent: number;
}

/** From the service worker to a page, with a port to answer on: show what was pressed. */
export interface NotificationPress {
  kind: "notification-press";
  fragment: string;
  key?: MessageKey;
  /** The button that was pressed; absent for the notification itself. */
  actionId?: string;
  /** The button opened its link, after which the message is read: the page only marks it. */
  isCleared?: true;
}

/** Whether data is such a press; anything on the origin can send messages to a page. */
export function isNotificationPress(data: unknown): data is NotificationPress {
  return (
    typeof data === "object" &&
    data !== null &&
    "kind" in data &&
    data.kind === "notification-press" &&
    "fragment" in data &&
    typeof data.fragment === "string" &&
    data.fragment.startsWith("#/")
  );
}
