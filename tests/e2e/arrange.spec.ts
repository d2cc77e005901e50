import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "./axe";
import { expect, subscribe, test } from "./fixtures";
import { chooseInMenu, drag, notice } from "./on-screen";

const rail = (page: Page) => page.getByRole("navigation", { name: "Topics and views" });
const section = (page: Page, name: string | RegExp) => rail(page).getByRole("region", { name });
const topics = (within: Locator) => within.locator("[data-topic]");

/** Moves the current topic into a new group. */
async function putInNewGroup(page: Page, name: string): Promise<void> {
  await chooseInMenu(page, "Move to group…");
  const dialog = page.getByRole("dialog");
  const group = dialog.getByLabel("Group", { exact: true });
  await group.selectOption("New group");
  await dialog.getByLabel("Group name").fill(name);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
}

/** At night, the morning is today's. */
const UNTIL_MORNING = /Muted until (tomorrow )?08:00/;

test("topics are reordered by dragging, moved by keys and picked with Ctrl", async ({ server, page }) => {
  for (const topic of ["a", "b", "c"]) await server.publish(topic, `of ${topic}`);
  await subscribe(page, server, "a", "b", "c");
  await expect(topics(rail(page))).toHaveText([/a/, /b/, /c/]);
  const [first, , third] = await topics(rail(page)).all();
  if (!first || !third) throw new Error("not there");
  await drag(page, third, first, "above");
  await page.mouse.up();
  await expect(topics(rail(page))).toHaveText([/c/, /a/, /b/]);
  await expect(page, "the press that ends a drag opens nothing").toHaveURL(/#\/a,b,c$/);
  await expect(page.locator(".drop-line")).toHaveCount(0);
  await page.reload();
  await expect(topics(rail(page))).toHaveText([/c/, /a/, /b/]);
  await expect.poll(() => server.running.streams().length, "the order is no reason to connect anew").toBe(1);

  const again = await topics(rail(page)).all();
  if (!again[0] || !again[2]) throw new Error("not there");
  await drag(page, again[0], again[2], "below");
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await expect(topics(rail(page)), "Escape lets go").toHaveText([/c/, /a/, /b/]);

  await test.step("several are picked with Ctrl by mouse or keyboard, and restored by their link", async () => {
    // The app takes the other name of the same machine for another server.
    await page.goto(`${server.url}#/http:localhost:${new URL(server.url).port}/d`);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expect(topics(rail(page))).toHaveText([/c/, /a/, /b/, /d/]);
    await server.publish("d", "of d");
    await page.goto(`${server.url}#/`);
    await expect(page.getByRole("article")).toHaveCount(4);
    const link = (topic: string) => topics(rail(page)).getByRole("link", { name: new RegExp(`^${topic}\\b`) });
    const heading = page.getByRole("heading", { level: 1 });
    await link("a").hover();
    await link("a").click({ modifiers: ["ControlOrMeta"] });
    await expect(heading).toHaveText("a");
    await link("d").focus();
    await page.keyboard.press("Control+Enter");
    await expect(heading).toHaveText("a and d");
    await expect(link("d"), "one can go on").toBeFocused();
    await expect(rail(page).locator('[data-topic] [aria-current="page"]')).toHaveText([/a/, /d/]);
    await expect(page.getByRole("article")).toHaveCount(2);
    await expect(page.getByText("of b")).toHaveCount(0);
    expect(page.context().pages(), "no other tab is opened").toHaveLength(1);
    await expectAccessible(page);
    await server.publish("b", "not this");
    await server.publish("d", "but this");
    await expect(page.getByRole("article").filter({ hasText: "but this" })).toBeVisible();
    await page.reload();
    await expect(heading).toHaveText("a and d");
    await expect(page.getByRole("article")).toHaveCount(3);
    await link("a").hover();
    await link("d").click({ modifiers: ["ControlOrMeta"] });
    await expect(heading).toHaveText("a");
    await page.goBack();
    await expect(heading).toHaveText("a and d");
  });
  await test.step("they are moved by keys into the next group and beyond, and keep the focus", async () => {
    await page.goto(`${server.url}#/a`);
    await putInNewGroup(page, "Home");
    const link = rail(page).getByRole("link", { name: /^c/ });
    await expect(topics(section(page, "Home"))).toHaveText([/a/]);
    await link.focus();
    await page.keyboard.press("Alt+ArrowUp");
    await expect(notice(page)).toContainText("c: 2 of 2 in Home");
    // The link has moved, and has the focus again, as it had before.
    await expect(topics(section(page, "Home"))).toHaveText([/a/, /c/]);
    await expect(link).toBeFocused();
    await page.keyboard.press("Alt+ArrowUp");
    await expect(notice(page)).toContainText("c: 1 of 2 in Home");
    await expect(topics(section(page, "Home"))).toHaveText([/c/, /a/]);
    await page.goto(`${server.url}#/c`);
    await chooseInMenu(page, "Move down");
    await expect(topics(section(page, "Home"))).toHaveText([/a/, /c/]);
  });
});

test("a group is made, holds topics, sums unread messages, has a feed, folds, moves and is removed", async ({
  server,
  page,
}) => {
  await server.publish("a", "one");
  await server.publish("b", "two");
  await server.publish("c", "three");
  await subscribe(page, server, "a", "b", "c");
  await page.goto(`${server.url}#/a`);
  await putInNewGroup(page, "Home & yard");
  await expect(topics(section(page, "Home"))).toHaveText([/a/]);
  await page.goto(`${server.url}#/b`);
  await chooseInMenu(page, "Move to group…");
  await page.getByLabel("Group", { exact: true }).selectOption("Home & yard");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(topics(section(page, "Home"))).toHaveText([/a/, /b/]);
  await expect(notice(page)).toContainText("b moved to Home");
  await notice(page).getByRole("button", { name: "Undo" }).click();
  await expect(topics(section(page, "Home"))).toHaveText([/a/]);
  await chooseInMenu(page, "Move to group…");
  await page.getByLabel("Group", { exact: true }).selectOption("Home & yard");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(section(page, "Home").locator("[data-group]")).toContainText("2 unread");
  await page.goto(`${server.url}#/c`);
  await putInNewGroup(page, "Work");
  await expect(section(page, /127/), "the state of a server is in sight though its topics are in groups").toContainText(
    "Live",
  );
  await expectAccessible(page);

  await test.step("its name opens its feed, in the rail and on a phone", async () => {
    const link = section(page, "Home").getByRole("link", { name: /^Home & yard/ });
    await link.click();
    await expect(page).toHaveURL(/#\/~group\/Home%20%26%20yard$/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Home & yard");
    await expect(link).toHaveAttribute("aria-current", "page");
    await expect(page.getByRole("article")).toHaveText([/two/, /one/]);
    await server.publish("b", "more of b");
    await expect(page.getByRole("article")).toHaveCount(3);
    await page.reload();
    await expect(page.getByRole("article")).toHaveCount(3);
    const size = page.viewportSize() ?? { width: 1280, height: 720 };
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${server.url}#/~topics`);
    await page.getByRole("main").getByRole("link", { name: "Home & yard" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Home & yard");
    await page.goto(`${server.url}#/~group/gone`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("gone");
    await expect(page.getByRole("article")).toHaveCount(0);
    await page.setViewportSize(size);
  });

  await section(page, "Home").getByRole("button", { name: "Home", exact: false }).first().click();
  await expect(topics(section(page, "Home"))).toHaveCount(0);
  await page.reload();
  await expect(topics(section(page, "Work"))).toHaveCount(1);
  await expect(topics(section(page, "Home")), "stays folded").toHaveCount(0);
  const home = section(page, "Home").locator("[data-group] > button").first();
  await home.focus();
  await home.press("Alt+ArrowDown");
  await expect(notice(page)).toContainText("Group Home & yard: 2 of 2");
  await expect(rail(page).locator("[data-group]")).toHaveText([/Work/, /Home/]);

  await section(page, "Home").locator("[data-group]").hover();
  await section(page, "Home").getByRole("button", { name: "Actions for Home" }).click();
  await page.getByRole("menuitem", { name: "Rename group" }).click();
  await page.getByLabel("Group name").fill(" ");
  await page.getByRole("button", { name: "Save" }).click();
  const fault = await page.getByRole("alert").elementHandle();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("alert"), "what is still wrong is read aloud again").toHaveText("Enter a group name.");
  expect(await fault?.evaluate((element) => element.isConnected)).toBe(false);
  await page.getByLabel("Group name").fill("House");
  await page.getByRole("button", { name: "Save" }).click();
  await section(page, "House").getByRole("button", { name: "Actions for House" }).click();
  await page.getByRole("menuitem", { name: "Remove group" }).click();
  await expect(topics(section(page, /127/))).toHaveText([/a/, /b/]);
  await notice(page).getByRole("button", { name: "Undo" }).click();
  await expect(rail(page).locator("[data-group]")).toHaveText([/Work/, /House/]);
});

test("a topic is muted by two presses; rail, header, title and settings show it, and undo unmutes it", async ({
  server,
  page,
}) => {
  await server.publish("a", "one");
  await server.publish("b", "two");
  await subscribe(page, server, "a", "b");
  await page.goto(`${server.url}#/a`);
  await expect(page).toHaveTitle(/^\(2\) a/);
  await chooseInMenu(page, "Mute…");
  const dialog = page.getByRole("dialog", { name: "Mute a" });
  await dialog.getByRole("button", { name: "Until morning" }).click();
  await expect(dialog).toBeHidden();
  await expect(notice(page)).toContainText(/a muted until (tomorrow )?08:00/);
  await expect(rail(page).getByRole("img", { name: UNTIL_MORNING })).toBeVisible();
  await expect(page.getByRole("main")).toContainText(UNTIL_MORNING);
  await expect(page, "the total leaves it out").toHaveTitle(/^\(1\) a/);
  await expect(rail(page).getByRole("link", { name: /^Everything/ })).toContainText("1 unread");
  await expectAccessible(page);
  await page.reload();
  await expect(page).toHaveTitle(/^\(1\) a/);
  await expect(page.getByRole("main")).toContainText(UNTIL_MORNING);
  await page.goto(`${server.url}#/~topics`);
  await expect(page.getByRole("main").getByRole("link", { name: /^a/ })).toContainText(UNTIL_MORNING);
  await page.goto(`${server.url}#/~settings/alerts`);
  const listed = page.getByRole("list", { name: "Muted topics" }).getByRole("listitem");
  await expect(listed).toHaveText(/a Muted until (tomorrow )?08:00/);
  await expectAccessible(page);
  await listed.getByRole("button", { name: "Unmute a" }).click();
  await expect(listed).toHaveCount(0);
  await notice(page).getByRole("button", { name: "Undo" }).click();
  await expect(listed).toHaveCount(1);
  await page.goto(`${server.url}#/a`);
  await page.getByRole("main").getByRole("button", { name: "Unmute" }).click();
  await expect(page).toHaveTitle(/^\(2\) a/);
  await expect(page.getByRole("main")).not.toContainText("Muted until");
  await notice(page).getByRole("button", { name: "Undo" }).click();
  await expect(page).toHaveTitle(/^\(1\) a/);

  await page.keyboard.press("m");
  await expect(page, "the key unmutes too").toHaveTitle(/^\(2\) a/);
  await page.keyboard.press("m");
  await dialog.getByLabel("Pick a time").fill("2020-01-01T00:00");
  await dialog.getByRole("button", { name: "Mute", exact: true }).click();
  await expect(dialog.getByLabel("Pick a time")).toHaveJSProperty("validationMessage", "That time has passed.");
  const inMonths = new Date(Date.now() + 200 * 86_400_000).toISOString().slice(0, 10);
  await dialog.getByLabel("Pick a time").fill(`${inMonths}T12:00`);
  await dialog.getByRole("button", { name: "Mute", exact: true }).click();
  await expect(page).toHaveTitle(/^\(1\) a/);
  await notice(page).getByRole("button", { name: "Undo" }).click();
  await expect(page).toHaveTitle(/^\(2\) a/);
});

test("the signs of a mute disappear when it ends, without and after a reload", async ({ server, page }) => {
  await server.publish("a", "one");
  await subscribe(page, server, "a");
  await page.clock.install();
  await page.goto(`${server.url}?#/a`);
  await expect(page).toHaveTitle(/^\(1\) a/);
  const sign = rail(page).getByRole("img", { name: /Muted/ });
  await test.step("a dialog that stays open for hours offers what is ahead", async () => {
    await chooseInMenu(page, "Mute…");
    const offer = page.getByRole("dialog").getByRole("button", { name: /^45 min/ });
    const before = await offer.innerText();
    await page.clock.fastForward("03:00:00");
    await expect(offer).not.toHaveText(before, { useInnerText: true });
    await page.keyboard.press("Escape");
  });
  await test.step("a quiet time that was removed in a dialog can be restored once that has closed", async () => {
    const dialog = page.getByRole("dialog");
    const times = dialog.getByRole("group", { name: /^Quiet time/ });
    await chooseInMenu(page, "Topic settings");
    await dialog.getByLabel("Quiet hours").selectOption("Its own");
    await dialog.getByRole("button", { name: "Add a time" }).click();
    await dialog.getByRole("button", { name: "Remove quiet time 2" }).click();
    await expect(times).toHaveCount(1);
    await page.clock.runFor(20_000);
    await page.keyboard.press("Escape");
    await notice(page).getByRole("button", { name: "Undo" }).click();
    await chooseInMenu(page, "Topic settings");
    await expect(times).toHaveCount(2);
    await page.keyboard.press("Escape");
  });
  for (const reloads of [false, true]) {
    await chooseInMenu(page, "Mute…");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^45 min/ })
      .click();
    await expect(page).toHaveTitle(/^a/);
    if (reloads) await page.reload();
    await expect(sign).toBeVisible();
    await page.clock.fastForward("46:01");
    await expect(sign).toHaveCount(0);
    await expect(page.getByRole("main")).not.toContainText("Muted");
    await page.clock.runFor(2_000);
    await expect(page).toHaveTitle(/^\(1\) a/);
  }
});
