import { SETTINGS_PAGES } from "../../src/ui/settings/setting-place";
import { choose, chooseInMenu, expectLive, filterBox, message } from "./on-screen";
import { expect, subscribe, test } from "./fixtures";

test("commands run by key and by name, and single keys can be turned off", async ({ server, page }) => {
  await server.publish("backups", "the only one");
  await subscribe(page, server, "backups", "doors");
  await expectLive(page);
  const heading = page.getByRole("heading", { level: 1 });
  const palette = page.getByRole("dialog", { name: "Commands" });
  const field = palette.getByRole("combobox");

  await page.keyboard.press("g");
  await page.keyboard.press("s");
  await expect(heading).toHaveText("Starred");
  await page.keyboard.press("Shift+?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(help.getByText("Mark read or unread")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(help).toBeHidden();

  await page.keyboard.press("Control+k");
  await expect(field).toBeFocused();
  await page.keyboard.type("backu");
  await expect(palette.getByRole("option").first()).toContainText("backups");
  await page.keyboard.press("Enter");
  await expect(palette).toBeHidden();
  await expect(heading).toHaveText("backups");

  await page.keyboard.press("j");
  await expect(message(page, "the only one")).toBeFocused();
  await page.keyboard.press("Control+k");
  await expect(field).toBeFocused();
  await page.keyboard.type("star");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  const chosen = palette.getByRole("option", { selected: true });
  await expect(chosen).toContainText("Star or unstar");
  await expect(field).toHaveAttribute("aria-activedescendant", String(await chosen.getAttribute("id")));
  await page.keyboard.press("Enter");
  await expect(message(page, "the only one").getByText("Starred")).toBeAttached();
  await expect(message(page, "the only one"), "the focus is back").toBeFocused();

  await page.keyboard.press("/");
  await page.keyboard.type("gs e #");
  await expect(filterBox(page), "letters are text where one types").toHaveValue("gs e #");
  await page.keyboard.press("Control+k");
  await expect(field, "even from a field").toBeFocused();
  await page.keyboard.type("single");
  await page.keyboard.press("Enter");
  await choose(page, "Off");
  await page.goto(`${server.url}#/backups`);
  await expect(message(page, "the only one")).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("s");
  await page.keyboard.press("#");
  await page.keyboard.press("Control+k");
  await expect(field).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(palette).toBeHidden();
  await expect(heading).toHaveText("backups");
  await expect(message(page, "the only one")).toBeVisible();
});

test("no key is lost or acts elsewhere while something is still on its way", async ({ server, page }) => {
  await server.publish("backups", "the only one");
  await subscribe(page, server, "backups", "doors");
  await expectLive(page);
  await test.step("text typed right after the key of the palette arrives in its field", async () => {
    const palette = page.getByRole("dialog", { name: "Commands" });
    await page.keyboard.press("Control+k");
    await page.keyboard.type("doors");
    await expect(palette.getByRole("combobox")).toHaveValue("doors");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("doors");
    await expect(palette).toBeHidden();
  });
  await test.step("a key pressed while a feed is still being read acts on that feed", async () => {
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Starred");

    // The key is pressed in the moment in which the new heading is there, which is before its messages can be.
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          new MutationObserver((_, observer) => {
            if (document.querySelector("#app h1")?.textContent.trim() !== "backups") return;
            observer.disconnect();
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "j", code: "KeyJ", bubbles: true }));
            resolve();
          }).observe(document.body, { subtree: true, childList: true, characterData: true });
          location.hash = "#/backups";
        }),
    );
    await expect(message(page, "the only one")).toBeFocused();
  });
  await test.step("keys aren't commands while a dialog's code is loading, and Escape closes it", async () => {
    await page.goto(`${server.url}#/backups,doors`);
    let load: () => void = () => undefined;
    const mayLoad = new Promise<void>((resolve) => (load = resolve));
    const asked = page.waitForRequest(/\/assets\/topics-/);
    await page.route(/\/assets\/topics-/, async (route) => {
      await mayLoad;
      await route.continue();
    });
    await page.getByRole("button", { name: "Add a topic" }).first().click();
    await asked;
    await page.keyboard.press("g");
    await page.keyboard.press("u");
    await expect(page, "no letter was a command").toHaveURL(/backups,doors$/);
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("u");
    await expect(page.getByRole("heading", { level: 1 }), "keys are commands again").toHaveText("Important");
    load();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
});

