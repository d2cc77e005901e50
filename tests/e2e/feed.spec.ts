import type { Locator, Page } from "@playwright/test";
import { chooseInMenu, expectLive, expectStored, message, notice, pointAtFeed } from "./on-screen";
import { expect, subscribe, test, type TestServer } from "./fixtures";

/** Presses one of the tools of a message, which appear while the pointer is on it. */
async function pressTool(row: Locator, name: string): Promise<void> {
  await row.hover();
  await row.getByRole("button", { name, exact: true }).click();
}

const unread = (row: Locator): Locator => row.getByText("Unread", { exact: true });

/** A link of the rail, found by the beginning of its name, as counts follow the name. */
function inRail(page: Page, name: string): Locator {
  return page.getByRole("navigation", { name: "Topics and views" }).getByRole("link", { name: new RegExp(`^${name}`) });
}

async function publishMany(server: TestServer, topic: string, count: number): Promise<void> {
  for (let at = 1; at <= count; at++) await server.publish(topic, "text", { title: `Number-${at}` });
}

const number = (page: Page, at: number): Locator => page.getByRole("article", { name: `Number-${at}`, exact: true });

/** The part of the page that scrolls the feed. */
const scroller = (page: Page): Locator => page.getByRole("feed", { name: "Messages" }).locator("..");

test("views show one topic, a server, everything, or urgent messages; marks and counts follow everywhere", async ({
  server,
  page,
  startOther,
}) => {
  const other = await startOther();
  await server.publish("doors", "front door", { priority: 5 });
  await server.publish("doors", "back door", { priority: 4 });
  await server.publish("disks", "disk full");
  await other.publish("garden", "needs water");
  await subscribe(page, server, "doors", "disks");
  await page.goto(`${server.url}#/http:${other.host}/garden`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByRole("article")).toHaveText([/needs water/]);

  const shows = async (link: Locator, fragment: string, ...texts: RegExp[]) => {
    await link.click();
    await expect(page).toHaveURL(`${server.url}#${fragment}`);
    await expect(page.getByRole("article")).toHaveText(texts);
  };
  await shows(inRail(page, "doors"), "/doors", /back door/, /front door/);
  await shows(inRail(page, server.host), `/~server/http:${server.host}`, /disk full/, /back door/, /front door/);
  await shows(inRail(page, other.host), `/~server/http:${other.host}`, /needs water/);
  await shows(inRail(page, "Important"), "/~urgent", /front door/);
  await expect(inRail(page, "Important")).toHaveAccessibleName("Important 1 urgent unread");
  const tab = (name: string) => page.getByRole("navigation", { name: "Important" }).getByRole("link", { name });
  await expect(tab("Urgent")).toHaveAccessibleName("Urgent 1 unread");
  await shows(tab("High 1 unread"), "/~high", /back door/);
  await expect(tab("High")).toHaveAttribute("aria-current", "page");
  await expect(inRail(page, "Important")).toHaveAttribute("aria-current", "page");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Important");
  await shows(inRail(page, "Everything"), "/", /needs water/, /disk full/, /back door/, /front door/);
  await expect(message(page, "needs water"), "says where it comes from").toContainText("garden");

  const front = message(page, "front");
  await expect(unread(front)).toBeAttached();
  await expect(inRail(page, "Everything")).toHaveAccessibleName("Everything 4 unread");
  await expect(inRail(page, "doors")).toHaveAccessibleName("doors 2 unread");
  await expect(page).toHaveTitle("(4) Everything · Earshot");
  await pressTool(front, "Mark read");
  await expect(unread(front)).toHaveCount(0);
  await expect(inRail(page, "Everything")).toHaveAccessibleName("Everything 3 unread");
  await expect(inRail(page, "Important")).toHaveAccessibleName("Important");
  await expect(inRail(page, "doors")).toHaveAccessibleName("doors 1 unread");
  await page.reload();
  await expect(unread(front), "it is kept").toHaveCount(0);
  await pressTool(front, "Mark unread");
  await expect(unread(front)).toBeAttached();
  await expect(inRail(page, "Important")).toHaveAccessibleName("Important 1 urgent unread");

  await test.step("the button names what the list holds, and marks just that", async () => {
    const markRead = page.getByRole("main").getByRole("button", { name: /^Mark .* read$/ });
    await page.goto(`${server.url}#/~starred`);
    await expect(markRead).toBeDisabled();
    await page.goto(`${server.url}#/~urgent`);
    await expect(markRead).toHaveAccessibleName("Mark this one read");
    await page.goto(`${server.url}#/?q=-back+-water`);
    await expect(markRead).toHaveAccessibleName("Mark these 2 read");
    await markRead.click();
    await expect(page).toHaveTitle(/^\(2\)/);
    await notice(page).getByRole("button", { name: "Undo" }).click();
    await page.goto(`${server.url}#/`);
    await expect(markRead).toHaveAccessibleName("Mark all 4 read");
    await markRead.click();
    await expect(notice(page)).toContainText("4 messages marked read");
    await expect(page).toHaveTitle("Everything · Earshot");
    await notice(page).getByRole("button", { name: "Undo" }).click();
    await expect(page).toHaveTitle("(4) Everything · Earshot");
  });
});

