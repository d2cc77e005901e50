import type { FeedList } from "../../contract";
import type { App } from "../state/app.svelte";

/** Together these lists hold every message that is shown anywhere. */
const LISTS: readonly FeedList[] = ["feed", "done", "snoozed", "scheduled"];

/** Deletes all messages of these topics, and offers to undo it. */
export async function deleteAllOf(app: App, subIds: number[], words: (count: number) => string): Promise<void> {
  const undos: string[] = [];
  let deleted = 0;
  for (const list of LISTS) {
    const query = { list, subIds, filter: { terms: [] } };
    const counted = await app.attempt("count", query);
    if (!counted) break;
    if (counted.value.count === 0) continue;
    const every = { ...query, upTo: counted.value.upTo };
    const done = await app.attempt("delete", { every, except: [] });
    if (!done) break;
    deleted += done.value.count;
    undos.push(done.value.undo);
  }
  if (deleted === 0) return;
  const takeBack = async (): Promise<void> => {
    for (const undo of undos) await app.attempt("undo", { undo });
  };
  app.notices.show({ text: words(deleted), undo: () => void takeBack() });
}
