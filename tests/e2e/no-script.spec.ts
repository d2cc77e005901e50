import { expect, test } from "./fixtures";

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
