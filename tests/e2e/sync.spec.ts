import type { CDPSession } from "@playwright/test";
import { SYNC_SCOPE, SYNC_TAG } from "../../src/contract";
import { leave, setPermissions, titles } from "./closed-app";
import { expect, subscribe, test } from "./fixtures";
import { keptOffline, message } from "./on-screen";

test.use({ serviceWorkers: "allow" });

/** Hears of the registrations of workers. Returns the id of the one that background sync wakes, once there is one. */
async function registrations(session: CDPSession): Promise<() => string | undefined> {
  let found: string | undefined;
  session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    for (const { registrationId, scopeURL, isDeleted } of registrations) {
      if (scopeURL.endsWith(SYNC_SCOPE.slice(1))) found = isDeleted ? undefined : registrationId;
    }
  });
  await session.send("ServiceWorker.enable");
  return () => found;
}

test("where the browser grants it, background sync brings what came with the app closed, by each of its two events", async ({
  server,
  page,
  watch,
}) => {
  watch.tolerate(/favicon/);
  // Nobody looks at it: another window is in front.
  await page.context().addInitScript(() => (Document.prototype.hasFocus = () => false));
  await page.context().grantPermissions(["notifications"], { origin: server.url });
  const registrationId = await registrations(await page.context().newCDPSession(page));
  await subscribe(page, server, "alerts");
  await keptOffline(page);
  expect(registrationId(), "not granted, as in a tab").toBeUndefined();
  await setPermissions(page, server, ["notifications", "periodic-background-sync"], "granted");
  await page.reload();
  await expect.poll(registrationId).toBeDefined();
  const tags = () =>
    page.evaluate(async (scope) => {
      const registration = await navigator.serviceWorker.getRegistration(scope);
      const { periodicSync } = registration as unknown as { periodicSync: { getTags(): Promise<string[]> } };
      return periodicSync.getTags();
    }, SYNC_SCOPE);
  await expect.poll(tags, "at the first start already").toEqual([SYNC_TAG]);

  await leave(page, server);
  const session = await page.context().newCDPSession(page);
  await session.send("ServiceWorker.enable");
  const common = { origin: server.url.slice(0, -1), registrationId: registrationId() ?? "", tag: SYNC_TAG };
  await server.publish("alerts", "while away", { title: "One" });
  await session.send("ServiceWorker.dispatchPeriodicSyncEvent", common);
  await expect.poll(() => titles(page)).toEqual(["One · alerts"]);
  await server.publish("alerts", "while offline", { title: "Two" });
  await session.send("ServiceWorker.dispatchSyncEvent", { ...common, lastChance: false });
  await expect.poll(() => titles(page)).toEqual(["One · alerts", "Two · alerts"]);
  const before = server.requests.length;
  await session.send("ServiceWorker.dispatchSyncEvent", { ...common, tag: "another", lastChance: true });
  await session.send("ServiceWorker.dispatchPeriodicSyncEvent", common);
  await expect.poll(() => server.requests.length).toBeGreaterThan(before);
  await page.goto(`${server.url}#/alerts`);
  await expect(message(page, "while away")).toHaveCount(1);
  await expect(message(page, "while offline")).toHaveCount(1);
  expect(await titles(page), "nothing is shown twice").toEqual(["One · alerts", "Two · alerts"]);
});
