import type { LoopbackServer } from "./loopback-server";
import { NAMES_FOR_PAGES } from "./watch-times";

/** What the page of a floor does with a topic: only what is measured. */
export type BareJob = { kind: "poll" | "stream"; url: string; count: number; isStored: boolean };

declare global {
  var bare: ((job: BareJob) => Promise<number>) | undefined;
}

/** Serves a page that reads a topic, puts each message into a database and appends its text; returns its path. */
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
 * Fetches, splits, parses, puts and appends, with the same key and the same index as the app. It is sent to the page as
 * text, so it uses nothing from outside.
 * @returns `performance.now()` when `count` messages were stored, or appended if nothing is stored
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