test("starred messages have a view of their own, and a deleted one comes back only by undo, not by a reload or a full catch-up", async ({
  server,
  page,
}) => {
  await server.publish("notes", "stays");
  await server.publish("notes", "goes");
  await subscribe(page, server, "notes");
  await pressTool(message(page, "stays"), "Star");
  await expect(message(page, "stays").getByText("Starred", { exact: true })).toBeAttached();
  await inRail(page, "Starred").click();
  await expect(page).toHaveURL(`${server.url}#/~starred`);
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(message(page, "stays")).toHaveCount(1);
  await pressTool(message(page, "stays"), "Star");
  // Once it shows as starred it is stored. A star set before the hub started would be lost with the page.
  await expect(page.getByRole("main").getByText("Starred", { exact: true })).toHaveCount(1);
  await page.reload();
  await expect(page.getByText("Nothing is starred")).toBeVisible();

  await inRail(page, "notes").click();
  await expectLive(page);
  const goes = message(page, "goes");
  await pressTool(goes, "Delete");
  await expect(goes).toHaveCount(0);
  await expectStored(page, 1);
  await notice(page).getByRole("button", { name: "Undo" }).click();
  await expect(goes).toHaveCount(1);
  await expect(unread(goes)).toBeAttached();
  await expectStored(page, 2);

  await pressTool(goes, "Delete");
  await expect(goes).toHaveCount(0);
  await chooseInMenu(page, "Fetch again");
  await expect(notice(page)).toContainText("Nothing is missing");
  await expect(goes).toHaveCount(0);
  await page.reload();
  await expect(message(page, "stays")).toHaveCount(1);
  await expect(goes).toHaveCount(0);
  await expectStored(page, 1);
});

