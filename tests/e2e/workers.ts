import type { Browser, BrowserContext, Page } from "@playwright/test";
import { expect, type TestServer } from "./fixtures";
import { expectLive, message, storedMessages } from "./on-screen";

/** Removes shared workers, as some browsers have none: each tab that opens from now on has its own worker. */
export async function ownWorkers(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => Reflect.deleteProperty(globalThis, "SharedWorker"));
}

/** Runs code before the app's own, in pages and in workers. */
export async function runBefore(context: BrowserContext, code: string): Promise<void> {
  await context.addInitScript(code);
  await context.route(/\/worker-/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${code}\n${await response.text()}` });
  });
}

/**
 * Breaks the shared workers of an app. `end` ends them without notice; `hang` stops them, with all locks and
 * connections they hold, until the returned function is called.
 */
export async function strikeSharedWorkers(
  browser: Browser,
  server: TestServer,
  how: "end" | "hang",
): Promise<() => Promise<void>> {
  const session = await browser.newBrowserCDPSession();
  const { targetInfos } = await session.send("Target.getTargets", { filter: [{ type: "shared_worker" }] });
  const own = targetInfos.filter(({ url }) => url.startsWith(server.url));
  if (own.length === 0) throw new Error("no shared worker runs");
  const answers = new Map<number, () => void>();
  session.on("Target.receivedMessageFromTarget", ({ message }) => {
    const { id = 0 } = JSON.parse(message) as { id?: number };
    answers.get(id)?.();
  });
  let id = 0;
  for (const { targetId } of own) {
    const { sessionId } = await session.send("Target.attachToTarget", { targetId, flatten: false });
    const tell = async (method: string, params: object = {}): Promise<void> => {
      const message = JSON.stringify({ id: ++id, method, params });
      const answered = new Promise<void>((resolve) => answers.set(id, resolve));
      await session.send("Target.sendMessageToTarget", { sessionId, message });
      await answered;
    };
    if (how === "end") {
      // Close it later, as Chromium fails if a worker ends while it still handles the session's command.
      await tell("Runtime.evaluate", { expression: "setTimeout(() => self.close(), 300)" });
      await session.send("Target.detachFromTarget", { sessionId });
    } else {
      // Pauses it in the debugger, as an endless loop would take processor time.
      await tell("Debugger.enable");
      await tell("Runtime.evaluate", { expression: "setTimeout(() => { debugger; })" });
    }
  }
  return () => session.detach();
}

/** Ends the shared workers of an app without notice, and waits until they are gone. */
export async function endSharedWorkers(browser: Browser, server: TestServer): Promise<void> {
  await strikeSharedWorkers(browser, server, "end");
  const session = await browser.newBrowserCDPSession();
  const left = async (): Promise<number> => {
    const { targetInfos } = await session.send("Target.getTargets", { filter: [{ type: "shared_worker" }] });
    return targetInfos.filter(({ url }) => url.startsWith(server.url)).length;
  };
  await expect.poll(left).toBe(0);
  await session.detach();
}

/** A second tab on a topic. */
export async function openBeside(context: BrowserContext, server: TestServer, topic: string): Promise<Page> {
  const tab = await context.newPage();
  await tab.goto(`${server.url}#/${topic}`);
  await expectLive(tab);
  return tab;
}

/** Publishes so many numbered messages; other work can run in between. */
export async function publishMany(server: TestServer, topic: string, from: number, count: number): Promise<void> {
  for (let at = from; at < from + count; at++) {
    await server.publish(topic, `message-${at}.`);
    if (at % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Expects that each published message is stored once and that every tab counts it. */
export async function expectAll(tabs: Page[], count: number): Promise<void> {
  for (const tab of tabs) {
    await expect(message(tab, `message-${count - 1}.`)).toHaveCount(1);
    await expect.poll(() => storedMessages(tab)).toEqual({ rows: count, ids: count });
    const unread = `${count.toLocaleString("en-GB")} unread`;
    await expect(tab.locator("main > header").getByText(unread)).toBeVisible();
  }
}
