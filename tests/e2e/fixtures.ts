import { expect, test as base, type BrowserContext, type Page } from "@playwright/test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../scripts/source-hash.mjs";
import {
  startServer,
  type LocalMessage,
  type RequestEntry,
  type ServerOptions,
  type TopicServer,
} from "../../src/server";
import { systemClock } from "../../src/server/environment";
import { PLAIN_NAME } from "./playwright.config";
import { Watch } from "./watch";

export { expect };

/** The built app. */
export const DIST = join(ROOT, "dist");

/** The embedded server for a test: it can stop and start again, with or without its stored messages. */
export class TestServer {
  /** Every request answered since the start, including files of the app and ended streams. */
  readonly requests: RequestEntry[] = [];
  /** How far its clock is ahead of the machine's, ms. */
  aheadMs = 0;
  #running: TopicServer | undefined;
  #port = 0;
  #options: ServerOptions;

  /** @param port 0 for any */
  constructor(options: ServerOptions, port = 0) {
    this.#options = options;
    this.#port = port;
  }

  /** Starts it; after a stop, on the same port, with other options if given. Messages in memory are lost. */
  async start(changed: ServerOptions = {}): Promise<void> {
    this.#options = { ...this.#options, ...changed };
    this.#running = await startServer(
      { ...this.#options, port: this.#port },
      {
        log: (entry) => this.requests.push(entry),
        clock: { ...systemClock, nowMs: () => Date.now() + this.aheadMs },
      },
    );
    this.#port = this.#running.port;
  }

  /** Cuts every stream and refuses every connection from now on. */
  async stop(): Promise<void> {
    await this.#running?.close();
    this.#running = undefined;
  }

  /** The server that runs now. */
  get running(): TopicServer {
    if (!this.#running) throw new Error("the server is stopped");
    return this.#running;
  }

  /** Host and port. */
  get host(): string {
    return `127.0.0.1:${this.#port}`;
  }

  /** Address of the app, ending in a slash. A fragment can follow. */
  get url(): string {
    return `http://${this.host}/`;
  }

  get port(): number {
    return this.#port;
  }

  /** Whether any client asked for a topic, including open streams; loads of its page don't count. */
  wasAskedFor(topic: string): boolean {
    const paths = this.requests
      .filter(({ path }) => /^\/[^/]+\/./.test(path))
      .map(({ path }) => path.split("/")[1] ?? "");
    const lists = this.running.streams().map(({ topics }) => topics.join(","));
    return [...paths, ...lists].some((list) => list.split(",").includes(topic));
  }

  /** How many requests were answered with a status. */
  answered(status: number): number {
    return this.requests.filter((entry) => entry.status === status).length;
  }

  /** Publishes over HTTP as `curl -d` does. */
  async curl(topic: string, message: string, headers: Record<string, string> = {}): Promise<void> {
    const answer = await fetch(`${this.url}${topic}`, { method: "POST", body: message, headers });
    expect(answer.status, `POST ${topic}`).toBe(200);
  }

  /** Publishes without limits; returns the message as stored. */
  async publish(topic: string, message: string, more: Omit<LocalMessage, "topic" | "message"> = {}) {
    return this.running.publish({ topic, message, ...more });
  }
}

interface Fixtures {
  /** Options of the server; it serves the app, and its limits are out of the way. */
  serverOptions: ServerOptions;
  server: TestServer;
  /** Whether there are offers after the first subscription; they have tests of their own. */
  firstSteps: boolean;
  /** Whether wide pages have rows of one line, as they do unless the user chooses; few tests are about these. */
  compact: boolean;
  /** Starts another topic server, without the app, which the app may contact. */
  startOther: (options?: ServerOptions) => Promise<TestServer>;
  /** Fails the test on errors, violations of the policy and requests to other hosts; always active. */
  watch: Watch;
}

/** Limits so high that a test meets only those that it sets itself. */
export const LIMITS = { requests: 100_000, requestRefill: 0.001, streams: 1000, newTopics: 100_000 };

/** The port of this worker's servers, one after another: the browser finds each next app where the last one was. */
let port = 0;

/** Leaves nothing of an earlier test in a context that is used again, besides what Playwright sees to. */
async function forget(context: BrowserContext): Promise<void> {
  const [page = await context.newPage()] = context.pages();
  const session = await context.newCDPSession(page);
  await session.send("Page.resetNavigationHistory");
  for (const host of ["127.0.0.1", PLAIN_NAME]) {
    await session.send("Storage.clearDataForOrigin", { origin: `http://${host}:${port}`, storageTypes: "all" });
  }
  await session.detach();
  await context.clearPermissions();
  await context.setOffline(false);
  await context.addInitScript((start) => {
    if (location.protocol !== "http:" || origin === "null" || sessionStorage.getItem("test") === start) return;
    sessionStorage.clear();
    sessionStorage.setItem("test", start);
  }, String(Date.now()));
}

export const test = base.extend<Fixtures>({
  serverOptions: [{}, { option: true }],
  firstSteps: [false, { option: true }],
  compact: [false, { option: true }],

  server: async ({ serverOptions, reuseContext }, use) => {
    if (!existsSync(join(DIST, "index.html"))) throw new Error("There is no build; npm run e2e makes one.");
    const server = new TestServer(
      { app: DIST, attachments: {}, limits: LIMITS, ...serverOptions },
      reuseContext ? port : 0,
    );
    await server.start();
    port = server.port;
    await use(server);
    await server.stop();
  },

  startOther: async ({ watch }, use) => {
    const started: TestServer[] = [];
    await use(async (options = {}) => {
      const other = new TestServer({ limits: LIMITS, ...options });
      await other.start();
      watch.allow(other.host);
      started.push(other);
      return other;
    });
    for (const other of started) await other.stop();
  },

  watch: [
    async ({ browser, context, server, firstSteps, compact, reuseContext }, use) => {
      if (reuseContext) await forget(context);
      if (!firstSteps) {
        await context.addInitScript(() => {
          if (location.protocol === "http:" && origin !== "null") localStorage.setItem("earshot-first-steps", "done");
        });
      }
      if (!compact) {
        await context.addInitScript(() => {
          const { matchMedia } = globalThis;
          globalThis.matchMedia = (query) => matchMedia(query === "(width > 1100px)" ? "not all" : query);
        });
      }
      const watch = new Watch([server.host, `localhost:${server.port}`]);
      await watch.start(browser, context);
      await use(watch);
      await watch.stop();
      expect(watch.unexpected, "errors, violations and foreign requests").toEqual([]);
    },
    { auto: true },
  ],
});

/** Subscribes through a link and waits for the feed. */
export async function subscribe(page: Page, server: TestServer, ...topics: string[]): Promise<void> {
  await page.goto(`${server.url}#/${topics.join(",")}`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByRole("feed").or(page.getByText("No messages yet"))).toBeVisible();
}
