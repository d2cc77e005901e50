// What the browser's background sync does with the app closed: it asks each server once for what came since.
import type { PushWorkerStringsWithButtons } from "../../contract";
import { eachAlone } from "../each-alone";
import { readServers } from "../read-servers";
import { Requests } from "../requests";
import { pollInBackground } from "./push-poll";
import type { PushPlace } from "./push-place";
import { Receipt } from "./receipt";
import { updateBadge } from "./update-badge";

/**
 * Polls all servers, stores what came by the ingest of everything else, and shows the alerts that nobody else shows. It
 * moves no cursor. A page in sight does all of this by itself.
 */
export async function receiveInBackground(place: PushPlace, words: PushWorkerStringsWithButtons): Promise<void> {
  const { store, emoji, maxActions, now, isInSight } = place;
  if (await isInSight()) return;
  const [stored, settings] = await Promise.all([readServers(store), store.settings()]);
  if (!stored.ok || !settings.ok) return;
  const { servers, accounts, subscriptions } = stored.value;
  await eachAlone(servers, async (server) => {
    const facts = { server, accounts, subscriptions, settings: settings.value };
    const receipt = new Receipt(place, facts, { address: server.address, words, emoji, maxActions, nowMs: now() });
    // What is older than the last message that is known here is history, or came already.
    const { arrivals } = await pollInBackground(place, new Requests(place, server.address, server), facts, {
      kind: "all",
    });
    await receipt.store(arrivals);
    await receipt.showClaimed(true);
  });
  await updateBadge(place);
}
