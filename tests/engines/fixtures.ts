import { test as base } from "@playwright/test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, LIMITS, TestServer } from "../e2e/fixtures";
import type { ServerOptions } from "../../src/server";
import { copyApp, type Changes } from "./app-copy";
import type { Engine, Launch } from "./engine";
import { startFirefox } from "./firefox";
import { button, Tab } from "./tab";
import { startWebKit } from "./webkit";

export { expect };
export * from "./tab";

const ENGINES = { firefox: startFirefox, webkit: startWebKit };
export type EngineName = keyof typeof ENGINES;

interface Options {
  engineName: EngineName;
  launch: Launch;
}

interface WorkerFixtures {
  /** One browser for all tests: as each test's server has its own port, none sees what another stored. */
  engine: Engine;
}

interface Fixtures {
  /** What the browser lacks. */
  changes: Changes;
  serverOptions: ServerOptions;
  server: TestServer;
  /** Opens one more window. All are closed in the end, and fail the test if anything went wrong in them. */
  openTab: () => Promise<Tab>;
  /** The first window. */
  tab: Tab;
}

export const test = base.extend<Fixtures, WorkerFixtures & Options>({
  engineName: ["firefox", { option: true, scope: "worker" }],
  launch: [{}, { option: true, scope: "worker" }],
  engine: [
    async ({ engineName, launch }, use) => {
      const engine = await ENGINES[engineName](launch);
      await use(engine);
      await engine.close();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  changes: [{}, { option: true }],
  serverOptions: [{}, { option: true }],
  server: async ({ changes, serverOptions }, use) => {
    const folder = await mkdtemp(join(tmpdir(), "earshot-app-"));
    await copyApp(folder, changes);
    const server = new TestServer({ app: folder, attachments: {}, limits: LIMITS, ...serverOptions });
    await server.start();
    await use(server);
    await server.stop();
    await rm(folder, { recursive: true });
  },
  openTab: async ({ engine }, use, info) => {
    const tabs: Tab[] = [];
    await use(async () => {
      const tab = new Tab(await engine.open());
      tabs.push(tab);
      return tab;
    });
    for (const [at, tab] of tabs.entries()) {
      if (tab.isClosed) continue;
      if (info.status !== info.expectedStatus) {
        const path = info.outputPath(`window-${at + 1}.png`);
        await writeFile(path, await tab.window.picture());
        await info.attach(`window ${at + 1}`, { path, contentType: "image/png" });
      }
      await tab.close();
    }
    expect(tabs.flatMap(({ trouble }) => trouble)).toEqual([]);
  },
  tab: async ({ openTab }, use) => use(await openTab()),
});

/** Subscribes on the page that a link opens, and waits until the topics are live. */
export async function subscribe(tab: Tab, server: TestServer, ...topics: string[]): Promise<void> {
  await tab.goto(`${server.url}#/${topics.join(",")}`);
  await tab.press(button("Subscribe", "main"));
  await isLive(tab);
}

/** Waits until the view says that it is connected by a stream. */
export async function isLive(tab: Tab): Promise<void> {
  await tab.shows({ css: "main *", name: "Live" }, 1, 30_000);
}

/** Waits until the service worker is active: from then on the page needs no server. */
export async function keptOffline(tab: Tab): Promise<void> {
  await tab.answers(async () => {
    await navigator.serviceWorker.ready;
    return navigator.serviceWorker.controller?.state;
  }, "activated");
}

/** How many messages are stored, straight from the database. */
export function storedMessages(tab: Tab): Promise<number> {
  return tab.window.run(
    () =>
      new Promise<number>((resolve, reject) => {
        const open = indexedDB.open("earshot");
        open.onerror = () => reject(new Error(open.error?.message));
        open.onsuccess = () => {
          const count = open.result.transaction("messages").objectStore("messages").count();
          count.onsuccess = () => {
            open.result.close();
            resolve(count.result);
          };
        };
      }),
  );
}
