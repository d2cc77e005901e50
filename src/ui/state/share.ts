import { deferredShellStrings } from "../strings/deferred-shell";
import type { App } from "./app.svelte";

/**
 * Copies a text to the clipboard. If the browser gives the page none (plain http), shows the text selected in a dialog.
 */
export async function copyText(
  app: App,
  text: string,
  { heading, done }: { heading: string; done: string },
): Promise<void> {
  try {
    // It is undefined without a secure context, whatever the types say.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    if (!clipboard) throw new DOMException("no clipboard", "NotAllowedError");
    await clipboard.writeText(text);
    app.notices.show({ text: done });
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    app.dialogs.open({ kind: "copy", title: heading, text });
  }
}

/** Shares a link, by default that of the current view, through the system's share sheet, else through the clipboard. */
export async function shareLink(app: App, title: string, url = app.navigation.linkTo()): Promise<void> {
  const share = navigator.share as typeof navigator.share | undefined;
  // On a desktop, the share sheet is only an extra step before the clipboard.
  if (share && app.layout.shape === "phone") {
    try {
      await share.call(navigator, { title, url });
      return;
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      if (error.name === "AbortError") return;
    }
  }
  await copyText(app, url, { heading: deferredShellStrings.copyByHand, done: deferredShellStrings.linkCopied });
}
