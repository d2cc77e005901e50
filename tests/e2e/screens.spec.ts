import type { Page } from "@playwright/test";
import { seedWelcome } from "../../src/server";
import { expectAccessible } from "./axe";
import { expect, subscribe, test, type TestServer } from "./fixtures";
import { chooseInMenu, expectLive, filterBox, keptOffline, message, offlineStrip, wasAway } from "./on-screen";
import type { Watch } from "./watch";

const SIZES = [
  { name: "desktop", viewport: { width: 1440, height: 900 } },
  { name: "phone", viewport: { width: 390, height: 844 } },
];

/** Every screen: how one gets there, and what stands there. */
const SCREENS: { name: string; open: (page: Page, server: TestServer, watch: Watch) => Promise<void> }[] = [
  {
    name: "the first start",
    async open(page, server) {
      await page.goto(server.url);
      await expect(page.getByRole("heading", { name: "What do you want to be within earshot of?" })).toBeVisible();
    },
  },
  {
    name: "a link that asks",
    async open(page, server) {
      await page.goto(`${server.url}#/backups?priority=high`);
      await expect(page.getByRole("button", { name: "Subscribe" })).toBeVisible();
    },
  },
  {
    name: "only a look",
    async open(page, server) {
      await page.goto(`${server.url}#/welcome`);
      await page.getByRole("button", { name: "Only look" }).click();
      await expect(page.getByText("An urgent message looks like this")).toBeVisible();
    },
  },
  {
    name: "a link that can't be opened",
    async open(page, server) {
      await page.goto(`${server.url}#/not a topic`);
      await expect(page.getByRole("heading", { name: "This link can't be opened" })).toBeVisible();
    },
  },
  {
    name: "an empty topic",
    async open(page, server) {
      await subscribe(page, server, "backups");
      await expect(page.getByText("No messages yet")).toBeVisible();
    },
  },
  {
    name: "a feed with all that can be displayed",
    async open(page, server) {
      await subscribe(page, server, "welcome");
      await expect(page.getByText("An urgent message looks like this").first()).toBeVisible();
    },
  },
  {
    name: "one message",
    async open(page, server) {
      await subscribe(page, server, "welcome");
      await page.getByText("An urgent message looks like this").first().click();
      await expect(page.getByText("Received", { exact: true })).toBeVisible();
    },
  },
  {
    name: "a selection",
    async open(page, server) {
      await subscribe(page, server, "welcome");
      await page.keyboard.press("j");
      await page.keyboard.press("x");
      await page.keyboard.press("Shift+J");
      await expect(page.getByRole("toolbar", { name: "Selected messages" })).toContainText("2 selected");
    },
  },
  {
    name: "what came while one was away",
    async open(page, server) {
      await subscribe(page, server, "welcome");
      await expect(page.getByRole("main").getByText("7 unread")).toBeVisible();
      await page.goto(`${server.url}#/`);
      await wasAway(page, 3 * 60 * 60_000);
      await page.reload();
      await expect(page.getByRole("article", { name: /^While you were away/ })).toBeVisible();
    },
  },
  {
    name: "the palette",
    async open(page, server) {
      await subscribe(page, server, "welcome");
      await page.keyboard.press("Control+k");
      await expect(page.getByRole("combobox", { name: "Command, topic or view" })).toBeFocused();
    },
  },
  {
    name: "the list of keys",
    async open(page, server) {
      await subscribe(page, server, "welcome");
      await page.keyboard.press("Shift+?");
      await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
    },
  },
  {
    name: "nothing found",
    async open(page, server) {
      await subscribe(page, server, "welcome");
      await page.goto(`${server.url}#/welcome?q=nowhere-to-be-found`);
      await expect(page.getByText("Nothing found")).toBeVisible();
    },
  },
  {
    name: "what was found, with its words marked, and a filter that is being completed",
    async open(page, server) {
      await subscribe(page, server, "welcome");
      await page.goto(`${server.url}#/welcome?q=message+is:unread`);
      await expect(page.getByRole("search").getByRole("status")).toContainText(/\d/);
      await filterBox(page).click();
      await filterBox(page).fill("message pri");
      await filterBox(page).press("ArrowDown");
      await expect(page.getByRole("option", { name: "priority:" })).toHaveAttribute("aria-selected", "true");
    },
  },
  {
    name: "a filter with something wrong",
    async open(page, server) {
      await subscribe(page, server, "welcome");
      await page.goto(`${server.url}#/welcome?tags=warning`);
      await filterBox(page).fill("priority:loud ");
      await expect(page.getByText("“loud” is no priority.")).toBeVisible();
    },
  },
  {
    name: "a saved view, and another one about to be",
    async open(page, server) {
      await subscribe(page, server, "welcome");
      const dialog = page.getByRole("dialog", { name: "Save this view" });
      for (const name of ["One", "Two"]) {
        await page.goto(`${server.url}#/welcome?tags=${name}`);
        await expect(page.getByText("Nothing found")).toBeVisible();
        const isPhone = (page.viewportSize()?.width ?? 0) < 640;
        if (isPhone) await chooseInMenu(page, "Save this view…");
        else await page.locator("main > header").getByRole("button", { name: "Save this view…" }).click();
        await dialog.getByRole("textbox", { name: "Name" }).fill(name);
        if (name === "One") await dialog.getByRole("button", { name: "Save" }).click();
      }
      await expect(dialog.getByText("It keeps the filter tag:Two.")).toBeVisible();
    },
  },
  {
    name: "the settings",
    async open(page, server) {
      await subscribe(page, server, "welcome");
      await page.goto(`${server.url}#/~settings`);
      await expect(page.getByRole("heading", { name: "Settings" }).first()).toBeVisible();
    },
  },
  {
    name: "the list of topics",
    async open(page, server) {
      await subscribe(page, server, "welcome", "empty");
      await page.goto(`${server.url}#/~topics`);
      await expect(page.getByText("1 server · 2 topics")).toBeVisible();
    },
  },
  {
    name: "adding a topic, with something wrong",
    async open(page, server) {
      await subscribe(page, server, "welcome");
      await page.goto(`${server.url}#/~add`);
      const dialog = page.getByRole("dialog", { name: "Add a topic" });
      await dialog.getByRole("textbox", { name: "Topic" }).fill("not a topic");
      await dialog.getByLabel("Sign in").selectOption("With user and password");
      await expect(dialog.getByLabel("Password")).toBeVisible();
    },
  },
  {
    name: "sending a test message",
    async open(page, server) {
      await subscribe(page, server, "welcome");
      await chooseInMenu(page, "Send a test message");
      await expect(page.getByRole("dialog", { name: "Send to welcome" })).toBeVisible();
    },
  },
  {
    name: "the settings of a topic",
    async open(page, server) {
      await subscribe(page, server, "welcome");
      await chooseInMenu(page, "Topic settings");
      await expect(page.getByRole("dialog", { name: "Settings of welcome" })).toBeVisible();
    },
  },
  {
    name: "the settings of a server",
    async open(page, server) {
      await subscribe(page, server, "welcome");
      await chooseInMenu(page, "Server settings");
      await expect(page.getByRole("dialog", { name: `Settings of ${server.host}` })).toBeVisible();
    },
  },
  {
    name: "the menu of a view, and something to undo",
    async open(page, server) {
      await subscribe(page, server, "welcome");
      await message(page, "An urgent message looks like this").click();
      await page.getByRole("button", { name: "Delete" }).last().click();
      await expect(page.getByText("Message deleted")).toBeVisible();
      await page.locator("main > header").getByRole("button", { name: "More" }).click();
      await expect(page.getByRole("menuitem", { name: "Remove topic" })).toBeVisible();
    },
  },
  {
    name: "a server that can't be reached",
    async open(page, server, watch) {
      await subscribe(page, server, "welcome");
      await expectLive(page);
      await keptOffline(page);
      watch.tolerate(/ERR_/);
      await server.stop();
      await expect(offlineStrip(page)).toBeVisible();
    },
  },
  {
    name: "a server that refuses",
    async open(page, server, watch) {
      await subscribe(page, server, "welcome");
      await expectLive(page);
      await keptOffline(page);
      watch.tolerate(/ERR_|status of 40[13]/);
      await server.stop();
      await server.start({ access: { default: "deny-all", users: [], rules: [] } });
      await expect(page.getByRole("main").getByText("Refused")).toBeVisible({ timeout: 30_000 });
      await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
      await expect(page.getByRole("dialog", { name: `Sign in to ${server.host}` })).toBeVisible();
    },
  },
];

/** What reaches beyond the right edge of the screen, as a person would see by scrolling sideways. */
function beyondTheEdge(): string[] {
  if (document.documentElement.scrollWidth <= innerWidth) return [];
  return [...document.querySelectorAll("*")]
    .filter((element) => element.getBoundingClientRect().right > innerWidth)
    .map(({ tagName, className }) => `${tagName} ${String(className)}`);
}

for (const { name, viewport } of SIZES) {
  test.describe(name, () => {
    test.use({ viewport });

    for (const screen of SCREENS) {
      test(`${screen.name}: nothing that axe objects to, light or dark, nothing beyond the edge`, async ({
        server,
        page,
        watch,
      }, info) => {
        await seedWelcome(server.running);
        await screen.open(page, server, watch);
        expect(await page.evaluate(beyondTheEdge)).toEqual([]);
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          await page.screenshot({ path: info.outputPath(`${colorScheme}.png`) });
          await expectAccessible(page);
        }
      });
    }
  });
}
