import { expect, subscribe, test } from "./fixtures";
import { message } from "./on-screen";

test.use({ serviceWorkers: "allow" });

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the page says what it is and what to do", async ({ server, page }) => {
    await page.goto(server.url);
    await expect(page.getByRole("heading", { name: "Earshot needs JavaScript" })).toBeVisible();
    await expect(page.locator("noscript p")).toBeVisible();
    await expect(page.locator("noscript p")).toContainText("Allow them for this site");
    await expect(page.getByText("Earshot could not be loaded")).toBeHidden();
  });
});

test("if the first script is blocked, the page says so, and starts once it is allowed", async ({
  server,
  page,
  watch,
}) => {
  watch.tolerate(/ERR_FAILED/);
  const script = /\/assets\/begin-[^/]*\.js$/;
  await page.route(script, (route) => route.abort());
  await page.goto(`${server.url}#/backups`);
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("Earshot could not be loaded");
  await page.unroute(script);
  await alert.getByRole("button", { name: "Load again" }).click();
  await expect(page.getByRole("button", { name: "Subscribe" })).toBeVisible();
  await expect(page.getByText("Earshot could not be loaded")).toBeHidden();
});

test("while the browser keeps the database for another page, the page says so, and goes on once it may", async ({
  server,
  page,
  context,
}) => {
  await server.publish("backups", "done");
  await subscribe(page, server, "backups");
  await expect(message(page, "done")).toBeVisible();
  const other = await context.newPage();
  await other.goto(`${server.url}icon.svg`);
  await page.goto(`${server.url}icon.svg`);
  // A transaction lives as long as it is asked for something.
  await other.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open("earshot");
      opening.onsuccess = () => resolve(opening.result);
    });
    const stores = [...database.objectStoreNames];
    const transaction = database.transaction(stores, "readwrite");
    const goOn = () => {
      if (document.title !== "let go") transaction.objectStore(stores[0] ?? "").count().onsuccess = goOn;
    };
    await new Promise<void>((resolve) => {
      transaction.objectStore(stores[0] ?? "").count().onsuccess = () => {
        goOn();
        resolve();
      };
    });
  });
  await page.clock.install();
  await page.goto(`${server.url}#/backups`);
  const alert = page.getByRole("alert");
  await expect(alert).toBeHidden();
  await page.clock.fastForward(15_000);
  await expect(alert).toContainText("Earshot is still starting");
  await other.evaluate(() => (document.title = "let go"));
  await expect(message(page, "done")).toBeVisible();
  await expect(alert).toBeHidden();
});
