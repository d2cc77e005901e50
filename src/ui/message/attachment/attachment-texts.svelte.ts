import { SvelteMap } from "svelte/reactivity";
import { keyText, type Commands, type MessageKey } from "../../../contract";
import type { App } from "../../state/app.svelte";

/** The text of a file, loading or loaded; undefined while it is read. */
export type AttachmentText = Commands["readAttachment"]["output"] | undefined;

/** How many texts are open at once; beyond that, the oldest closes. */
const MOST = 20;

/** By message, so a text stays open while its message scrolls. Oldest first. */
const texts = new SvelteMap<string, AttachmentText>();

export function isTextOpen(key: MessageKey): boolean {
  return texts.has(keyText(key));
}

export function attachmentTextOf(key: MessageKey): AttachmentText {
  return texts.get(keyText(key));
}

/** Opens the text of a message's file, which the hub reads. */
export async function openText(app: App, key: MessageKey): Promise<void> {
  const name = keyText(key);
  texts.delete(name);
  texts.set(name, undefined);
  for (const oldest of texts.keys()) {
    if (texts.size <= MOST) break;
    texts.delete(oldest);
  }
  const output = await app.client.send("readAttachment", { key });
  if (texts.has(name)) texts.set(name, output);
}

export function closeText(key: MessageKey): void {
  texts.delete(keyText(key));
}
