import { expect, test } from "./fixtures";

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
  await page.getByRole("group", { name: "Sprache" }).getByText("English").click();
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
});
