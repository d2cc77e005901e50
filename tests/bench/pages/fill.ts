// Runs in a page of the app's origin before the app does: fills the database through the app's own store.
import type { ServerAddress, StorableEvent } from "../../../src/protocol";
import { openStore } from "../../../src/store";
import { backlog } from "../messages";

/** What the database is to hold. */
export interface FillJob {
  address: string;
  topics: string[];
  /** Number of messages in all topics together, which take turns; the newest is a minute old. */
  count: number;
  /** Also segments the messages for searches, as the hub does once it has been quiet for a while. */
  indexed?: boolean;
}

declare global {
  var fill: ((job: FillJob) => Promise<number>) | undefined;
  /** Stores one new message in the first topic, as a push does. */
  var receiveOne: (() => Promise<number>) | undefined;
}

/** Messages in one transaction: enough to be fast. */
const PIECE = 5_000;

globalThis.fill = async ({ address, topics, count, indexed = false }) => {
  const opened = await openStore({});
  if (!opened.ok) throw new Error(opened.error.text);
  const store = opened.value;
  const server = await store.addServer(address as ServerAddress);
  if (!server.ok) throw new Error(server.error.text);
  const { serverId } = server.value;
  const added = await store.addSubscriptions({ serverId, accountId: 0, topics });
  if (!added.ok) throw new Error(added.error.text);
  // A case may ask for more than the usual limit.
  const unlimited = await store.setSetting("keepMessages", 0);
  if (!unlimited.ok) throw new Error(unlimited.error.text);
  const subIds = added.value.map(({ subId }) => subId);
  const nowMs = Date.now();
  const nowS = Math.floor(nowMs / 1_000);
  // One message a second back into the past; those older than the days that are kept would be removed.
  const firstTime = nowS - 60 - count;
  let stored = 0;
  for (let at = 0; at < count; at += PIECE) {
    // The words are the same in every run, as the time to find something rare depends on how far down it is.
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
      // The app finds a database as after a complete poll, so that it has no history to fetch.
      ...(isLast && {
        cursors: { joined: subIds, timeCursors: subIds.map((subId) => ({ subId, time: nowS })) },
      }),
    });
    if (!result.ok) throw new Error(result.error.text);
    stored += result.value.added.length;
  }
  for (let more = indexed; more;) {
    const round = await store.updateIndex();
    if (!round.ok) throw new Error(round.error.text);
    more = round.value.more;
  }
  store.close();
  return stored;
};
globalThis.receiveOne = async () => {
  const opened = await openStore({});
  if (!opened.ok) throw new Error(opened.error.text);
  const store = opened.value;
  const nowMs = Date.now();
  const time = Math.floor(nowMs / 1_000);
  const subscriptions = await store.subscriptions();
  const [first] = subscriptions.ok ? subscriptions.value : [];
  if (!first) throw new Error("Nothing is subscribed to.");
  const event = { ...(JSON.parse(backlog(first.topic, 1, time, 1_000_000)) as StorableEvent), topic: first.topic };
  const arrivals = [{ subId: first.subId, event, via: "push" as const }];
  const result = await store.ingest({ arrivals, nowMs, serverNowS: time, alerts: false });
  if (!result.ok) throw new Error(result.error.text);
  store.close();
  return result.value.added.length;
};
document.title = "ready";
