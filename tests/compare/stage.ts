import { setTimeout } from "node:timers/promises";
import { chromium, type Browser, type BrowserContext, type Page } from "@playwright/test";
import { launchOptions } from "../bench/launch-options";
import { TcpProxy } from "../e2e/tcp-proxy";
import type { Client } from "./clients";
import { startOtherHosts, type OtherHosts } from "./other-hosts";
import { openTab, seenAt } from "./screen";

/** Streams of any kind, wherever they start from. */
export const STREAMS = /^GET \/[^/]+\/(?:json|sse|ws)(?!\S*poll=1)\S* HTTP/;

/** With next to nothing from the server for so long, ms, a client is at rest. */
const REST_MS = 6_000;
/** Bytes that open streams may bring in that time to show that they live, or that a client's checks of them may. */
const REST_BYTES = 6_000;
/** How often is looked for that, ms. */
const LOOK_EVERY_MS = 100;
/** What takes longer than this, ms, counts as not happening. */
export const LONGEST_MS = 60_000;
/** Messages that are published at the same time, at most. */
const AT_A_TIME = 20;

/** What a message can have beside its text. */
export interface Extras {
  priority?: number;
  tags?: string[];
  attach?: string;
  icon?: string;
}

/**
 * A client's server behind a proxy that can take the network away. The browser knows only the proxy; what is published
 * goes to the server itself.
 */
export interface Stage {
  client: Client;
  proxy: TcpProxy;
  others: OtherHosts;
  /** Address of the client for the browser, without a slash at the end. */
  url: string;
  /** A name that no topic has had. */
  newTopic(): string;
  publish(topic: string, message: string, extras?: Extras): Promise<void>;
  publishMany(topic: string, messages: readonly string[]): Promise<void>;
  /** Runs something in a new process of the browser with an empty profile. */
  withBrowser<Value>(work: (context: BrowserContext, browser: Browser) => Promise<Value>): Promise<Value>;
  /** Opens a topic's link in a new tab and subscribes. `shown` is a text that the topic has cached. */
  subscribe(context: BrowserContext, topic: string, shown: string): Promise<Page>;
  /** Waits until next to nothing has come from the server for a while. */
  untilRest(): Promise<void>;
  close(): Promise<void>;
}

/** @param server address of the topic server that also serves the client, on loopback */
export async function openStage(client: Client, server: URL): Promise<Stage> {
  const proxy = new TcpProxy(() => Number(server.port));
  await proxy.start();
  const others = await startOtherHosts();
  const url = `http://${proxy.host}`;
  let topics = 0;
  const started = Date.now().toString(36);

  async function publish(topic: string, message: string, extras: Extras = {}): Promise<void> {
    const answer = await fetch(server, { method: "POST", body: JSON.stringify({ topic, message, ...extras }) });
    if (!answer.ok) throw new Error(`The server did not take a message: ${answer.status} ${await answer.text()}`);
    await answer.text();
  }

  return {
    client,
    proxy,
    others,
    url,
    newTopic: () => `compare-${started}-${topics++}`,
    publish,
    async publishMany(topic, messages) {
      for (let at = 0; at < messages.length; at += AT_A_TIME) {
        await Promise.all(messages.slice(at, at + AT_A_TIME).map((message) => publish(topic, message)));
      }
    },
    async withBrowser(work) {
      const { args = [], ...options } = launchOptions();
      const browser = await chromium.launch({ ...options, args: [...args, others.argument] });
      try {
        return await work(await browser.newContext(), browser);
      } finally {
        proxy.pass();
        await browser.close();
      }
    },
    async subscribe(context, topic, shown) {
      const page = await openTab(context, shown);
      await page.goto(client.link(url, topic));
      for (const name of client.presses) await page.getByRole("button", { name, exact: true }).click();
      if ((await seenAt(page, shown, LONGEST_MS)) === undefined) {
        throw new Error(`${client.title} does not show the message of a topic that was subscribed to.`);
      }
      return page;
    },
    async untilRest() {
      const end = performance.now() + LONGEST_MS;
      let bytes = -REST_BYTES;
      let sinceMs = performance.now();
      while (performance.now() - sinceMs < REST_MS && performance.now() < end) {
        if (proxy.answered - bytes > REST_BYTES) [bytes, sinceMs] = [proxy.answered, performance.now()];
        await setTimeout(LOOK_EVERY_MS);
      }
    },
    async close() {
      await proxy.stop();
      await others.close();
    },
  };
}
