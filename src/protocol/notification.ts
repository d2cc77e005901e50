// What a notification carries from the page that shows it to the service worker that hears of a press, and back to a page.
import type { MessageKey } from "./stored-message";

/** Kept with a notification: all that whoever hears of a press knows of it. */
export interface NotificationData {
  /** The view or message that a press opens, `#/…`. Never holds credentials. */
  fragment: string;
  /** Device clock, ms. */
  shownAtMs: number;
  /** Its message; absent where it stands for several, or for a server. */
  key?: MessageKey;
  /** Addresses that its buttons open, by the button's name. The other buttons are the page's to carry out. */
  links?: Record<string, string>;
  /** What it sums up, by subscription. */
  summary?: Record<number, AlertCount>;
}

/** How many messages a summary stands for. */
export interface AlertCount {
  count: number;
  /** Those of priority 5. */
  urgent: number;
}

/** Service worker to page, with a port to answer on: show what was pressed. */
export interface NotificationPress {
  kind: "notification-press";
  fragment: string;
  key?: MessageKey;
  /** The button that was pressed; absent for the notification itself. */
  actionId?: string;
}

/** Whether something is a press; anybody on the origin can send a page messages. */
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
