import type { MessageKey } from "../../contract";
import type { App } from "../state/app.svelte";
import { missingStrings } from "../strings";

/** A server to ask, of everything or of one topic. */
export interface ServerToAsk {
  serverId: number;
  subId?: number | undefined;
}

/** Asks servers for everything they hold, and reports what was missing here, or failures. */
export async function lookForMissing(app: App, asked: readonly ServerToAsk[]): Promise<void> {
  app.notices.show({ text: missingStrings.looking });
  let missing = 0;
  let isForgotten = false;
  const found: MessageKey[] = [];
  for (const { serverId, subId } of asked) {
    const done = await app.attempt("refresh", subId === undefined ? { serverId } : { serverId, subId });
    if (!done) return;
    missing += done.value.missing;
    found.push(...done.value.found);
    isForgotten ||= done.value.forgot === true;
  }
  if (missing === 0) app.notices.show({ text: isForgotten ? missingStrings.forgot : missingStrings.none });
  else {
    const run = () => void showFound(app, found, missing);
    const text = (isForgotten ? missingStrings.foundAndForgot : missingStrings.found)({ count: missing });
    app.notices.show({ text, action: { label: missingStrings.show, run } });
  }
}

/** One is gone to; several are listed. */
async function showFound(app: App, keys: MessageKey[], missing: number): Promise<void> {
  const [only, another] = keys;
  if (!only || another) {
    app.dialogs.open({ kind: "found", keys, missing });
    return;
  }
  const read = await app.read((reader) => reader.get(only));
  if (read?.value) location.hash = new URL(app.navigation.linkTo(read.value)).hash;
}
