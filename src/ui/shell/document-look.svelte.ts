import { MediaQuery } from "svelte/reactivity";
import type { App } from "../state/app.svelte";
import { throttled } from "../state/throttled.svelte";
import { viewTitle } from "../state/navigation/view-title";
import { appStrings, localeSpoken } from "../strings";

/** Updates the document as a whole: title, theme, density, the colour of the browser's own bars. */
export function documentLook(app: App): void {
  const dark = new MediaQuery("prefers-color-scheme: dark");

  const unread = throttled(() => app.unread);
  $effect(() => {
    void localeSpoken();
    const name = app.catalogue.settings.host?.config.name ?? "Earshot";
    const title = { view: viewTitle(app.pane, app), app: name };
    const count = unread();
    document.title = count ? appStrings.shell.titleUnread({ ...title, count }) : appStrings.shell.title(title);
  });

  const theme = $derived(app.catalogue.settings.theme);
  const density = $derived(app.density);
  const display = $derived(app.catalogue.settings.display ?? {});
  $effect.pre(() => {
    // Every size is in rem. An invalid percentage is ignored, and the browser's size stays.
    document.documentElement.style.fontSize = `${display.textSize ?? 100}%`;
  });
  $effect.pre(() => {
    const root = document.documentElement;
    // The style sheet reads these two; "system" and "comfortable" are its own defaults.
    root.dataset["theme"] = theme;
    root.dataset["density"] = density;
    // The bars take the page's background colour, which may also change with the device's theme.
    void dark.current;
    // In the next frame, which computes the styles anyway.
    const frame = requestAnimationFrame(() => {
      const paper = getComputedStyle(root).backgroundColor;
      for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) meta.content = paper;
    });
    return () => cancelAnimationFrame(frame);
  });
}
