import type { NotificationData } from "../contract";
import { answerPress, type PressEnvironment } from "./notification-press";

declare const self: ServiceWorkerGlobalScope;

/** Answers presses on this worker's notifications. */
export function answerPresses({ scope, mark }: Pick<PressEnvironment, "scope" | "mark">): void {
  self.addEventListener("notificationclick", (event) => {
    const { notification, action } = event;
    notification.close();
    const { clients } = self;
    event.waitUntil(answerPress(notification.data as NotificationData | null, action, { scope, clients, mark }));
  });
}

/** Sets the number on the app's icon, if there is one. */
export async function setBadge(unread: number): Promise<void> {
  // Missing in some browsers, whatever the types say; and the system may be unable to show it now.
  if ("setAppBadge" in navigator) await navigator.setAppBadge(unread).catch(() => undefined);
}
