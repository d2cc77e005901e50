import { CONTRACT_VERSION } from "../../src/contract";
import { expect, subscribe, test } from "./fixtures";
import { chooseInMenu, expectLive, message, notice } from "./on-screen";
import { expectAll, openBeside, ownWorkers, publishMany } from "./workers";

const NEWER = /written by a newer version of Earshot/;

const MODES = { "a shared worker": true, "a worker for each tab": false };
for (const [mode, isShared] of Object.entries(MODES)) {
  test(`three reloads during a burst: all is stored once, nothing is missing, both tabs agree on what is unread, and one goes on without the other, with ${mode}`, async ({
    server,
    page,
    context,
  }) => {
    if (!isShared) await ownWorkers(context);
    await subscribe(page, server, "burst");
    await expectLive(page);
    const other = await openBeside(context, server, "burst");
    for (let reload = 0; reload < 3; reload++) {
      await Promise.all([publishMany(server, "burst", reload * 100, 100), page.reload()]);
    }
    await expectAll([page, other], 300);
    await chooseInMenu(page, "Fetch again");
    await expect(notice(page)).toContainText("Nothing is missing");
    await expect.poll(() => server.running.streams()).toHaveLength(1);

    await page
      .getByRole("button", { name: /^Mark (all|th).* read$/ })
      .first()
      .click();
    for (const tab of [page, other]) await expect(tab.locator("main > header").getByText(/\d unread/)).toBeHidden();

    await page.close();
    await server.publish("burst", "after the first tab went");
    await expect(message(other, "after the first tab went")).toHaveCount(1);
    await expect.poll(() => server.running.streams()).toHaveLength(1);
  });
}

test.describe("two versions", () => {
  // A service worker's copies of the scripts would bypass the route below.
  test.use({ serviceWorkers: "block" });

  test("open at the same time share one stream, and both show new messages", async ({ server, page, context }) => {
    await subscribe(page, server, "a");
    await expectLive(page);
    let named = 0;
    await context.route("**/assets/*.js", async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll(/\b\d{14}-[0-9a-f]{6,}/g, () => {
        named += 1;
        return "99991231235959-ffffff";
      });
      await route.fulfill({ response, body });
    });
    const newer = await openBeside(context, server, "a");
    expect(named, "the build is named").toBeGreaterThan(0);
    await publishMany(server, "a", 0, 20);
    await expectAll([page, newer], 20);
    await expect.poll(() => server.running.streams()).toHaveLength(1);
    // Parts that a page loads when it is idle may still be under way; their answers must not outlive the test.
    await context.unrouteAll({ behavior: "wait" });
  });
});

test("a newer version that takes the lead, or wants to upgrade the database, gets it at once, and the page says what to do", async ({
  server,
  page,
  context,
  watch,
}) => {
  watch.tolerate(/favicon/);
  await subscribe(page, server, "a");
  await expectLive(page);
  const newer = await context.newPage();
  await newer.goto(`${server.url}manifest.webmanifest`);
  await test.step("a tab that a newer version took the lead from, in words it doesn't know, says what to do", async () => {
    await newer.evaluate((version) => {
      new BroadcastChannel("earshot").postMessage({ version, kind: "hello", from: "newer", build: "~" });
    }, CONTRACT_VERSION + 1);
    await expect(page.getByText(NEWER)).toBeVisible();
    await expect(page.getByRole("button", { name: "Reload" })).toBeVisible();
    await expect.poll(() => server.running.streams(), "one hub for both versions").toEqual([]);
    await page.getByRole("button", { name: "Reload" }).click();
    await expectLive(page);
  });
  await test.step("the app closes the database at once when a newer version wants to upgrade it, and says what to do", async () => {
    const outcome = await newer.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const open = indexedDB.open("earshot", 1_000);
          open.onupgradeneeded = () => open.transaction?.objectStore("messages").createIndex("of the future", "via");
          open.onsuccess = () => resolve("upgraded");
          open.onerror = () => resolve(String(open.error));
        }),
    );
    expect(outcome).toBe("upgraded");
    await expect(page.getByText(NEWER)).toBeVisible();
    await expect(page.getByRole("button", { name: "Reload" })).toBeVisible();
    await expect.poll(() => server.running.streams()).toEqual([]);
  });
});