test("the palette leads to settings, acts on topics and searches messages", async ({ server, page }) => {
  await server.publish("backups", "the disk is full");
  await server.publish("doors", "the door is open");
  await subscribe(page, server, "backups", "doors");
  await expectLive(page);
  const palette = page.getByRole("dialog", { name: "Commands" });
  const ask = async (words: string) => {
    await page.keyboard.press("Control+k");
    await expect(palette.getByRole("combobox")).toBeFocused();
    await page.keyboard.type(words);
  };

  // The palette must lead to every setting on the page, see `settingPlaces`.
  const found: string[] = [];
  for (const name of SETTINGS_PAGES) {
    await page.goto(`${server.url}#/~settings/${name}`);
    await expect(page.locator(`[aria-current=page][href$="${name}"]`)).toBeVisible();
    const places = page.locator("[data-place]");
    found.push(...(await places.evaluateAll((all) => all.map((one) => one.getAttribute("data-place") ?? ""))));
    const outside = page
      .locator(".settings")
      .locator(":is(input, select, button):not([data-place] *)")
      .filter({ hasNotText: /^Reset/ });
    await expect(outside, "no setting stands where the palette can't lead").toHaveCount(0);
  }
  const there = [
    "theme density textSize times language",
    "alerts muteAll quietHours repeatUrgent sounds outages",
    "markRead historyRead swipeRight swipeLeft singleKeys hides allowedRemote allowedRequests",
    "keepDays keepMessages prune keepFiles keepFilesAll storage",
    "group install backup",
    "about",
  ];
  expect(found).toEqual(there.flatMap((names) => names.split(" ")));
  await page.goto(`${server.url}#/`);
  await ask("at most");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("spinbutton", { name: "Keep at most" })).toBeFocused();
  await ask("dark");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("radio", { name: "Same as device" }), "on the settings page itself too").toBeFocused();

  await ask("mute back");
  await page.keyboard.press("Enter");
  const mute = page.getByRole("dialog", { name: "Mute backups" });
  await expect(mute).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(mute).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await expect(palette.getByRole("option").first(), "used last").toContainText("backups");
  await page.keyboard.press("Escape");
  await expect(palette).toBeHidden();

  await ask("disk full");
  await expect(palette.getByRole("option")).toHaveText("Search messages for “disk full”");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Everything");
  await expect(message(page, "the disk is full")).toBeVisible();
  await expect(message(page, "the door is open")).toBeHidden();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("the palette opens by touch, and topics are found", async ({ server, page }) => {
    await subscribe(page, server, "doors", "backups");
    await page.goto(`${server.url}#/backups`);
    await chooseInMenu(page, "Commands…");
    const palette = page.getByRole("dialog", { name: "Commands" });
    await palette.getByRole("combobox").fill("send back");
    await palette.getByRole("option").first().tap();
    await expect(page.getByRole("dialog", { name: "Send to backups" })).toBeVisible();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Topics" }).tap();
    const main = page.getByRole("main");
    await main.getByRole("button", { name: "Find a topic" }).tap();
    await expect(main.getByRole("searchbox", { name: "Find a topic" })).toBeFocused();
    await page.keyboard.type("doo");
    await expect(main.getByRole("link", { name: /^doors/ })).toBeVisible();
    await expect(main.getByRole("link", { name: /^backups/ })).toBeHidden();
  });
});
