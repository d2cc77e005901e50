import type { App } from "../../state/app.svelte";
import { leadOn } from "../link/moved-links";

/** Redirects links with a server's former address to the present one, for the life of the page. */
export function followMoves(app: App): void {
  $effect.root(() => {
    $effect(() => {
      // Read for the effect: the address itself isn't state.
      void app.navigation.view;
      const onwards = leadOn(location.hash, app.home, app.catalogue.servers);
      if (onwards !== undefined) location.replace(onwards);
    });
  });
}
