import { type AlertRules, decodeAlertRules } from "../../contract";
import type { App } from "../state/app.svelte";
import { setSetting } from "../state/set-setting";

/** Changes some rules for the alerts of all topics. Returns whether that was stored; a failure is shown. */
export function setAlertRules(app: App, change: Partial<AlertRules>): Promise<boolean> {
  return setSetting(app, "alertRules", { ...decodeAlertRules(app.catalogue.settings.alertRules), ...change });
}
