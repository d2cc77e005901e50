import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "./axe";
import { expect, subscribe, test } from "./fixtures";
import { message, notice } from "./on-screen";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

/** Puts a finger on an element and moves it by so many px; the returned function lifts it. */
async function lay(page: Page, on: Locator, dx: number, dy: number): Promise<() => Promise<void>> {
  const box = await on.boundingBox();
  if (!box) throw new Error("nothing to lay a finger on");
  const session = await page.context().newCDPSession(page);
  const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height / 2, 30)];
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", part: number) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: type === "touchEnd" ? [] : [{ x: x + dx * part, y: y + dy * part }],
    });
  await touch("touchStart", 0);
  for (let step = 1; step <= 10; step++) await touch("touchMove", step / 10);
  return async () => {
    await touch("touchEnd", 1);
    await session.detach();
  };
}

async function drag(page: Page, on: Locator, dx: number, dy: number): Promise<void> {
  const lift = await lay(page, on, dx, dy);
  await lift();
}

/** Draws a pen over an element by so many px. */
async function draw(page: Page, on: Locator, dx: number): Promise<void> {
  const box = await on.boundingBox();
  if (!box) throw new Error("nothing to draw over");
  const session = await page.context().newCDPSession(page);
  const [x, y] = [box.x + box.width / 2, box.y + 30];
  const pen = { button: "left", buttons: 1, clickCount: 1, pointerType: "pen", y } as const;
  await session.send("Input.dispatchMouseEvent", { ...pen, type: "mousePressed", x });
  for (let step = 1; step <= 10; step++)
    await session.send("Input.dispatchMouseEvent", { ...pen, type: "mouseMoved", x: x + (dx * step) / 10 });
  await session.send("Input.dispatchMouseEvent", { ...pen, type: "mouseReleased", buttons: 0, x: x + dx });
  await session.detach();
}

