import { appStrings } from "../../strings";
import type { App } from "../app.svelte";

/** Copies a text to the clipboard. If there is none (plain http), shows the text selected in a dialog. */
export async function copyText(app: App, text: string): Promise<boolean> {
  try {
    // Undefined without a secure context, whatever the types say.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    if (!clipboard) throw new DOMException("no clipboard", "NotAllowedError");
    await clipboard.writeText(text);
    app.notices.show({ text: appStrings.common.copied });
    return true;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    app.dialogs.open({ kind: "copy", text });
    return false;
  }
}

/** Opens the system's share sheet, if there is one. If the browser refuses, the dialog offers other ways. */
export async function shareBySystem(title: string, url: string): Promise<void> {
  try {
    await navigator.share({ title, url });
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

/** Shows a link, by default to the current view, with all ways to send it. */
export function shareLink(app: App, title: string, url = app.navigation.linkTo()): void {
  app.dialogs.open({ kind: "share", title, url });
}