test("messages are updated, cleared and deleted by the server", async ({ server, page }) => {
  await test.step("an update takes the place of the earlier version, which stays readable", async () => {
    await server.publish("updates", "40 %", { title: "Photos", sequenceId: "photos" });
    await subscribe(page, server, "updates");
    await expectLive(page);
    await expect(message(page, "40 %")).toHaveCount(1);
    await server.publish("updates", "between", { title: "Another" });
    await server.publish("updates", "100 %", { title: "Photos", sequenceId: "photos" });
    await expect(page.getByRole("article")).toHaveText([/100 %/, /between/]);
    await expect(page.getByRole("main").getByText("2 unread", { exact: true })).toBeVisible();

    await message(page, "100 %").getByRole("button", { name: "Updated: show earlier versions" }).click();
    const details = page.getByRole("complementary", { name: "Message" });
    await expect(details.getByRole("tab", { name: "Earlier versions 1", selected: true })).toBeInViewport();
    await expect(details.getByRole("listitem")).toContainText(["40 %"]);
    await expect(message(page, "between").getByRole("button", { name: /^Updated/ })).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole("feed").getByRole("article")).toHaveText([/100 %/, /between/]);
  });
  await test.step("messages are cleared and deleted by the server", async () => {
    const change = async (method: string, path: string) => {
      expect((await fetch(`${server.url}${path}`, { method })).status).toBe(200);
    };
    await server.publish("changes", "to be cleared", { sequenceId: "one" });
    await server.publish("changes", "to be deleted", { sequenceId: "two" });
    await server.publish("changes", "to be left alone", { sequenceId: "three" });
    await subscribe(page, server, "changes");
    await expectLive(page);
    await expect(page.getByRole("main").getByText("3 unread", { exact: true })).toBeVisible();
    await change("PUT", "changes/one/clear");
    await expect(unread(message(page, "to be cleared"))).toHaveCount(0);
    await change("DELETE", "changes/two");
    await expect(message(page, "to be deleted")).toHaveCount(0);
    await expect(page.getByRole("article")).toHaveCount(2);
    await expect(page.getByRole("main").getByText("1 unread", { exact: true })).toBeVisible();

    await chooseInMenu(page, "Fetch again");
    await expect(notice(page)).toContainText("Nothing is missing");
    await page.reload();
    await expect(page.getByRole("article")).toHaveText([/to be left alone/, /to be cleared/]);
    await expect(page.getByRole("main").getByText("1 unread", { exact: true })).toBeVisible();
  });
});

test.describe("a server that takes short delays", () => {
  test.use({
    serverOptions: { scheduleInterval: 0.1, limits: { requests: 100_000, requestRefill: 0.001, delayMin: 1 } },
  });

  test("scheduled messages", async ({ server, page }) => {
    await test.step("scheduled messages are listed apart, and enter the feed when they fall due", async () => {
      await server.curl("notes", "in two days", { At: "2d" });
      await server.curl("notes", "in an hour", { At: "1h" });
      await subscribe(page, server, "notes");
      await expect(page.getByText("No messages yet")).toBeVisible();
      await inRail(page, "Scheduled").click();
      await expect(page.getByRole("article"), "soonest first").toHaveText([/in an hour/, /in two days/]);
      const time = message(page, "in an hour").locator("time");
      const inMs = Date.parse((await time.getAttribute("datetime")) ?? "") - Date.now();
      expect(inMs).toBeGreaterThan(3_500_000);
      expect(inMs).toBeLessThanOrEqual(3_600_000);
      await expect(page).toHaveTitle("Scheduled · Earshot");

      await server.curl("notes", "in a moment", { At: "5s" });
      await inRail(page, "notes").click();
      await chooseInMenu(page, "Fetch again");
      await inRail(page, "Scheduled").click();
      await expect(message(page, "in a moment")).toHaveCount(1);
      await expect(message(page, "in a moment"), "is due").toHaveCount(0);
      await inRail(page, "notes").click();
      await expect(page.getByRole("article")).toHaveText([/in a moment/]);
      await expect(unread(message(page, "in a moment"))).toBeAttached();

      await server.curl("notes", "in less than a minute", { At: "50s" });
      await chooseInMenu(page, "Fetch again");
      await inRail(page, "Scheduled").click();
      const left = message(page, "in less than a minute").locator("time");
      await expect(left).toHaveText(/^in /);
      expect(await left.textContent(), "counted down by the second").toMatch(/^in (?:50|[1-4]?\d) s · /);
    });
    await test.step("a scheduled message that is cancelled at the server disappears", async () => {
      await server.curl("plans", "never to be", { At: "1h", "Sequence-ID": "plan" });
      await subscribe(page, server, "plans");
      await expectLive(page);
      await inRail(page, "Scheduled").click();
      await expect(message(page, "never to be")).toHaveCount(1);
      expect((await fetch(`${server.url}plans/plan`, { method: "DELETE" })).status).toBe(200);
      await expect(message(page, "never to be")).toHaveCount(0);
    });
  });
});

