import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe";
import { chooseInMenu, expectLive, message, notice, tellState } from "./on-screen";
import { expect, json, lines, messageEvent, nowS, test, type ScriptedServer } from "./scripted-server";
import { runBefore } from "./workers";

async function subscribeTo(page: Page, appUrl: string, scripted: ScriptedServer): Promise<void> {
  await page.goto(`${appUrl}#/http:${scripted.host}/notes`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expectLive(page);
}

const header = (page: Page) => page.locator("main > header");

test("a search for missing messages leads to what it found, and lost messages have a gap line", async ({
  server,
  page,
  scripted,
  watch,
}) => {
  watch.tolerate(/ERR_INCOMPLETE_CHUNKED_ENCODING|status of 502/);
  const at = (text: string, secondsAgo: number) => messageEvent("notes", text, { time: nowS() - secondsAgo });
  const known = at("known", 60);
  scripted.polled = lines(known);
  await subscribeTo(page, server.url, scripted);
  await expect(header(page), "nothing is said of what is well").not.toContainText("complete");
  await tellState(page);
  await expect(header(page)).toContainText(/complete until \d\d:\d\d/);
  await expect(header(page)).toContainText("last contact just now");
  // The app checks by itself once more some seconds after the stream was opened, by time if the stream opened before
  // the first check began. After that it checks only when asked.
  await expect.poll(() => scripted.asked(/since=(?:all|\d{10})/)).toBe(2);

  await test.step("when visible again, the app says that it is checking, and then until when messages are complete", async () => {
    // A busy page may ask more than once before it says so.
    const held: (() => void)[] = [];
    scripted.answer = ({ url }, response) => {
      if (!url.includes("poll=1")) return false;
      held.push(() => response.writeHead(200, { "Content-Type": "application/x-ndjson" }).end());
      return true;
    };
    // A tab that has just polled doesn't poll again at once, so try until it does.
    await expect(async () => {
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await expect(header(page)).toContainText("Checking", { timeout: 1_000 });
    }).toPass();
    scripted.answer = () => false;
    await expect.poll(() => held.length).toBeGreaterThan(0);
    for (const answer of held) answer();
    await expect(header(page)).not.toContainText("Checking");
    await expect(header(page)).toContainText(/complete until \d\d:\d\d/);
  });
  await chooseInMenu(page, "Fetch again");
  await expect(notice(page)).toContainText("Nothing is missing");
  const missed = [at("missed one", 50), at("missed two", 40)];
  scripted.polled = lines(known, ...missed);
  await chooseInMenu(page, "Fetch again");
  await expect(notice(page)).toContainText("2 messages were missing");
  await notice(page).getByRole("button", { name: "Show" }).click();
  await expect(page.getByRole("complementary", { name: "Message" }), "the newest").toContainText("missed two");
  await expect(message(page, "missed one")).toBeVisible();

  // It is kept so briefly that no poll can bring what was published during the outage.
  scripted.send(messageEvent("notes", "short-lived", { expires: nowS() + 1 }));
  await expect(message(page, "short-lived")).toHaveCount(1);
  scripted.answer = (_asked, response) => (json(response, 502, {}), true);
  scripted.endStreams();
  const cutAtS = nowS();
  await expect.poll(() => nowS() - cutAtS).toBeGreaterThan(4);
  scripted.answer = () => false;
  const gap = page.getByText("Some messages may be missing");
  await expect(gap).toBeVisible();
  await expect(header(page)).toContainText(/complete from \d\d:\d\d until \d\d:\d\d/);
  await page.getByRole("button", { name: "Ask the server again" }).first().click();
  await expect(notice(page)).toContainText("Nothing is missing");
  await page.goto(`${server.url}#/~starred`);
  await expect(page.getByText("Nothing is starred")).toBeVisible();
});

test.describe("without a service worker, whose copies of the scripts would bypass a route", () => {
  test.use({ serviceWorkers: "block" });

  test("messages that a server lost while the page was closed have a gap line, and no search says that nothing is missing", async ({
    server,
    page,
    context,
    watch,
  }) => {
    await page.goto(`${server.url}#/mytopic`);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expectLive(page);
    await server.curl("mytopic", "kept by the server");
    await expect(message(page, "kept by the server")).toHaveCount(1);
    watch.tolerate(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING/);
    await page.close();
    await server.curl("mytopic", "lost for good");
    await server.stop();
    // Checks only look for a message once it is half a minute old.
    const minuteMs = 60_000;
    server.aheadMs = minuteMs;
    await runBefore(context, `const now = Date.now; Date.now = () => now() + ${String(minuteMs)};`);
    await server.start();
    await server.curl("mytopic", "after the restart");

    const again = await context.newPage();
    await again.goto(`${server.url}#/mytopic`);
    await expect(message(again, "after the restart")).toHaveCount(1);
    // Some seconds after the stream was opened the app asks for a message that the server must still have.
    const gap = again.getByText("(the server lost them)");
    await expect(gap).toBeVisible();
    await tellState(again);
    await expect(header(again)).toContainText(/complete from \d\d:\d\d until \d\d:\d\d/);
    await expectAccessible(again);
    await chooseInMenu(again, "Fetch again");
    await expect(notice(again)).toContainText("The server lost messages that it was keeping");
    await again.getByRole("button", { name: "Ask the server again" }).click();
    await expect(notice(again)).toContainText("so some may be missing for good");
    await expect(notice(again)).not.toContainText("Nothing is missing");
    await expect(gap).toHaveCount(1);
  });
});
