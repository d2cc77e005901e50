// Runs in a worker of a real browser: takes one backlog through the app's own path, or through the bare floor.

import { rowsEvent } from "../../../src/hub/lead/between-hubs";
import { IngestQueue } from "../../../src/hub/server/ingest-queue";
import { poll } from "../../../src/hub/requests/poll";
import { Requests } from "../../../src/hub/requests/requests";
import type { Environment, Written } from "../../../src/hub/environment";
import type { ServerAddress, StorableEvent } from "../../../src/protocol";
import { openStore, type Store } from "../../../src/store";

/** Which messages to ingest, and by which way. */
export interface IngestJob {
  kind: "measured" | "floor";
  database: string;
  /** Address of the topic server. */
  url: string;
  topic: string;
}

/** How long it took. */
export interface IngestTimes {
  totalMs: number;
  /** Time until the newest messages were announced. */
  newestMs: number;
  stored: number;
}

const run: Record<IngestJob["kind"], (job: IngestJob) => Promise<IngestTimes>> = {
  measured: runMeasured,
  floor: runFloor,
};

addEventListener("message", ({ data }: MessageEvent<IngestJob>) => {
  void run[data.kind](data).then(
    (times) => postMessage({ times }),
    (error: unknown) => postMessage({ error: String(error) }),
  );
});

/** Polls, decodes, ingests and announces with the hub's own code over the real database. */
async function runMeasured({ database, url, topic }: IngestJob): Promise<IngestTimes> {
  const opened = await openStore({ name: database });
  if (!opened.ok) throw new Error(opened.error.text);
  const store = opened.value;
  const { serverId, subId } = await subscribe(store, url as ServerAddress, topic);
  const environment = environmentOf(store);
  let newestAt = 0;
  const written = (what: Written) => {
    // What the hub makes of it for the pages.
    const event = rowsEvent(what);
    if (event && what.added?.length) newestAt ||= performance.now();
  };
  const nothing = (): void => undefined;
  const queue = new IngestQueue(environment, { announce: nothing, written }, nothing);

  const start = performance.now();
  const events: StorableEvent[] = [];
  const requests = new Requests(environment, url as ServerAddress);
  const request = { topics: [topic], since: { kind: "all" }, scheduled: true } as const;
  const malformed = (count: number) => {
    throw new Error(`${count} malformed`);
  };
  const failure = await poll(requests, request, {
    events: (some) => void events.push(...some),
    malformed,
  });
  if (failure) throw new Error(failure.kind);
  const last = events.at(-1);
  if (!last) throw new Error("nothing came");
  const cursor = { serverId, accountId: 0, id: last.id, time: last.time, expires: last.time + 43_200 };
  const result = await queue.addPolled({
    serverId,
    arrivals: events.map((event) => ({ subId, event, via: "poll" })),
    serverNowS: last.time,
    alerts: true,
    cursors: { group: cursor, timeCursors: [{ subId, time: last.time }] },
  });
  const totalMs = performance.now() - start;
  store.close();
  if (!result.ok) throw new Error(result.error.text);
  return { totalMs, newestMs: newestAt - start, stored: result.value.added.length };
}

async function subscribe(store: Store, address: ServerAddress, topic: string) {
  const server = await store.addServer(address);
  if (!server.ok) throw new Error(server.error.text);
  const { serverId } = server.value;
  const added = await store.addSubscriptions({ serverId, accountId: 0, topics: [topic] });
  if (!added.ok || !added.value[0]) throw new Error("no subscription");
  return { serverId, subId: added.value[0].subId };
}

function environmentOf(store: Store): Environment {
  return {
    now: () => Date.now(),
    setTimer: (timed, delayMs) => setTimeout(timed, delayMs),
    clearTimer: (timer) => clearTimeout(timer as number | undefined),
    fetch: (url, init) => fetch(url, init),
    connectWebSocket: () => ({ close: () => undefined }),
    random: () => Math.random(),
    randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
    channel: { post: () => undefined, listen: () => () => undefined },
    store,
    isBlocked: () => Promise.resolve(false),
    mode: "database",
    build: "bench",
    report: (problem) => {
      throw problem;
    },
  };
}

/** The floor fetches, splits, parses and puts, with the same key and the same index, in one transaction. */
async function runFloor({ database, url, topic }: IngestJob): Promise<IngestTimes> {
  const open = indexedDB.open(database, 1);
  open.onupgradeneeded = () => {
    open.result.createObjectStore("messages", { keyPath: ["subId", "time", "id"] }).createIndex("time", "time");
  };
  await new Promise((resolve, reject) => {
    open.onsuccess = resolve;
    open.onerror = reject;
  });

  const start = performance.now();
  const text = await (await fetch(`${url}/${topic}/json?poll=1`)).text();
  const transaction = open.result.transaction("messages", "readwrite");
  const store = transaction.objectStore("messages");
  let stored = 0;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const event = JSON.parse(line) as { id: string; time: number };
    store.put({ subId: 1, time: event.time, id: event.id, event });
    stored++;
  }
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = reject;
  });
  const totalMs = performance.now() - start;
  open.result.close();
  return { totalMs, newestMs: totalMs, stored };
}
