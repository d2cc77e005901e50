import type { App } from "../state/app.svelte";
import type { SettingsPageName } from "./setting-place";
import type { SettingPlace } from "./setting-places";

/** The setting the user is going to, until the page shows it. */
let sought = $state<SettingPlace>();

/** Goes to a setting on its page, and focuses it. */
export function goToSetting(app: App, place: SettingPlace, page: SettingsPageName): void {
  sought = place;
  app.navigation.go({ kind: "settings", page });
}

/** Makes an element a setting's place. */
export function placeAt(element: HTMLElement, place: SettingPlace): void {
  if (sought !== place) return;
  sought = undefined;
  const control = element.querySelector<HTMLElement>("input:checked, input:not([type=radio]), select, button");
  // Without a control, the text itself gets the focus.
  if (!control) element.tabIndex = -1;
  element.scrollIntoView({ block: "center" });
  (control ?? element).focus({ preventScroll: true });
}