test("200 messages are shown once each, in order, while the page holds only a few of them", async ({
  server,
  page,
}) => {
  const count = 200;
  await publishMany(server, "notes", count);
  await subscribe(page, server, "notes");
  await expectStored(page, count);
  await expect(number(page, count)).toBeInViewport();

  const seen = await scroller(page).evaluate(async (element, last) => {
    const orders: number[][] = [];
    let most = 0;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    // Collects orders while it scrolls. The loop ends only when the last message was shown.
    while (orders.at(-1)?.at(-1) !== last) {
      const rows = [...element.querySelectorAll("article")];
      most = Math.max(most, rows.length);
      const order = rows.map((row) => Number(row.querySelector("h2")?.textContent.trim().split("-")[1]));
      if (order.join() !== orders.at(-1)?.join()) orders.push(order);
      // The scrollbar also spans rows that aren't read yet, so scroll on only once the rows here are.
      const isShown = (rows.at(-1)?.getBoundingClientRect().bottom ?? 0) >= element.getBoundingClientRect().bottom;
      if (isShown) element.scrollBy({ top: element.clientHeight * 0.9, behavior: "instant" });
      await frame();
      await frame();
    }
    return { orders, most };
  }, 1);

  expect(seen.most).toBeLessThan(80);
  const steps = seen.orders.flatMap((order) => order.slice(1).map((at, index) => (order[index] ?? 0) - at));
  expect(new Set(steps), "no gap, nothing twice, nothing out of order").toEqual(new Set([1]));
  expect(new Set(seen.orders.flat()).size).toBe(count);
  await scroller(page).evaluate((element) => element.scrollBy({ top: element.scrollHeight, behavior: "instant" }));
  await expect(page.getByText("Nothing older is stored")).toBeInViewport();

  await scroller(page).evaluate((element) => element.scrollTo({ top: 0, behavior: "instant" }));
  await expect(number(page, count)).toBeInViewport();
  await expect(page.getByRole("article").first()).toHaveAccessibleName(`Number-${count}`);

  await test.step("the day of the top message stays at the top, and covers no message that the keys select", async () => {
    const heading = scroller(page).getByText("Today", { exact: true });
    const top = await scroller(page).evaluate((element) => element.getBoundingClientRect().top);
    // The first place is so far down that the day's own line isn't rendered; at the second one it is.
    for (const place of [3_000, 200]) {
      await scroller(page).evaluate((element, y) => element.scrollTo(0, y), place);
      await expect(heading).toHaveCount(1);
      await expect.poll(async () => ((await heading.boundingBox())?.y ?? -1) - top).toBeCloseTo(0, 0);
    }
    const height = (await heading.boundingBox())?.height ?? 0;
    await pointAtFeed(page);
    await scroller(page).evaluate((element) => element.scrollTo(0, 2_000));
    await page.keyboard.press("j");
    const selected = page.locator("article:focus");
    await expect(selected).toHaveCount(1);
    for (let at = 0; at < 8; at++) await page.keyboard.press("k");
    await expect.poll(async () => (await selected.boundingBox())?.y ?? 0).toBeGreaterThanOrEqual(top + height);
  });
});

