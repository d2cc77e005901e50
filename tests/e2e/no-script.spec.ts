import { message } from "./on-screen";
import { expect, subscribe, test } from "./scripted-server";

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

test("if a file fails while the page still comes, the page says so", async ({ server, scripted, page, watch }) => {
  watch.tolerate(/404|dynamically imported/);
  const html = await (await fetch(server.url)).text();
  const head = html.indexOf("<body>");
  for (const [file, words] of [
    ["begin", "Earshot could not be loaded"],
    ["app", "Earshot could not start"],
  ] as const) {
    await test.step(file, async () => {
      const missing = new RegExp(`/assets/${file}-[^/]*\\.js$`);
      let sendRest = (): unknown => undefined;
      scripted.answer = ({ url }, response) => {
        if (url === "/") {
          response.writeHead(200, { "Content-Type": "text/html" }).write(html.slice(0, head));
          sendRest = () => response.end(html.slice(head));
        } else if (missing.test(url) || !url.startsWith("/assets/")) response.writeHead(404).end();
        else {
          void fetch(server.url + url.slice(1)).then(async (file) => {
            const type = file.headers.get("Content-Type") ?? "";
            response.writeHead(200, { "Content-Type": type }).end(await file.text());
          });
        }
        return true;
      };
      const failed = page.waitForResponse(missing);
      await page.goto(scripted.url, { waitUntil: "commit" });
      await failed;
      // The page has heard of a failure when it hears of the next.
      await page.evaluate((none) => import(none).catch(() => undefined), "/none.js");
      sendRest();
      await expect(page.getByRole("alert")).toContainText(words);
      // Files that still load would fail when the server stops.
      await page.goto("about:blank");
    });
  }
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
