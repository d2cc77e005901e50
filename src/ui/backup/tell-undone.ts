import type { App } from "../state/app.svelte";
import { backupStrings } from "../strings";

/**
 * An import that was cut off is undone half a minute after its last sign of life; how often, ms, and how long to look
 * for that.
 */
const LOOK_EVERY_MS = 5_000;
const MAX_LOOKS = 24;

/** Tells once, as the page starts, that an import was cut off, for instance by a crash, and undone. */
export async function tellUndoneImport({ client, notices }: App): Promise<void> {
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const answer = await client.send("undoneImport", {});
    if (!answer.ok) return;
    if (answer.value.isUndone) notices.show({ text: backupStrings.undone });
    if (answer.value.isUndone || !answer.value.isPending) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
