import { MediaQuery } from "svelte/reactivity";
import type { App } from "../state/app.svelte";
import { viewTitle } from "../state/view-title";
import { words } from "../words";

/** Keeps what belongs to the document as a whole: title, theme, density, the colour of the browser's own bars. */
export function documentLook(app: App): void {
  const dark = new MediaQuery("prefers-color-scheme: dark");
  const root = document.documentElement;

  $effect(() => {
    document.title = words.shell.title(app.unread, viewTitle(app, app));
  });

  $effect(() => {
    const { theme, density } = app.catalogue.settings;
    // The style sheet reads these two; "system" and "comfortable" are its own defaults.
    root.dataset["theme"] = theme;
    root.dataset["density"] = density;
    // The bars take the paper's colour; which one that is may change with the device too.
    void dark.current;
    // With the frame, which computes the styles anyway.
    const frame = requestAnimationFrame(() => {
      const paper = getComputedStyle(root).backgroundColor;
      for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) meta.content = paper;
    });
    return () => cancelAnimationFrame(frame);
  });
}
