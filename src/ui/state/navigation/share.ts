import { frameStrings } from "../../strings";
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

/**
 * Opens the system's share sheet, where there is one. Resolves to whether the user shared the link or declined; false
 * if the browser refused.
 */
export async function shareBySystem(title: string, url: string): Promise<boolean> {
  try {
    await navigator.share({ title, url });
    return true;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return error.name === "AbortError";
  }
}

/** Shares a link, by default that of the current view, through the system's share sheet, else through the clipboard. */
export async function shareLink(app: App, title: string, url = app.navigation.linkTo()): Promise<void> {
  // On a desktop, the share sheet is only an extra step before the clipboard.
  if ("share" in navigator && app.layout.shape === "phone" && (await shareBySystem(title, url))) return;
  await copyText(app, url, { heading: frameStrings.copyByHand, done: frameStrings.linkCopied });
}
