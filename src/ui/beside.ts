import { startAlerts } from "./alerts";
import { startAppBadge } from "./alerts/app-badge.svelte";
import type { App } from "./state/app.svelte";

/** What a page does beside showing messages; none of it is part of the first load. */
export function beside(app: App): void {
  startAlerts(app);
  startAppBadge(app);
}
