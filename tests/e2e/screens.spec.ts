import type { Page } from "@playwright/test";
import { seedWelcome } from "../../src/server";
import { expectAccessible } from "./axe";
import { expect, subscribe, test, type TestServer } from "./fixtures";

const SIZES = [
  { name: "desktop", viewport: { width: 1440, height: 900 } },
  { name: "phone", viewport: { width: 390, height: 844 } },
];

/** Every screen: how one gets there, and what stands there. */
const SCREENS: { name: string; open: (page: Page, server: TestServer) => Promise<void> }[] = [
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
    name: "nothing found",
    async open(page, server) {
      await subscribe(page, server, "welcome");
      await page.goto(`${server.url}#/welcome?q=nowhere-to-be-found`);
      await expect(page.getByText("Nothing found")).toBeVisible();
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
      }, info) => {
        await seedWelcome(server.running);
        await screen.open(page, server);
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