test("new messages wait above what is read", async ({ server, page }) => {
  await test.step("messages that arrive while the user reads move nothing, and the pill leads to them", async () => {
    await publishMany(server, "notes", 60);
    await subscribe(page, server, "notes");
    await expectLive(page);
    await pointAtFeed(page);
    await page.mouse.wheel(0, 900);
    await expect(number(page, 60)).not.toBeInViewport();
    const boxes = () =>
      page
        .getByRole("article")
        .evaluateAll((rows) =>
          rows
            .map((row) => ({ name: row.querySelector("h2")?.textContent.trim(), top: row.getBoundingClientRect().top }))
            .filter(({ top }) => top > 0 && top < innerHeight),
        );
    // The scrolling may still be under way.
    let before = await boxes();
    await expect(async () => {
      const last = before;
      await page.evaluate(() => new Promise(requestAnimationFrame));
      before = await boxes();
      expect(before).toEqual(last);
    }).toPass();
    expect(before.length).toBeGreaterThan(3);

    await server.publish("notes", "text\nof several\nlines", { title: "Number-61" });
    await expect(page.getByRole("button", { name: "1 new" })).toBeVisible();
    expect(await boxes()).toEqual(before);
    await server.publish("notes", "text", { title: "Number-62" });
    await server.publish("notes", "text", { title: "Number-63" });
    const pill = page.getByRole("button", { name: "3 new" });
    await expect(pill).toBeVisible();
    expect(await boxes()).toEqual(before);

    await pill.click();
    await expect(number(page, 63)).toBeInViewport();
    await expect(pill).toBeHidden();
    await expect(page.getByRole("article").first()).toHaveAccessibleName("Number-63");

    await server.publish("notes", "text", { title: "Number-64" });
    await expect(number(page, 64), "at the top it enters").toBeInViewport();
    await expect(page.getByRole("button", { name: /new$/ })).toHaveCount(0);
  });
  await test.step("scrolling back up shows new messages above those that the user reads", async () => {
    await pointAtFeed(page);
    await page.mouse.wheel(0, 900);
    await expect(number(page, 64)).not.toBeInViewport();
    await server.publish("notes", "text", { title: "Number-65" });
    await expect(page.getByRole("button", { name: "1 new" })).toBeVisible();
    await page.mouse.wheel(0, -2000);
    await expect(page.getByRole("button", { name: "1 new" })).toBeHidden();
    await expect(number(page, 65)).toBeAttached();
    await page.mouse.wheel(0, -2000);
    await expect(number(page, 65)).toBeInViewport();
  });
  await test.step("so does one that belongs further down, and the next ones enter at the top", async () => {
    await page.mouse.wheel(0, 900);
    await expect(number(page, 65)).not.toBeInViewport();
    const time = Math.floor(Date.now() / 1000) - 600;
    await server.publish("notes", "text", { title: "Number-66", time });
    await expect(page.getByRole("button", { name: "1 new" })).toBeVisible();
    await page.mouse.wheel(0, -2000);
    await expect(page.getByRole("button", { name: "1 new" })).toBeHidden();
    await server.publish("notes", "text", { title: "Number-67" });
    await expect(number(page, 67)).toBeInViewport();
    await expect(page.getByRole("button", { name: /new$/ })).toHaveCount(0);
  });
});

/** The first message on the screen, and how many px below the upper edge of the list it begins. */
const place = (page: Page) =>
  scroller(page).evaluate((list) => {
    const edge = list.getBoundingClientRect().top;
    const row = [...list.querySelectorAll(".item:has(article)")].find(
      (one) => one.getBoundingClientRect().bottom > edge,
    );
    return {
      name: row?.querySelector("h2")?.textContent.trim(),
      y: Math.round((row?.getBoundingClientRect().top ?? 0) - edge),
    };
  });

/**
 * Waits until the list stands still and its position is noted in this step of the history; resolves to the position.
 */
async function noted(page: Page) {
  const isNoted = async () => {
    const state = (await page.evaluate(() => history.state)) as { places?: Record<string, { offset: number }> } | null;
    const known = state?.places?.[""];
    return known !== undefined && Math.abs(known.offset - (await place(page)).y) <= 1;
  };
  await expect.poll(isNoted).toBe(true);
  return place(page);
}

test("the place in the feed survives a rotation, Back, a reload, and Back from another site", async ({
  server,
  page,
}) => {
  await publishMany(server, "notes", 120);
  await server.publish("other", "elsewhere");
  await subscribe(page, server, "other");
  await subscribe(page, server, "notes");
  await expect(number(page, 120)).toBeInViewport();
  await pointAtFeed(page);
  await page.mouse.wheel(0, 5500);
  await expect(number(page, 120)).not.toBeInViewport();
  const size = page.viewportSize() ?? { width: 1280, height: 720 };
  const { name } = await noted(page);
  for (const turned of [{ width: 844, height: 390 }, { width: 390, height: 844 }, size]) {
    await page.setViewportSize(turned);
    await expect.poll(() => page.evaluate(() => innerWidth)).toBe(turned.width);
    await expect.poll(async () => (await place(page)).name, `at ${turned.width} px`).toBe(name);
  }
  const before = await noted(page);
  await inRail(page, "other").click();
  await expect(message(page, "elsewhere")).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "notes" })).toBeVisible();
  await expect.poll(() => place(page)).toEqual(before);

  await page.reload();
  await expect.poll(() => place(page), "after a reload").toEqual(before);
  await page.goto("about:blank");
  await page.goBack();
  await expect.poll(() => place(page), "back from elsewhere").toEqual(before);
  await page.keyboard.press("g");
  await page.keyboard.press("g");
  await expect(number(page, 120)).toBeInViewport();
  await expect.poll(() => page.evaluate(() => (history.state as { places: object }).places)).toEqual({});
  await server.publish("notes", "text", { title: "Number-121" });
  await page.reload();
  await expect(number(page, 121), "at the top it follows the newest").toBeInViewport();
});

