import { deferredShellStrings } from "../strings/deferred-shell";
import type { App } from "./app.svelte";

/**
 * Hands a text on: to the clipboard, or, where the browser gives the page none (plain http), as a dialog in which it
 * stands selected.
 */
export async function copyText(
  app: App,
  text: string,
  { heading, done }: { heading: string; done: string },
): Promise<void> {
  try {
    // Not there at all without a secure context, whatever the types say.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    if (!clipboard) throw new DOMException("no clipboard", "NotAllowedError");
    await clipboard.writeText(text);
    app.say({ text: done });
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    app.dialog = { kind: "copy", title: heading, text };
  }
}

/** Shares the address of the view as it is: by the system's share sheet, else by the clipboard. */
export async function shareLink(app: App, title: string): Promise<void> {
  const url = app.linkTo();
  const share = navigator.share as typeof navigator.share | undefined;
  // On a desktop the sheet is one more step between the user and the clipboard.
  if (share && app.shape === "phone") {
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
