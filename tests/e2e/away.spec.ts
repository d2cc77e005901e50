import type { Page } from "@playwright/test";
import { expect, subscribe, test } from "./fixtures";
import { notice, wasAway } from "./on-screen";

const card = (page: Page) => page.getByRole("article", { name: /^While you were away/ });
const rows = (page: Page) => page.locator("article[aria-setsize]");

test("after an absence a card lists what came, urgent first, until it is read or dismissed", async ({
  server,
  page,
}) => {
  await subscribe(page, server, "backups", "doors");
  for (const disk of ["one", "two", "three"]) {
    await server.publish("backups", "text", { title: `Disk ${disk}`, priority: 5 });
  }
  await server.publish("doors", "text", { title: "Front door open", priority: 4 });
  await server.publish("doors", "one");
  await server.publish("doors", "two");
  await server.publish("backups", "three");
  await expect(rows(page)).toHaveCount(7);
  await page.goto(`${server.url}#/`);
  await wasAway(page, 372 * 60_000);
  await page.reload();
  await expect(rows(page)).toHaveCount(7);
  const lines = card(page).getByRole("listitem");
  await expect(lines, "five are worth it").toHaveText([
    /3 urgent\s+Disk three, Disk two, Disk one/,
    /1 high\s+doors 1/,
    /3 others\s+doors 2 and backups 1/,
  ]);
  await expect(card(page)).toHaveAccessibleName("While you were away · 6 h 12 min");
  const size = page.viewportSize();
  await page.setViewportSize({ width: 844, height: 390 });
  await expect(rows(page).first(), "a phone on its side shows messages too").toBeInViewport({ ratio: 1 });
  if (size) await page.setViewportSize(size);
  await lines.last().getByRole("button", { name: "Done" }).click();
  await expect(lines).toHaveCount(2);
  await expect(notice(page)).toContainText("3 messages done");
  await lines.first().getByRole("button", { name: "Show" }).click();
  await expect(rows(page)).toHaveText([/Disk three/, /Disk two/, /Disk one/]);
  await expect(page).toHaveURL(/priority=.*after.*before/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("3 urgent while you were away");
  await expect(page.getByRole("search"), "its title says it").toHaveCount(0);
  await page.goBack();
  await expect(lines).toHaveCount(2);
  await page.reload();
  await expect(lines, "a reload is no answer").toHaveCount(2);
  await test.step("one press marks everything on a line done, unless one searches on", async () => {
    await lines.first().getByRole("button", { name: "Show" }).click();
    await page.keyboard.press("/");
    await expect(page.getByRole("combobox", { name: "Search and filter" })).toBeFocused();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Done with all 3" }).click();
    await expect(page).toHaveURL(`${server.url}#/`);
    await expect(rows(page)).toHaveText([/Front door open/]);
    await notice(page).getByRole("button", { name: "Undo" }).click();
    await expect(rows(page)).toHaveCount(4);
    await expect(notice(page)).toContainText("Undone: 3 messages done");
  });
  await card(page).getByRole("button", { name: "Dismiss" }).click();
  await expect(card(page)).toHaveCount(0);
  await page.reload();
  await expect(rows(page)).toHaveCount(4);
  await expect(card(page)).toHaveCount(0);
});
