import type { App } from "../state/app.svelte";
import { leadOn } from "./moved-links";

/** Leads links that name a server's former address on to the present one, as long as the page lives. */
export function followMoves(app: App): void {
  $effect.root(() => {
    $effect(() => {
      // Read for the effect: the address bar itself is no state.
      void app.navigation.view;
      const onwards = leadOn(location.hash, app.home, app.catalogue.servers);
      if (onwards !== undefined) location.replace(onwards);
    });
  });
}
