import { seedWelcome } from "../../src/server";
import { objectionsNow } from "./axe";
import { expect, test } from "./fixtures";
import { beyondTheEdge } from "./on-screen";

test.describe("German", () => {
  test.use({ locale: "de-DE" });

  test("a German browser gets German, until the settings say otherwise", async ({ server, page }) => {
    await page.goto(server.url);
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
    await expect(page.getByRole("heading", { name: "Wovon willst du in Hörweite sein?" })).toBeVisible();
    await server.publish("notes", "Guten Tag");
    await page.goto(`${server.url}#/notes`);
    await page.getByRole("button", { name: "Abonnieren" }).click();
    const feed = page.getByRole("feed", { name: "Nachrichten" });
    await expect(feed.getByRole("article").filter({ hasText: "Guten Tag" })).toBeVisible();
    await expect(feed.getByText("Heute")).toBeVisible();
    // These texts come with parts that are loaded later, whichever files they are in.
    await expect(page.getByPlaceholder("1 Nachricht durchsuchen oder filtern")).toBeVisible();
    await page.goto(`${server.url}#/~settings`);
    // Everything changes at once, on the page that is there, and in other tabs too.
    const other = await page.context().newPage();
    await other.goto(`${server.url}#/notes`);
    await expect(other.getByPlaceholder("1 Nachricht durchsuchen oder filtern")).toBeVisible();
    await page.evaluate(() => document.body.setAttribute("data-same", ""));
    await page.getByLabel("Sprache").focus();
    await page.getByLabel("Sprache").selectOption("English");
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
    await expect(page.getByLabel("Language")).toBeFocused();
    await expect(page).toHaveTitle(/Settings/);
    await expect(other.getByPlaceholder("Search 1 message, or filter")).toBeVisible();
    await expect(other.getByRole("article").filter({ hasText: "Guten Tag" })).toBeVisible();
    await page.getByLabel("Language").selectOption("Deutsch");
    await expect(page.getByRole("heading", { name: "Einstellungen", level: 1 })).toBeVisible();
    await page.getByLabel("Sprache").selectOption("English");
    await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
    await expect(page.locator("body")).toHaveAttribute("data-same");
    await page.reload();
    await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
  });
});

test.describe("Arabic", () => {
  test.use({ locale: "ar", viewport: { width: 390, height: 844 } });

  test("Arabic is written from right to left on every main screen, and nothing runs off the edge", async ({
    server,
    page,
  }) => {
    await seedWelcome(server.running);
    await page.goto(`${server.url}#/welcome`);
    await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
    await page.getByRole("button", { name: "اشتراك" }).click();
    const articles = page.getByRole("feed").getByRole("article");
    await expect(articles.filter({ hasText: "An urgent message looks like this" })).toBeVisible();
    const look = async (screen: string): Promise<void> => {
      expect.soft(await page.evaluate(beyondTheEdge), screen).toEqual([]);
      expect.soft(await objectionsNow(page), screen).toEqual([]);
    };
    await look("the feed");
    // What is done stands at the end of a line, which is at the left.
    const box = async (name: string) =>
      (await page.locator("main > header").getByRole("button", { name }).boundingBox())?.x;
    expect(await box("المزيد")).toBeLessThan((await box("بحث")) ?? 0);
    await articles.filter({ hasText: "An urgent message looks like this" }).getByRole("heading").click();
    await expect(page.getByRole("tab", { name: "التفاصيل" })).toBeVisible();
    // The tab that follows stands at the left.
    await page.getByRole("tab", { name: "التفاصيل" }).focus();
    await page.keyboard.press("ArrowLeft");
    await expect(page.getByRole("tab", { name: "خام" })).toHaveAttribute("aria-selected", "true");
    await look("a message");
    await page.goto(`${server.url}#/~topics`);
    await expect(page.getByRole("heading", { name: "المواضيع", level: 1 })).toBeVisible();
    await look("the topics");
    await page.goto(`${server.url}#/~settings`);
    await expect(page.getByRole("heading", { name: "الإعدادات", level: 1 })).toBeVisible();
    await look("the settings");
  });
});
