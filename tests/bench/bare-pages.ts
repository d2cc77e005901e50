import type { LoopbackServer } from "./loopback-server";
import { NAMES_FOR_PAGES } from "./watch-times";

/** What a floor's page does with a topic: nothing but the one thing that is measured. */
export type BareJob = { kind: "poll" | "stream"; url: string; count: number; isStored: boolean };

declare global {
  var bare: ((job: BareJob) => Promise<number>) | undefined;
}

/** Serves a page that reads a topic, puts each message into a database and appends its text; its path. */
export function serveBarePage(server: LoopbackServer): string {
  server.serve("/bare/", {
    type: "text/html",
    body: `<!doctype html><title>bare</title><main></main><script>${NAMES_FOR_PAGES} globalThis.bare = ${runBare.toString()}</script>`,
  });
  return `${server.url}/bare/`;
}

interface BareEvent {
  event: string;
  id: string;
  time: number;
  message?: string;
}

/**
 * Fetch, split, parse, put, append; with the same key and the same index as the app. Runs in the page and stands alone, as it
 * is sent there as text.
 * @returns `performance.now()` when `count` messages were stored, or appended where nothing is stored
 */
async function runBare({ url, count, isStored }: BareJob): Promise<number> {
  const open = indexedDB.open("bare", 1);
  open.onupgradeneeded = () => {
    open.result.createObjectStore("messages", { keyPath: ["subId", "time", "id"] }).createIndex("time", "time");
  };
  await new Promise((resolve) => (open.onsuccess = resolve));
  const response = await fetch(url);
  if (!response.body) throw new Error("no body");
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const place = document.querySelector("main");
  let rest = "";
  let seen = 0;
  document.title = "reading";
  while (seen < count) {
    const { value, done } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    const events = lines.filter(Boolean).map((line) => JSON.parse(line) as BareEvent);
    const messages = events.filter(({ event }) => event === "message");
    if (messages.length === 0) continue;
    seen += messages.length;
    place?.append(messages.at(-1)?.message ?? "");
    if (!isStored) continue;
    const transaction = open.result.transaction("messages", "readwrite");
    const store = transaction.objectStore("messages");
    for (const event of messages) store.put({ subId: 1, time: event.time, id: event.id, event });
    await new Promise((resolve) => (transaction.oncomplete = resolve));
  }
  await reader.cancel();
  return performance.now();
}
