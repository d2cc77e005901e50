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
