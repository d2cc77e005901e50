import type { AllowedRequest } from "../../../client";
import type { App } from "../../state/app.svelte";
import type { ActionRequest } from "../../state/dialogs.svelte";

/** The most remembered requests; the one allowed longest ago is forgotten first. */
const MOST = 200;

/** What is remembered of a request: this method is allowed at this address, with any query, for this topic. */
export function placeOf({ key: [subId], sendable: { method, url } }: ActionRequest): AllowedRequest {
  const { origin, pathname } = new URL(url);
  return { subId, method, address: origin + pathname };
}

const same = (a: AllowedRequest, b: AllowedRequest): boolean =>
  a.subId === b.subId && a.method === b.method && a.address === b.address;

export function isAllowed(app: App, request: ActionRequest): boolean {
  const place = placeOf(request);
  return app.catalogue.settings.allowedRequests.some((other) => same(other, place));
}

/** From now on, sends requests like this one without asking. */
export function allow(app: App, request: ActionRequest): void {
  if (isAllowed(app, request)) return;
  const allowed = [...app.catalogue.settings.allowedRequests, placeOf(request)];
  void app.setSettings({ allowedRequests: allowed.slice(-MOST) });
}

export function disallow(app: App, place: AllowedRequest): void {
  const rest = app.catalogue.settings.allowedRequests.filter((other) => !same(other, place));
  void app.setSettings({ allowedRequests: rest });
}
