// What a browser shows and allows while no page of the app is open.
import type { Page } from "@playwright/test";
import { NOTIFICATION_LOCK } from "../../src/contract";
import type { TestServer } from "./fixtures";

/** Titles of all that is on screen, whichever registration showed it. */
export async function titles(page: Page): Promise<string[]> {
  return page.evaluate(async (lock) => {
    const registrations = await navigator.serviceWorker.getRegistrations();
    const shown = await navigator.locks.request(lock, () =>
      Promise.all(registrations.map((registration) => registration.getNotifications())),
    );
    return shown
      .flat()
      .map(({ title }) => title)
      .sort();
  }, NOTIFICATION_LOCK);
}

/** Changes what the user allows the app, as in the browser's settings. What earlier calls changed doesn't hold any more. */
export async function setPermissions(
  page: Page,
  server: TestServer,
  names: readonly string[],
  setting: "denied" | "granted",
): Promise<void> {
  const ofPage = await page.context().newCDPSession(page);
  const { browserContextId = "" } = (await ofPage.send("Target.getTargetInfo")).targetInfo;
  await ofPage.detach();
  const origin = server.url.slice(0, -1);
  const session = await page.context().browser()?.newBrowserCDPSession();
  for (const name of names) {
    await session?.send("Browser.setPermission", { permission: { name }, setting, origin, browserContextId });
  }
  // What it sets holds for as long as this session. The user comes back from the settings.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
}

/** Leaves the app; what stays is a page without it, to look at what the worker shows. */
export async function leave(page: Page, server: TestServer): Promise<void> {
  await page.goto(`${server.url}icon.svg`);
}
