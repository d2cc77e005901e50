import { SvelteMap } from "svelte/reactivity";
import { keyText, type Commands, type MessageKey } from "../../../contract";
import type { App } from "../../state/app.svelte";

/** How many texts are open at once; beyond that, the oldest closes. */
const MOST = 20;

/** The open texts by message, so that they stay open while it scrolls; undefined while one is read. Oldest first. */
export const openTexts = new SvelteMap<string, Commands["readAttachment"]["output"] | undefined>();

/** Opens the text of a message's file, which the hub reads. */
export async function openText(app: App, key: MessageKey): Promise<void> {
  const name = keyText(key);
  openTexts.delete(name);
  openTexts.set(name, undefined);
  for (const oldest of openTexts.keys()) {
    if (openTexts.size <= MOST) break;
    openTexts.delete(oldest);
  }
  const output = await app.client.send("readAttachment", { key });
  if (openTexts.has(name)) openTexts.set(name, output);
}
