import type { Attachment } from "svelte/attachments";
import type { App } from "../state/app.svelte";
import type { SettingPlace } from "./setting-place";

/** The setting that is being gone to, until the page shows it. */
let sought = $state<SettingPlace>();

/** Goes to a setting: to its place on the settings page, with the focus on it. */
export function goToSetting(app: App, place: SettingPlace): void {
  sought = place;
  if (app.navigation.view.kind !== "settings") app.navigation.go({ kind: "settings" });
}

/** Makes an element the place of a setting. */
export function placeOf(place: SettingPlace): Attachment<HTMLElement> {
  return (element) => {
    if (sought !== place) return;
    sought = undefined;
    const control = element.querySelector<HTMLElement>("input:checked, input:not([type=radio]), select, button");
    // Without a control the words themselves are what was looked for.
    if (!control) element.tabIndex = -1;
    element.scrollIntoView({ block: "center" });
    (control ?? element).focus({ preventScroll: true });
  };
}
