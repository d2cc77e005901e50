// Runs in a page of the app's origin before the app does: fills the database by the app's own store.
import type { ServerAddress, StorableEvent } from "../../../src/protocol";
import { openStore } from "../../../src/store";
import { backlog } from "../messages";

/** What the database is to hold. */
export interface FillJob {
  address: string;
  topics: string[];
  /** Messages in all, over the topics in turn; the newest is a minute old. */
  count: number;
  /** Packed for searches too, as the hub does once it has been quiet for a while. */
  packed?: boolean;
}

declare global {
  var fill: ((job: FillJob) => Promise<number>) | undefined;
}

/** So many in one transaction: large enough to be quick. */
const PIECE = 5_000;

globalThis.fill = async ({ address, topics, count, packed = false }) => {
  const opened = await openStore({});
  if (!opened.ok) throw new Error(opened.error.text);
  const store = opened.value;
  const server = await store.addServer(address as ServerAddress);
  if (!server.ok) throw new Error(server.error.text);
  const { serverId } = server.value;
  const added = await store.addSubscriptions({ serverId, accountId: 0, topics });
  if (!added.ok) throw new Error(added.error.text);
  // More than the usual limit may be asked for.
  const unlimited = await store.setSetting("keepMessages", 0);
  if (!unlimited.ok) throw new Error(unlimited.error.text);
  const subIds = added.value.map(({ subId }) => subId);
  const nowMs = Date.now();
  const nowS = Math.floor(nowMs / 1_000);
  // One a second, as old as need be; more than the days that are kept would be removed.
  const firstTime = nowS - 60 - count;
  let stored = 0;
  for (let at = 0; at < count; at += PIECE) {
    // The same words in every run: how deep the first of something rare lies decides how long it takes to find.
    const lines = backlog("t", Math.min(PIECE, count - at), firstTime + at, at + 1)
      .trimEnd()
      .split("\n");
    const arrivals = lines.map((line, index) => {
      const place = (at + index) % subIds.length;
      const event = { ...(JSON.parse(line) as StorableEvent), topic: topics[place] ?? "" };
      return { subId: subIds[place] ?? 0, event, via: "poll" as const };
    });
    const isLast = at + PIECE >= count;
    const result = await store.ingest({
      arrivals,
      nowMs,
      serverNowS: nowS,
      alerts: false,
      // As after a complete poll, so that the app has no history to fetch.
      ...(isLast && {
        cursors: { joined: subIds, timeCursors: subIds.map((subId) => ({ subId, time: nowS })) },
      }),
    });
    if (!result.ok) throw new Error(result.error.text);
    stored += result.value.added.length;
  }
  for (let more = packed; more;) {
    const round = await store.keepPacks();
    if (!round.ok) throw new Error(round.error.text);
    more = round.value.more;
  }
  store.close();
  return stored;
};
document.title = "ready";
