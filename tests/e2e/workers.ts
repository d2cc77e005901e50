import type { Browser } from "@playwright/test";
import type { TestServer } from "./fixtures";

/**
 * Strikes the shared workers of an app. `end` ends them without a word to anyone; `hang` lets them answer nothing any more,
 * and keep what they hold, until the returned function is called.
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
      // Later, as Chromium fails when a worker ends under the session that told it to.
      await tell("Runtime.evaluate", { expression: "setTimeout(() => self.close(), 300)" });
      await session.send("Target.detachFromTarget", { sessionId });
    } else {
      // One that waits in a debugger costs no processor time, as one in an endless loop would.
      await tell("Debugger.enable");
      await tell("Runtime.evaluate", { expression: "setTimeout(() => { debugger; })" });
    }
  }
  return () => session.detach();
}
