import type { Page } from "@playwright/test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Transport } from "../../src/contract";
import type { ServerOptions } from "../../src/server";
import { expect, test as base, type TestServer } from "./fixtures";
import { chooseInMenu, expectLive } from "./on-screen";
import { TcpProxy } from "./tcp-proxy";

export { expect };

/** Each transport, as the server's settings name it. */
export const TRANSPORTS: Readonly<Record<Transport, string>> = {
  json: "JSON stream",
  sse: "SSE stream",
  ws: "WebSocket",
  poll: "Polling",
};

/** The browser's console messages about connections that failed, or were cut within the head of an answer. */
export const BROKEN = /net::ERR_|WebSocket connection to .* failed|Failed to load resource|blocked by CORS policy: No /;

/** Seconds between the keepalives of these servers: the shortest interval that the app accepts. */
export const KEEPALIVE_S = 5;

/** Milliseconds between two messages of a publisher: ten a second. */
const PUBLISH_EVERY_MS = 100;

/** What the app stored of the published messages. */
export interface Tally {
  published: number;
  lost: number;
  doubled: number;
  /** The app counts as many as it stores, and all of them unread. */
  isCounted: boolean;
}

/** The stored data of one topic. */
interface Kept {
  ids: string[];
  texts: string[];
  unread: number;
  total: number;
  /** The keepalive interval that the app has learnt, ms. */
  keepaliveMs: number;
}

/** Reads the database directly, without the app. */
async function readKept(page: Page, topic: string): Promise<Kept> {
  return page.evaluate(async (topic) => {
    const settle = <Value>(request: IDBRequest<Value>): Promise<Value> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error("not read"));
      });
    const db = await settle(indexedDB.open("earshot"));
    const transaction = db.transaction(["servers", "subscriptions", "messages"]);
    interface Subscription {
      subId: number;
      serverId: number;
      topic: string;
      unread: number;
      total: number;
    }
    const all = async <Row>(store: string): Promise<Row[]> =>
      (await settle(transaction.objectStore(store).getAll())) as Row[];
    const subscription = (await all<Subscription>("subscriptions")).find((one) => one.topic === topic);
    const servers = await all<{ serverId: number; keepaliveMs?: number }>("servers");
    const rows = await all<{ subId: number; id: string; event: { message: string } }>("messages");
    db.close();
    const own = rows.filter(({ subId }) => subId === subscription?.subId);
    return {
      ids: own.map(({ id }) => id),
      texts: own.map(({ event }) => event.message),
      unread: subscription?.unread ?? NaN,
      total: subscription?.total ?? NaN,
      keepaliveMs: servers.find(({ serverId }) => serverId === subscription?.serverId)?.keepaliveMs ?? NaN,
    };
  }, topic);
}

/** A topic server that the app reaches only through a proxy, and the messages published there. */
export class FarServer {
  /** Numbered texts, in the order in which they were published. */
  readonly published: string[] = [];
  #publishing: Promise<void> | undefined;
  #isPublishing = false;

  constructor(
    readonly topic: string,
    readonly server: TestServer,
    readonly proxy: TcpProxy,
    readonly stateFile: string,
  ) {}

  /** Publishes directly, not through the proxy. */
  async publish(): Promise<string> {
    const text = `message-${this.published.length}.`;
    await this.server.publish(this.topic, text);
    this.published.push(text);
    return text;
  }

  /** Publishes one message after the other until `stopPublishing`. */
  startPublishing(): void {
    this.#isPublishing = true;
    const run = async (): Promise<void> => {
      let dueMs = performance.now();
      while (this.#isPublishing) {
        await this.publish();
        dueMs = Math.max(dueMs + PUBLISH_EVERY_MS, performance.now());
        await new Promise((resolve) => setTimeout(resolve, dueMs - performance.now()));
      }
    };
    this.#publishing = run();
  }

  async stopPublishing(): Promise<void> {
    this.#isPublishing = false;
    await this.#publishing;
  }

  /** Stops the server, and publishing with it. */
  async stop(): Promise<void> {
    await this.stopPublishing();
    await this.server.stop();
  }

  /** Starts the server and publishing again. @param options forgetting: delete its stored messages first */
  async start({ forgetting = false } = {}): Promise<void> {
    if (forgetting) await rm(this.stateFile);
    await this.server.start();
    this.startPublishing();
  }

  /** Shows its topic. */
  async show(page: Page, app: TestServer): Promise<void> {
    await page.goto(`${app.url}#/http:${this.proxy.host}/${this.topic}`);
  }

  /** Subscribes through the proxy, and waits until it is live. */
  async subscribe(page: Page, app: TestServer): Promise<void> {
    await this.show(page, app);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expectLive(page);
  }

  /** Chooses the transport in the server's settings. */
  async chooseTransport(page: Page, app: TestServer, transport: Transport): Promise<void> {
    await this.show(page, app);
    await chooseInMenu(page, "Server settings");
    await page.getByLabel("How messages are received").selectOption(TRANSPORTS[transport]);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  }

  /** Chooses the transport, and waits until the server sees it. */
  async receiveBy(page: Page, app: TestServer, transport: Transport): Promise<void> {
    await this.chooseTransport(page, app, transport);
    await expect.poll(() => this.formats()).toEqual(transport === "poll" ? [] : [transport]);
  }

  /** The formats of the streams that are open at its server. */
  formats(): string[] {
    return this.server.running.streams().map(({ format }) => format);
  }

  /** The keepalive interval that the app has learnt, ms. */
  async keepaliveMs(page: Page): Promise<number> {
    return (await readKept(page, this.topic)).keepaliveMs;
  }

  /** Compares the stored with the published messages: the first `upTo`, or all. */
  async tally(page: Page, upTo = this.published.length): Promise<Tally> {
    const published = this.published.slice(0, upTo);
    const { ids, texts, unread, total } = await readKept(page, this.topic);
    const stored = new Set(texts);
    return {
      published: published.length,
      lost: published.filter((text) => !stored.has(text)).length,
      doubled: ids.length - new Set(ids).size + (texts.length - stored.size),
      isCounted: unread === ids.length && total === ids.length,
    };
  }
}

export const test = base.extend<{
  /** Starts a server behind a proxy; it keeps its messages in a file. */
  startFar: (topic: string, options?: ServerOptions) => Promise<FarServer>;
}>({
  startFar: async ({ startOther, watch }, use, info) => {
    watch.tolerate(BROKEN);
    const started: FarServer[] = [];
    await use(async (topic, options = {}) => {
      const stateFile = join(info.outputPath(), `${topic}.ndjson`);
      const server = await startOther({ keepalive: KEEPALIVE_S, stateFile, ...options });
      const proxy = new TcpProxy(() => server.port);
      await proxy.start();
      watch.allow(proxy.host);
      const far = new FarServer(topic, server, proxy, stateFile);
      started.push(far);
      return far;
    });
    for (const far of started) {
      await far.stopPublishing();
      await far.proxy.stop();
    }
  },
});

/** Makes the page visible again, which ends the app's wait for the next try. */
export async function lookAgain(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
}

/**
 * Waits until all messages published so far are stored. `isPolled`: triggers polls, which come only every half minute.
 */
export async function expectCaughtUp(page: Page, far: FarServer, { isPolled }: { isPolled: boolean }): Promise<void> {
  const upTo = far.published.length;
  await expect
    .poll(
      async () => {
        if (isPolled) await lookAgain(page);
        return (await far.tally(page, upTo)).lost;
      },
      { message: `messages of ${far.topic} that are not stored`, timeout: 60_000, intervals: [500] },
    )
    .toBe(0);
}
