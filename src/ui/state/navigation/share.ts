import type { App } from "../app.svelte";

/** Copies a text to the clipboard. If there is none (plain http), shows the text selected in a dialog. */
export async function copyText(
  app: App,
  text: string,
  { heading, done }: { heading: string; done: string },
): Promise<boolean> {
  try {
    // It is undefined without a secure context, whatever the types say.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    if (!clipboard) throw new DOMException("no clipboard", "NotAllowedError");
    await clipboard.writeText(text);
    app.notices.show({ text: done });
    return true;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    app.dialogs.open({ kind: "copy", title: heading, text });
    return false;
  }
}

/** Opens the system's share sheet, where there is one. What the browser refuses has other ways in the dialog. */
export async function shareBySystem(title: string, url: string): Promise<void> {
  try {
    await navigator.share({ title, url });
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

/** Shows a link, by default that of the current view, with all ways to hand it on. */
export function shareLink(app: App, title: string, url = app.navigation.linkTo()): void {
  app.dialogs.open({ kind: "share", title, url });
}