/** Waits until nothing scrolls any more: a finger on a moving list only stops it. */
async function expectStill(scroller: Locator): Promise<void> {
  await scroller.evaluate(
    (element) =>
      new Promise<void>((resolve) => {
        let [top, still] = [element.scrollTop, 0];
        const look = (): void => {
          still = element.scrollTop === top ? still + 1 : 0;
          top = element.scrollTop;
          if (still === 20) resolve();
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
}

test("a long press on a topic picks it, and arrows and a menu are for the one that is picked", async ({
  server,
  page,
}) => {
  await server.publish("backups", "one");
  await subscribe(page, server, "backups", "cellar", "doors");
  await page.goto(`${server.url}#/~topics`);
  const names = page.locator("main section .name");
  await expect(names).toHaveText(["backups", "cellar", "doors"]);
  const lift = await lay(page, page.getByRole("link", { name: /^cellar/ }), 0, 0);
  await expect(page.getByRole("checkbox", { name: /^cellar/ })).toBeChecked();
  await lift();
  await expect(page, "the topic doesn't open").toHaveURL(`${server.url}#/~topics`);
  await expect(page.getByRole("checkbox", { name: /^cellar/ })).toBeChecked();
  await page.getByRole("button", { name: "Move up" }).click();
  await expect(names).toHaveText(["cellar", "backups", "doors"]);
  await page.getByRole("button", { name: "Move down" }).click();
  await page.getByRole("button", { name: "Move down" }).click();
  await expect(names).toHaveText(["backups", "doors", "cellar"]);
  await expectAccessible(page);
  await page.locator(".picked").getByRole("button", { name: "More" }).click();
  await expect(page.getByRole("menuitem", { name: "Mute…" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("checkbox", { name: /^backups/ }).check();
  await expect(page.getByRole("button", { name: "Move up" })).toHaveCount(0);
  await page.reload();
  await expect(names).toHaveText(["backups", "doors", "cellar"]);
});

test("a swipe does what the settings say, a long press picks, and scrolling is left alone", async ({
  server,
  page,
}) => {
  for (let at = 1; at <= 30; at++) await server.publish("backups", "text", { title: `Number-${at}` });
  await subscribe(page, server, "backups");
  const number = (at: number) => page.getByRole("article", { name: `Number-${at}`, exact: true });
  const scroller = page.getByRole("feed", { name: "Messages" }).locator("..");
  await expect(number(30)).toBeVisible();
  // The code that handles touches is loaded.
  await expect(number(30)).toHaveCSS("touch-action", "pan-y pinch-zoom");

  await drag(page, number(30), 60, 0);
  await expect(page.locator("article.drawn")).toHaveCount(0);
  await expect(number(30), "not far enough").toBeVisible();
  await drag(page, number(29), 0, -300);
  await expect.poll(() => scroller.evaluate((element) => element.scrollTop)).toBeGreaterThan(100);
  await expect(notice(page)).toHaveText("");
  await expectStill(scroller);
  await scroller.evaluate((element) => element.scrollTo(0, 0));
  await expectStill(scroller);

  const lift = await lay(page, number(30), 200, 8);
  await expect(page.locator(".strip")).toHaveText("Done");
  await expectAccessible(page);
  await lift();
  await expect(notice(page)).toContainText("Message done");
  await expect(number(30)).toHaveCount(0);
  await notice(page).getByRole("button", { name: "Undo" }).click();
  await expect(number(30)).toHaveCount(1);
  await test.step("a second finger ends a swipe", async () => {
    const box = await number(30).boundingBox();
    const session = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...by: number[]) =>
      session.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: by.map((dx, id) => ({ id, x: (box?.x ?? 0) + 40 + dx, y: (box?.y ?? 0) + 20 + 90 * id })),
      });
    await touch("touchStart", 0);
    for (let dx = 0; dx <= 120; dx += 10) await touch("touchMove", dx);
    await expect(page.locator(".strip")).toHaveText("Done");
    await touch("touchStart", 120, 0);
    await expect(page.locator("article.drawn")).toHaveCount(0);
    await touch("touchEnd");
    await session.detach();
    await expect(number(30)).toHaveCount(1);
  });
  await drag(page, number(30), -200, 0);
  const snooze = page.getByRole("dialog", { name: "Snooze until" });
  await snooze.getByRole("button", { name: "Close" }).click();
  await expect(snooze).toBeHidden();

  const bar = page.getByRole("toolbar", { name: "Selected messages" });
  const rest = await lay(page, number(29), 0, 0);
  await expect(bar).toContainText("1 selected");
  await rest();
  await expect(bar).toContainText("1 selected");
  expect(await page.evaluate(() => getSelection()?.toString()), "a long press selects no text").toBe("");
  await number(28).tap();
  await expect(bar).toContainText("2 selected");
  await bar.getByRole("button", { name: "More for the selected messages" }).click();
  await page.getByRole("menuitem", { name: "Star" }).click();
  await expect(notice(page)).toContainText("2 messages starred");
  await bar.getByRole("button", { name: "Clear the selection" }).click();

  await page.goto(`${server.url}#/~settings/reading`);
  await page.getByLabel("Swipe to the left").selectOption("Star");
  await page.goto(`${server.url}#/backups`);
  await drag(page, number(30), -200, 0);
  await expect(number(30).getByText("Starred")).toBeAttached();
  await draw(page, number(27), -200);
  await expect(number(27).getByText("Starred")).toBeAttached();
  await expect(page, "a pen's swipe is no press").toHaveURL(`${server.url}#/backups`);
  await page.goto(`${server.url}#/~settings/reading`);
  await page.getByLabel("Swipe to the left").selectOption("Nothing");
  await page.goto(`${server.url}#/backups`);
  await drag(page, number(30), -200, 0);
  await expect(page.locator("article.drawn")).toHaveCount(0);
  await expect(message(page, "Number-30").getByText("Starred")).toBeAttached();
});
