import type { Page } from "@playwright/test";
import { join } from "node:path";
import { seedWelcome } from "../../src/server";
import { expect, subscribe, test } from "./fixtures";
import {
  chooseInMenu,
  expectLive,
  expectStored,
  filterBox,
  keptOffline,
  message,
  nextTryS,
  offlineStrip,
  storedMessages,
} from "./on-screen";

/** The browser's console message about a stopped server. */
const REFUSED = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/;

test("a message from curl appears, and what comes while the app is closed is there when it opens again", async ({
  server,
  page,
  context,
}) => {
  await test.step("the first screen asks one question", async () => {
    await page.goto(server.url);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("What do you want to be within earshot of?");
    await expect(page.getByRole("textbox")).toHaveCount(1);
    await expect(page.getByRole("textbox", { name: "Topic" })).toBeVisible();
    await expect(page.getByText(`curl -d "It works" http://${server.host}/backups`)).toBeVisible();
    await expect(page.getByText("welcome topic"), "this server has none").toBeHidden();
    expect(server.running.streams(), "nothing is subscribed unasked").toEqual([]);
  });
  await test.step("after subscribing to a typed topic a message from curl appears within a moment", async () => {
    await page.getByRole("textbox", { name: "Topic" }).fill("mytopic");
    await expect(page.getByText(`curl -d "It works" http://${server.host}/mytopic`)).toBeVisible();
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expect(page).toHaveURL(`${server.url}#/mytopic`);
    await expect(page.getByRole("heading", { name: "No messages yet" })).toBeVisible();
    await expect(page.getByText(`http://${server.host}/mytopic`)).toBeVisible();
    await expectLive(page);

    await server.curl("mytopic", "hello");
    await expect(message(page, "hello")).toBeVisible();
    await expect(message(page, "hello").getByText("Unread", { exact: true })).toBeAttached();
    await expect(message(page, "hello").getByRole("heading")).toHaveText(`${server.host}/mytopic`);
  });
  await test.step("messages that are published while the app is closed are there when it opens again, once and unread", async () => {
    await message(page, "hello").click();
    await expect(message(page, "hello").getByText("Unread", { exact: true })).toHaveCount(0);
    await page.close();
    await expect.poll(() => server.running.streams(), "nobody listens").toEqual([]);

    const missed = ["first missed", "second missed", "third missed"];
    for (const text of missed) await server.curl("mytopic", text);

    const again = await context.newPage();
    await again.goto(`${server.url}#/mytopic`);
    for (const text of missed) {
      await expect(message(again, text)).toHaveCount(1);
      await expect(message(again, text).getByText("Unread", { exact: true })).toBeAttached();
    }
    await expect(message(again, "hello")).toHaveCount(1);
    await expect(message(again, "hello").getByText("Unread", { exact: true })).toHaveCount(0);
    await expect(again.getByRole("main").getByText("3 unread", { exact: true })).toBeVisible();
    await expect(again).toHaveTitle("(3) mytopic · Earshot");
    await expectLive(again);
    await expect.poll(() => storedMessages(again)).toEqual({ rows: 4, ids: 4 });
  });
});

