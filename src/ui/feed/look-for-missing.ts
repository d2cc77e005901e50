import type { Commands, MessageKey } from "../../contract";
import type { App } from "../state/app.svelte";
import { missingStrings } from "../strings";

/** Asks servers for everything they hold, and reports what was missing here, or failures. */
export async function lookForMissing(app: App, asked: readonly Commands["refresh"]["input"][]): Promise<void> {
  app.notices.show({ text: missingStrings.looking });
  let missing = 0;
  let isForgotten = false;
  const found: MessageKey[] = [];
  for (const one of asked) {
    const done = await app.attempt("refresh", one);
    if (!done) return;
    missing += done.value.missing;
    found.push(...done.value.found);
    isForgotten ||= done.value.forgot === true;
  }
  if (missing === 0) app.notices.show({ text: isForgotten ? missingStrings.forgot : missingStrings.none });
  else {
    const [newest] = found.sort(([, a], [, b]) => b - a);
    const action = newest && { label: missingStrings.show, run: () => void goTo(app, newest) };
    const text = (isForgotten ? missingStrings.foundAndForgot : missingStrings.found)({ count: missing });
    app.notices.show({ text, ...(action && { action }) });
  }
}

async function goTo(app: App, key: MessageKey): Promise<void> {
  const read = await app.read((reader) => reader.get(key));
  if (read?.value) location.hash = new URL(app.navigation.linkTo(read.value)).hash;
}