test.describe("a server that keeps messages for a month", () => {
  const DAY_S = 86_400;
  test.use({ serverOptions: { cache: 30 * DAY_S } });

  test("among 2,000 messages of twenty days the scrollbar, a date and the unread ones are reached at once", async ({
    server,
    page,
  }) => {
    test.slow();
    const count = 2_000;
    const firstS = Math.floor(Date.now() / 1000) - 20 * DAY_S;
    const timeOf = (at: number) => Math.floor(firstS + (at * 20 * DAY_S) / count) - 60;
    for (let at = 1; at <= count; at++) {
      await server.publish("notes", "text", { title: `Number-${at}`, time: timeOf(at) });
    }
    await subscribe(page, server, "notes");
    await expectStored(page, count);
    await expect(number(page, count)).toBeInViewport();
    const height = () => scroller(page).evaluate((list) => list.scrollHeight);
    await expect.poll(height, "the scrollbar spans all of it").toBeGreaterThan(count * 40);

    const shown = async () => Number((await place(page)).name?.split("-")[1]);
    const drag = (part: number) =>
      scroller(page).evaluate((list, part) => {
        list.scrollTop = part * list.scrollHeight;
        return list.scrollTop;
      }, part);
    const top = await drag(0.5);
    await expect.poll(async () => Math.abs((await shown()) - count / 2)).toBeLessThan(count * 0.05);
    expect(Math.abs((await scroller(page).evaluate((list) => list.scrollTop)) - top), "and stays").toBeLessThan(1);
    await drag(0.25);
    await expect.poll(async () => Math.abs((await shown()) - count * 0.75)).toBeLessThan(count * 0.05);
    await drag(1);
    await expect(number(page, 1)).toBeInViewport();
    await expect(page.getByText("Nothing older is stored")).toBeInViewport();
    await drag(0);
    await expect(number(page, count)).toBeInViewport();

    await page.keyboard.press("d");
    // The day a week ago by the page's calendar.
    const week = await page.evaluate(() => {
      const day = new Date();
      day.setHours(0, 0, 0, 0);
      const endMs = day.setDate(day.getDate() - 7);
      day.setDate(day.getDate() - 1);
      const two = (n: number) => String(n).padStart(2, "0");
      return { endMs, field: `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}` };
    });
    const before = Array.from({ length: count }, (_, at) => at + 1).filter((at) => timeOf(at) * 1000 < week.endMs);
    const date = page.getByRole("dialog", { name: "Jump to a date" }).getByLabel("Date");
    await expect(date, "no further back than messages are kept").toHaveAttribute("min", /^2/);
    await date.fill(week.field);
    await page.keyboard.press("Enter");
    const newest = number(page, before.at(-1) ?? 0);
    await expect(newest, "the newest message of the day").toBeInViewport();
    await expect(newest).toBeFocused();

    await page.keyboard.press("n");
    await expect(number(page, 1)).toBeFocused();
    await expect(number(page, 1)).toBeInViewport();
    await pressTool(number(page, 1), "Mark read");
    await page.keyboard.press("g");
    await page.keyboard.press("g");
    await expect(number(page, count)).toBeInViewport();
    await page.getByRole("main").getByRole("button", { name: "1,999 unread" }).click();
    await expect(number(page, 2)).toBeFocused();
    await page.keyboard.press("End");
    await expect(page.getByText("Nothing older is stored")).toBeInViewport();
  });
});