test("the welcome topic of a fresh server is one press away", async ({ server, page }) => {
  await seedWelcome(server.running);
  await page.goto(server.url);
  await page.getByRole("button", { name: "Show the welcome topic" }).click();
  await expect(page).toHaveURL(`${server.url}#/welcome`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("welcome");
  await expect(message(page, "An urgent message looks like this")).toHaveCount(1);
  await expect(message(page, "Backup of the photos: done")).toHaveCount(1);
  await expect(message(page, "Backup of the photos: 40 %"), "the earlier version is inside the newer").toHaveCount(0);
});

test.describe("without the server of the app", () => {
  test.use({
    serviceWorkers: "allow",
    serverOptions: async ({}, use, info) => use({ stateFile: join(info.outputPath(), "state.ndjson") }),
  });

  test("a stopped server is reported, the feed still works, and after restarts nothing is missing or there twice", async ({
    server,
    page,
    watch,
  }) => {
    await subscribe(page, server, "mytopic");
    await expectLive(page);
    await server.curl("mytopic", "the backup failed", { Title: "Backup" });
    await server.curl("mytopic", "the door is open", { Title: "Door" });
    await expect(message(page, "the door is open")).toBeVisible();

    await keptOffline(page);
    watch.tolerate(REFUSED);
    await server.stop();
    await expect(offlineStrip(page)).toBeVisible();
    await expect(offlineStrip(page).getByRole("button", { name: "Try now" })).toBeVisible();
    const shown: number[] = [];
    await expect
      .poll(async () => {
        const seconds = await nextTryS(page);
        if (seconds !== undefined) shown.push(seconds);
        return shown.some((now, at) => now < (shown[at - 1] ?? 0));
      }, "counted down")
      .toBe(true);

    await filterBox(page).fill("backup");
    await expect(message(page, "the door is open")).toHaveCount(0);
    await message(page, "the backup failed").click();
    await expect(page.getByRole("complementary", { name: "Message" }).getByRole("heading", { level: 2 })).toHaveText(
      "Backup",
    );
    await page.getByRole("button", { name: "Clear the search and filter" }).click();
    await expect(message(page, "the door is open")).toHaveCount(1);

    await server.start();
    await server.curl("mytopic", "sent before it was back");
    await expect(message(page, "sent before it was back")).toHaveCount(1);
    await expectLive(page);
    await expect(offlineStrip(page)).toBeHidden();
    await server.curl("mytopic", "sent after it was back");
    await expect(message(page, "sent after it was back")).toHaveCount(1);
    await expect(message(page, "sent before it was back")).toHaveCount(1);

    // Its messages are those of before: none is lost, and none comes twice.
    await server.stop();
    await expect(offlineStrip(page)).toBeVisible();
    await server.start();
    await server.curl("mytopic", "after a second restart");
    await expect(message(page, "after a second restart")).toHaveCount(1);
    await expectLive(page);
    await expectStored(page, 5);
    await expect.poll(() => storedMessages(page)).toEqual({ rows: 5, ids: 5 });
  });
});

test("two tabs agree on the unread count, in the title and on the app's icon too, and on the transport", async ({
  server,
  page,
  context,
}) => {
  await test.step("two tabs agree on the unread count, in the title and on the app's icon too", async () => {
    // Records the badge that the system would show, as no app is installed here.
    await context.addInitScript(() => {
      navigator.setAppBadge = (count) => {
        document.documentElement.dataset["badge"] = String(count);
        return Promise.resolve();
      };
    });
    const expectBadge = (tab: Page, count: number) =>
      expect(tab.locator("html")).toHaveAttribute("data-badge", String(count));
    await subscribe(page, server, "mytopic");
    await expectLive(page);
    const other = await context.newPage();
    await other.goto(`${server.url}#/`);
    await server.curl("mytopic", "one");
    await server.curl("mytopic", "two");
    for (const tab of [page, other]) {
      await expect(tab.getByRole("main").getByText("2 unread", { exact: true })).toBeVisible();
      await expect(tab).toHaveTitle(/^\(2\) /);
      await expectBadge(tab, 2);
    }
    await message(page, "one").click();
    await expect(other.getByRole("main").getByText("1 unread", { exact: true })).toBeVisible();
    await expect(message(other, "one").getByText("Unread", { exact: true })).toHaveCount(0);
    await other
      .getByRole("main")
      .getByRole("button", { name: /^Mark (all|th).* read$/ })
      .click();
    for (const tab of [page, other]) {
      await expect(tab.getByText(/\d unread/)).toHaveCount(0);
      await expect(tab).not.toHaveTitle(/^\(/);
      await expectBadge(tab, 0);
    }
    await other.close();
  });
  await test.step("any transport can be chosen by hand, and the choice can be undone", async () => {
    await expect.poll(() => server.running.streams()).toEqual([{ topics: ["mytopic"], format: "json" }]);

    const received = page.getByLabel("How messages are received");
    for (const [transport, format] of [
      ["WebSocket", "ws"],
      ["SSE stream", "sse"],
    ] as const) {
      await chooseInMenu(page, "Server settings");
      await received.selectOption(transport);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();
      await expect.poll(() => server.running.streams()).toEqual([{ topics: ["mytopic"], format }]);
      await server.curl("mytopic", `by ${transport}`);
      await expect(message(page, `by ${transport}`)).toHaveCount(1);
      await expectLive(page);
    }

    await page.reload();
    await expect
      .poll(() => server.running.streams(), "it is remembered")
      .toEqual([{ topics: ["mytopic"], format: "sse" }]);
    await chooseInMenu(page, "Server settings");
    await expect(received).toHaveValue("sse");
    await received.selectOption("Automatic");
    await expect.poll(() => server.running.streams()).toEqual([{ topics: ["mytopic"], format: "json" }]);
  });
});
