import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe";
import { expect, subscribe, test } from "./fixtures";
import { expectLive, message, notice } from "./on-screen";

const everything = (page: Page) =>
  page.getByRole("navigation", { name: "Topics and views" }).getByRole("link", { name: "Everything" });

test("messages like one are hidden from Everything", async ({ server, page }) => {
  await test.step("messages like one leave Everything and its count, stay in their topic, and come back", async () => {
    await server.publish("probes", "pong", { title: "Probe 1 ms" });
    await server.publish("probes", "pong", { title: "Probe 22 ms" });
    await server.publish("probes", "burning", { title: "Probe 3 ms", priority: 5 });
    await server.publish("probes", "somebody rang", { title: "Door" });
    await subscribe(page, server, "probes");
    await expectLive(page);
    const rows = page.getByRole("feed").getByRole("article");
    await everything(page).click();
    await expect(rows).toHaveCount(4);
    await expect(everything(page).getByText("4 unread", { exact: true })).toBeAttached();

    const choose = async (entry: string): Promise<void> => {
      await message(page, "Probe 22 ms").hover();
      await message(page, "Probe 22 ms").getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: entry }).click();
    };
    await choose("Hide messages like this from Everything");
    await expect(notice(page)).toContainText("Hidden from Everything, still in probes. Alerts still come.");
    await expect(rows).toHaveCount(2);
    await expect(message(page, "Probe 3 ms"), "urgent ones are never hidden").toBeVisible();
    await expect(everything(page).getByText("2 unread", { exact: true })).toBeAttached();

    await notice(page).getByRole("button", { name: "Undo" }).click();
    await expect(rows).toHaveCount(4);
    await choose("Hide messages like this from Everything");
    await expect(rows).toHaveCount(2);
    await server.publish("probes", "pong", { title: "Probe 400 ms" });
    await server.publish("probes", "rang again", { title: "Door" });
    await expect(rows).toHaveCount(3);
    await expect(everything(page).getByText("3 unread", { exact: true })).toBeAttached();
    await page.reload();
    await expect(rows).toHaveCount(3);
    await expect(everything(page).getByText("3 unread", { exact: true })).toBeAttached();

    await page.goto(`${server.url}#/~settings/reading`);
    await expect(page.getByRole("link", { name: "Probe 22 ms" })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Probe 22 ms" }).click();
    await expect(rows).toHaveCount(4);
    await page.goto(`${server.url}#/probes`);
    await expect(rows).toHaveCount(6);
    await message(page, "Probe 1 ms")
      .getByRole("button", { name: "Hidden from Everything: show messages like this there again" })
      .click();
    await expect(notice(page)).toContainText("Back in Everything");
    await everything(page).click();
    await expect(rows).toHaveCount(6);

    await choose("Hide messages like this from Everything");
    await page.goto(`${server.url}#/~settings/reading`);
    await page.getByRole("button", { name: "Show again in Everything: Probe 22 ms" }).click();
    await expect(page.getByText("None. A message's menu hides messages like it.")).toBeVisible();
  });
  await test.step("hiding keeps the place of a long list", async () => {
    for (let at = 1; at <= 120; at++) await server.publish("probes", "text", { title: `Number-${at}` });
    await everything(page).click();
    const number = (at: number) => page.getByRole("article", { name: `Number-${at}`, exact: true });
    await expect(number(120)).toBeVisible();
    const scroller = page.getByRole("feed", { name: "Messages" }).locator("..");
    await scroller.evaluate((element) => element.scrollBy(0, 1_500));
    await page.waitForTimeout(1_000);
    const middle = await scroller.evaluate((element) => {
      const at = element.getBoundingClientRect().top + element.clientHeight / 2;
      const rows = [...element.querySelectorAll("article")];
      return Number(rows.find((row) => row.getBoundingClientRect().top > at)?.textContent.match(/Number-(\d+)/)?.[1]);
    });
    expect(middle).toBeLessThan(118);
    await number(middle).hover();
    await number(middle).getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Hide messages like this from Everything" }).click();
    await expect(number(middle)).toHaveCount(0);
    await expect(number(middle + 1)).toBeInViewport();
    await expect(number(middle - 1)).toBeInViewport();
  });
});
