import { expect, subscribe, test } from "./fixtures";
import { chooseInMenu, expectLive, expectStored, storedMessages } from "./on-screen";

test("the raw tail", async ({ server, page, context }) => {
  await test.step("the raw tail shows each line as it comes, holds still while the user reads further up, and stores nothing", async () => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.url });
    await subscribe(page, server, "mytopic");
    await expectLive(page);
    await chooseInMenu(page, "Raw live tail");
    await expect(page).toHaveURL(`${server.url}#/~raw/mytopic`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Raw: mytopic");
    const main = page.getByRole("main");
    await expect(main.getByRole("status").getByText("Live", { exact: true })).toBeVisible();
    await expect(main).toContainText("nothing is stored");

    await server.curl("mytopic", "first line", { Title: "a title" });
    const log = page.getByRole("log", { name: "Lines" });
    await expect(log).toContainText("first line");
    await expect(log).not.toContainText("a title");
    const more = Array.from({ length: 60 }, (_, at) => `line ${at}.`);
    for (const line of more) await server.publish("mytopic", line);
    await expect(log.getByText("line 59.")).toBeInViewport();
    await expect(main).toContainText("61 lines");

    await log.focus();
    await page.keyboard.press("Home");
    await expect(log.getByText("first line")).toBeInViewport();
    await server.publish("mytopic", "while reading");
    await expect(main).toContainText("62 lines");
    await expect(log.getByText("first line")).toBeInViewport();
    await page.getByRole("button", { name: "Follow" }).press("Enter");
    await expect(log.getByText("while reading")).toBeInViewport();
    await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();

    await page.getByRole("button", { name: "Copy" }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(["first line", ...more, "while reading"].join("\n"));

    await page.getByRole("button", { name: "Back to the messages" }).click();
    await expect(page).toHaveURL(`${server.url}#/mytopic`);
    await expect.poll(() => server.running.streams().map(({ format }) => format)).toEqual(["json"]);
    await expectStored(page, 62);
    await expect.poll(() => storedMessages(page)).toEqual({ rows: 62, ids: 62 });
  });
  await test.step("a link to the raw tail of a topic that is not subscribed asks before anything is sent", async () => {
    await page.goto(`${server.url}#/~raw/another`);
    await expect(page.getByText("without subscribing?")).toBeVisible();
    expect(server.wasAskedFor("another")).toBe(false);
    await page.getByRole("button", { name: "Start" }).click();
    await expect(page.getByRole("main").getByRole("status").getByText("Live", { exact: true })).toBeVisible();
    await server.curl("another", "<b onclick=alert(1)>as it is</b>");
    await expect(page.getByRole("log")).toContainText("<b onclick=alert(1)>as it is</b>");
    await expect.poll(() => storedMessages(page)).toEqual({ rows: 62, ids: 62 });
  });
});
