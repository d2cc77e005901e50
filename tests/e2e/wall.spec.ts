import { expect, subscribe, test } from "./fixtures";
import { keptOffline } from "./on-screen";

test.use({ viewport: { width: 1600, height: 900 }, serviceWorkers: "allow" });

test("a wall shows urgent messages first, says when it is cut off, and closes on Escape", async ({
  server,
  page,
  watch,
}) => {
  await server.publish("a", "pressing", {
    title: "Water in the cellar",
    priority: 5,
    time: server.running.nowS() - 600,
  });
  for (let at = 0; at < 40; at++) await server.publish("a", `usual ${String(at + 1)} %`);
  await subscribe(page, server, "a");
  await page.goto(`${server.url}#/~wall/a`);
  const wall = page.getByRole("main", { name: "Wall" });
  const lines = wall.getByRole("region", { name: "a" }).getByRole("listitem");
  await expect(lines.first()).toContainText("Water in the cellar");
  await expect(lines.nth(1)).toContainText(/usual 40 %.*40 times since/);
  await expect(wall.getByText("Live", { exact: true })).toBeVisible();
  await expect(page.getByRole("navigation")).toHaveCount(0);

  await server.curl("a", "just now");
  await expect(lines.nth(1)).toContainText("just now");

  await keptOffline(page);
  watch.tolerate(/ERR_/);
  await server.stop();
  await expect(wall.getByText(/No contact since .*\. This may be out of date/)).toBeVisible();
  await server.start();

  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/~columns/);

  await page.goto(`${server.url}#/~wall`);
  const column = (name: string) => wall.getByRole("region", { name }).getByRole("listitem");
  await expect(column("Urgent")).toHaveText([/Water in the cellar/]);
  await expect(column("Everything").first()).toContainText("just now");
  await expect(column("Everything").filter({ hasText: "Water in the cellar" }), "not once more").toHaveCount(0);

  await test.step("what isn't subscribed is not shown as if it had no messages", async () => {
    await page.goto(`${server.url}#/~wall/a;unknown`);
    await expect(column("unknown")).toHaveText("Not subscribed to unknown");
  });
});
