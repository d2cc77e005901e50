import { expect, subscribe, test } from "./fixtures";
import { message, notice } from "./on-screen";
import type { Locator, Page } from "@playwright/test";

const fold = (page: Page): Locator => page.getByRole("button", { name: /^[\d,]+ times since/ });
const rows = (page: Page): Locator => page.locator("article.row");
const nowS = (): number => Math.floor(Date.now() / 1000);

test("repeats in a row fold into one, which a press opens, and what is done to it is done to all", async ({
  server,
  page,
}) => {
  await server.publish("disks", "Backup of the disks is done");
  for (let at = 1; at <= 4; at++) await server.publish("disks", `Disk is ${90 + at} % full`);
  await subscribe(page, server, "disks");

  await expect(fold(page)).toHaveText(/4 times since \d\d:\d\d/);
  await expect(fold(page)).toHaveAttribute("aria-expanded", "false");
  await expect(rows(page)).toContainText(["Disk is 94 %", "Backup of"]);
  await expect(message(page, "94 %")).toHaveAttribute("aria-setsize", "2");

  await test.step("a repeat that comes takes the place of the one before", async () => {
    await server.publish("disks", "Disk is 95 % full");
    await expect(fold(page)).toHaveText(/5 times/);
    await expect(rows(page)).toContainText(["Disk is 95 %", "Backup of"]);
  });

  await test.step("a status and a higher priority are something else", async () => {
    await server.publish("disks", "Disk is 96 % full", { priority: 5 });
    for (const status of [500, 200, 500]) await server.publish("disks", `HTTP ${status}`);
    await expect(rows(page)).toContainText(["HTTP 500", "HTTP 200", "HTTP 500", "96 %", "95 %", "Backup of"]);
    await expect(fold(page)).toHaveCount(1);
  });

  await test.step("by keyboard it opens where it is, and j and k go through what is shown", async () => {
    await fold(page).press("Enter");
    await expect(fold(page)).toHaveAttribute("aria-expanded", "true");
    await expect(fold(page)).toBeFocused();
    await expect(rows(page)).toHaveCount(10);
    await message(page, "95 %").click();
    await page.keyboard.press("j");
    await expect(page.locator("article.selected")).toContainText("94 %");
    await fold(page).press("Enter");
    await expect(rows(page), "what is selected is never hidden").toContainText([
      ...["HTTP 500", "HTTP 200", "HTTP 500", "96 %", "95 %", "94 %", "Backup of"],
    ]);
    await page.keyboard.press("k");
    await expect(page.locator("article.selected")).toContainText("95 %");
    await page.keyboard.press("j");
    await expect(page.locator("article.selected")).toContainText("Backup of");
  });

  await test.step("the newest stands for all of them", async () => {
    await page.keyboard.press("k");
    await page.keyboard.press("e");
    await expect(notice(page)).toContainText("5 messages done");
    await expect(rows(page)).toContainText(["HTTP 500", "HTTP 200", "HTTP 500", "96 %", "Backup of"]);
    await expect(fold(page)).toHaveCount(0);
    await page.keyboard.press("z");
    await expect(fold(page)).toHaveText(/5 times/);
  });

  await test.step("once they are snoozed, the next message is selected", async () => {
    await expect(page.locator("article.selected")).toContainText("95 %");
    await page.keyboard.press("h");
    await page.getByRole("button", { name: /^Tomorrow/ }).click();
    await expect(notice(page)).toContainText("5 messages snoozed");
    await expect(page.locator("article.selected")).toContainText("Backup of");
    await page.keyboard.press("z");
    await expect(fold(page)).toHaveText(/5 times/);
  });

  await test.step("after a reload nothing is drawn that moves", async () => {
    await page.addInitScript(() => {
      const page = globalThis as { moved?: string[] };
      page.moved = [];
      new PerformanceObserver((list) => {
        const nodes = list
          .getEntries()
          .flatMap((entry) => (entry as unknown as { sources: { node: Node | null }[] }).sources);
        for (const { node } of nodes) {
          if (node instanceof Element && node.closest("[role=feed]")) page.moved?.push(node.outerHTML);
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    await page.reload();
    await expect(fold(page)).toHaveText(/5 times/);
    expect(await page.evaluate(() => (globalThis as { moved?: string[] }).moved)).toEqual([]);
  });

  await test.step("on its page beside the feed, the newest stands for all of them too", async () => {
    const opened = page.getByRole("complementary", { name: "Message" }).getByRole("article");
    await message(page, "95 %").click();
    await fold(page).click();
    const repeat = message(page, "94 %");
    await repeat.hover();
    await repeat.getByRole("button", { name: "Mark unread" }).click();
    await fold(page).click();
    await expect(fold(page)).toHaveAttribute("aria-expanded", "false");
    await expect(opened).toContainText("95 %");
    await expect(opened.locator("button.read"), "one of them is unread").toContainText("Mark read");
    await opened.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Done" }).click();
    await expect(notice(page)).toContainText("5 messages done");
    await page.keyboard.press("z");
    await expect(fold(page)).toHaveText(/5 times/);
  });

  await test.step("who opens the newest has read them all", async () => {
    for (let at = 1; at <= 3; at++) await server.publish("disks", `Copied ${at} GB`);
    await expect(fold(page).first()).toHaveText(/3 times/);
    await expect(message(page, "Copied 3 GB")).toContainText("Unread");
    await message(page, "Copied 3 GB").click();
    await expect(message(page, "Copied 3 GB")).not.toContainText("Unread");
    await expect(fold(page)).toHaveCount(2);
  });

  await test.step("off by topic", async () => {
    await page.getByRole("button", { name: "More" }).first().click();
    await page.getByRole("menuitem", { name: "Topic settings" }).click();
    await page.getByLabel("Group repeats").uncheck();
    await page.keyboard.press("Escape");
    await expect(fold(page)).toHaveCount(0);
    await expect(rows(page)).toHaveCount(13);
  });
});

test("runs and floods of repeats", async ({ server, page }) => {
  await test.step("messages that ask for something aren't folded, and a day and a link to one behind another part them", async () => {
    const actions = [{ action: "view" as const, label: "Restart", url: "https://a.example/" }];
    for (let at = 1; at <= 3; at++)
      await server.publish("jobs", `Job ${at} failed`, { actions, time: nowS() - 90_000 + at });
    for (let at = 1; at <= 3; at++)
      await server.publish("jobs", `The job took ${at} s`, { time: nowS() - 90_000 + 10 + at });
    for (let at = 1; at <= 3; at++) await server.publish("jobs", `The job took ${at} s`, { time: nowS() - 5 + at });
    await subscribe(page, server, "jobs");
    await expect(fold(page)).toHaveCount(2);
    await expect(rows(page)).toContainText([
      "The job took 3 s",
      "The job took 3 s",
      "Job 3 failed",
      "Job 2 failed",
      "Job 1 failed",
    ]);
    // A link to a message behind another one.
    await fold(page).first().click();
    await message(page, "The job took 2 s").first().click();
    await expect(page).toHaveURL(/[?]id=/);
    await page.reload();
    await expect(page.locator("article.selected")).toContainText("The job took 2 s");
    await expect(fold(page)).toHaveCount(2);
  });
  await test.step("many repeats are read through", async () => {
    const lines = 1_000;
    for (let at = 1; at <= lines; at++) await server.publish("flood", `Line of a flood after ${at} ms`);
    await server.publish("flood", "The flood is over");
    await subscribe(page, server, "flood");
    await expect(rows(page).first()).toContainText("The flood is over");
    await expect(fold(page)).toHaveText(/^1,?000 times/);
    await fold(page).click();
    await page.keyboard.press("Shift+g");
    await expect(message(page, "Line of a flood after 1 ms")).not.toHaveCount(0);
  });
});

test("a storm that comes live is one row, whatever its texts say, and done at once; an urgent message stays", async ({
  server,
  page,
}) => {
  await subscribe(page, server, "probes");
  const title = "Probe failed";
  for (let at = 0; at < 9; at++) await server.publish("probes", `worker-${at}: error ${500 + at}`, { title });
  await expect(rows(page)).toHaveCount(9);
  for (let at = 9; at < 300; at++)
    await server.publish("probes", `worker-${at % 9}: error ${500 + (at % 7)}`, {
      title: at === 150 ? "Nothing answers" : title,
      priority: at === 150 ? 5 : 3,
    });
  await expect(fold(page)).toHaveText(/^299 times since/);
  await expect(rows(page)).toContainText([/Probe failed.*×299 · .* · worker-0 … worker-8/s, "Nothing answers"]);
  await rows(page).first().click();
  await page.keyboard.press("e");
  await expect(notice(page)).toContainText("299 messages done");
  await expect(rows(page)).toContainText(["Nothing answers"]);
  await page.keyboard.press("z");
  await expect(fold(page)).toHaveText(/^299 times/);
});
