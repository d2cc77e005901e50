import type { Locator, Page } from "@playwright/test";
import { expect, subscribe, test } from "./fixtures";
import { beyondTheEdge, chooseInMenu, message, notice } from "./on-screen";

/**
 * Sizes at which nothing may need scrolling in both directions (WCAG 1.4.10): a narrow window, and a small one at 200
 * %.
 */
const SMALL = [
  { width: 320, height: 480 },
  { width: 640, height: 400 },
];

/** Titles in the feed that are covered by the tools beside them. */
function coveredTitles(): string[] {
  return [...document.querySelectorAll("article")].flatMap((row) => {
    const title = row.querySelector("h2")?.getBoundingClientRect();
    const buttons = [...row.querySelectorAll(".tools button")].map((button) => button.getBoundingClientRect());
    const isCovered = buttons.some(
      ({ width, left, right, top, bottom }) =>
        title && width > 0 && left < title.right && right > title.left && top < title.bottom && bottom > title.top,
    );
    return isCovered ? [row.textContent] : [];
  });
}

test.describe("enlarged", () => {
  test.use({ viewport: { width: 320, height: 480 }, deviceScaleFactor: 2 });

  test("nothing needs scrolling sideways, and the buttons of a dialog can be reached", async ({ server, page }) => {
    await server.publish("backups", "a word-that-is-longer-than-any-line-of-so-small-a-screen-can-ever-be", {
      title: "Backup failed on a machine with a long name",
      priority: 5,
      tags: ["restic", "atlas"],
      actions: [{ action: "copy", label: "Copy the name of the machine", value: "a" }],
    });
    await subscribe(page, server, "backups");
    await expect(message(page, "Backup failed")).toBeVisible();
    const screens: Record<string, () => Promise<void>> = {
      feed: async () => {
        await message(page, "Backup failed").hover();
        await expect(message(page, "Backup failed").getByRole("button", { name: "More" })).toBeVisible();
        await expect.poll(() => page.evaluate(coveredTitles), "titles under the tools").toEqual([]);
      },
      message: async () => {
        await message(page, "Backup failed").getByRole("heading").click();
        await expect(page.getByText("Arrived", { exact: true })).toBeVisible();
      },
      filter: async () => {
        await page.goto(`${server.url}#/backups?priority=high,urgent&tags=restic,atlas&q=machine`);
        await expect(message(page, "Backup failed")).toBeVisible();
      },
      topics: async () => {
        await page.goto(`${server.url}#/~topics`);
        await expect(page.getByText("1 server · 1 topic")).toBeVisible();
      },
      settings: async () => {
        await page.goto(`${server.url}#/~settings`);
        await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
      },
      dialog: async () => {
        await page.goto(`${server.url}#/~add`);
        const dialog = page.getByRole("dialog", { name: "Add a topic" });
        await dialog.getByLabel("Sign in").selectOption("User name and password");
        await dialog.getByLabel("Password").scrollIntoViewIfNeeded();
        await expect(dialog.getByLabel("Password")).toBeInViewport({ ratio: 1 });
        await expect(dialog.getByRole("button", { name: "Subscribe" })).toBeInViewport({ ratio: 1 });
        await page.keyboard.press("Escape");
        await expect(dialog).toHaveCount(0);
      },
    };
    for (const size of SMALL) {
      await page.setViewportSize(size);
      await page.goto(`${server.url}#/backups`);
      for (const [name, open] of Object.entries(screens)) {
        await open();
        await expect.poll(() => page.evaluate(beyondTheEdge), `${name} at ${size.width} px`).toEqual([]);
      }
    }
  });
});

/**
 * WCAG contrast ratio, 1 to 21, between the two commonest colours of a part of the screen. The page's own policy forbids
 * drawing an image from a string, so a blank page does it.
 */
async function contrast(blank: Page, part: Locator): Promise<number> {
  const picture = (await part.screenshot()).toString("base64");
  return blank.evaluate(async (picture) => {
    const image = new Image();
    image.src = `data:image/png;base64,${picture}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const drawing = canvas.getContext("2d");
    if (!drawing) throw new Error("no canvas");
    drawing.drawImage(image, 0, 0);
    const { data } = drawing.getImageData(0, 0, image.width, image.height);
    const counts = new Map<string, number>();
    for (let at = 0; at < data.length; at += 4) {
      const colour = data.subarray(at, at + 3).join();
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    const luminance = (colour: string): number => {
      const [red = 0, green = 0, blue = 0] = colour.split(",").map((part) => {
        const value = Number(part) / 255;
        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const [first = 0, second = 0] = [...counts]
      .sort((a, b) => b[1] - a[1])
      .slice(0, 2)
      .map(([colour]) => luminance(colour));
    return counts.size < 2 ? 1 : (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
  }, picture);
}

test("right-to-left text and forced colours keep what a row shows", async ({ server, page }) => {
  await test.step("right-to-left text is aligned by its own direction, and the row around it stays", async () => {
    const text = "فشل النسخ الاحتياطي على الخادم atlas في الساعة 02:14";
    await server.publish("texts", text, { title: "فشل النسخ الاحتياطي", priority: 4, tags: ["قرص"] });
    await server.publish("texts", "left to right", { title: "Backup done" });
    await subscribe(page, server, "texts");
    const row = message(page, "atlas");
    /** Left and right edge of the words themselves, not of the box around them. */
    const edges = (of: Locator) =>
      of.evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        const { left, right } = range.getBoundingClientRect();
        return { left, right };
      });
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 800 });
      // Each edge is measured separately, and the layout may change to the new width in between.
      await expect(async () => {
        const [title, body, mark] = [
          await edges(row.getByRole("heading")),
          await edges(row.locator(".body [dir]")),
          await row.getByRole("img").boundingBox(),
        ];
        expect(title.left, "away from the start of the row").toBeGreaterThan((mark?.x ?? 0) + 60);
        expect(Math.abs(title.right - body.right), "title and body begin at one edge").toBeLessThan(3);
        expect(mark?.x, "the mark where all marks are").toBeLessThan(body.left);
        expect((await edges(message(page, "left to right").getByRole("heading"))).left).toBeLessThan(title.left);
      }).toPass();
    }
  });
  await test.step("marks, states and focus can be told apart in forced colours", async () => {
    await page.setViewportSize({ width: 1280, height: 720 });
    for (const priority of [4, 5] as const) {
      await server.publish("backups", "text", { title: `Priority ${priority}`, priority, tags: ["restic"] });
    }
    await subscribe(page, server, "backups");
    const blank = await page.context().newPage();
    for (const forced of [{ colorScheme: "light" }, { colorScheme: "dark" }] as const) {
      await page.emulateMedia({ forcedColors: "active", ...forced });
      const row = message(page, "Priority 5");
      for (const one of [row, message(page, "Priority 4")]) {
        await expect.poll(() => contrast(blank, one.getByRole("img")), "the mark of a priority").toBeGreaterThan(3);
      }
      await expect.poll(() => contrast(blank, row.locator(".dot")), "the dot of an unread message").toBeGreaterThan(3);
      const current = page.getByRole("link", { name: "backups" });
      await expect(current).toHaveAttribute("aria-current", "page");
      await expect.poll(() => contrast(blank, current), "where one is").toBeGreaterThan(4.5);
      await expect
        .poll(
          () => current.evaluate((element) => getComputedStyle(element).backgroundColor),
          "told from where one is not",
        )
        .not.toBe(
          await page
            .getByRole("link", { name: "Starred" })
            .evaluate((element) => getComputedStyle(element).backgroundColor),
        );
    }
    await blank.close();
    await page.keyboard.press("j");
    const selected = page.locator("article.selected");
    await expect(selected).toBeFocused();
    expect(await selected.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe("solid");
  });
});

/** What shows words but reaches beyond the end of the window, without a scrollbar of its own. */
function cutOff(): string[] {
  return [...document.querySelectorAll("main *, dialog *")]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest(".unseen"))
    .map((one) => `${one.tagName} ${one.textContent.trim().slice(0, 40)}`);
}

test("notices leave room", async ({ server, page }) => {
  await test.step("a notice covers neither messages in a low window nor the foot of the wall", async () => {
    for (let at = 0; at < 9; at++) await server.publish("backups", `copy ${"abcdefghi".charAt(at)}`);
    await subscribe(page, server, "backups");
    await page.setViewportSize({ width: 844, height: 390 });
    const line = notice(page).locator(".notice");
    const topOf = async (one: Locator) => (await one.boundingBox())?.y ?? 0;
    const footOf = async (one: Locator) => {
      const box = await one.boundingBox();
      return (box?.y ?? Infinity) + (box?.height ?? 0);
    };
    const expectAboveLine = (one: Locator, where?: string) =>
      expect.poll(async () => (await topOf(line)) - (await footOf(one)), where).toBeGreaterThanOrEqual(0);
    await page.getByRole("article").first().focus();
    await page.keyboard.press("e");
    await expect(line).toContainText("Message done");
    await expectAboveLine(page.locator("#main"));
    await page.goto(`${server.url}#/~wall`);
    const leave = page.getByRole("button", { name: "Leave the wall" });
    await leave.focus();
    await expect(line).toBeVisible();
    await expectAboveLine(leave);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(line).toBeVisible();
    await expectAboveLine(leave, "on a phone, where the wall has no bar below it");
  });
  await test.step("a message beside the feed reaches the bottom of the window while a notice is shown", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    for (const text of ["first", "second", "third"]) await server.publish("others", text);
    await subscribe(page, server, "others");
    await page.getByRole("article").first().click();
    const beside = page.getByRole("complementary", { name: "Message" });
    await expect(beside).toBeVisible();
    await page.keyboard.press("e");
    await expect(notice(page)).toContainText("Message done");
    await expect
      .poll(async () => ((await beside.boundingBox())?.y ?? 0) + ((await beside.boundingBox())?.height ?? 0))
      .toBe(900);
    const main = await page.locator("#main").boundingBox();
    const line = await notice(page).locator(".notice").boundingBox();
    expect((main?.y ?? Infinity) + (main?.height ?? 0)).toBeLessThanOrEqual(line?.y ?? 0);
  });
});

test("windows of all shapes, and text of all sizes", async ({ server, page, startOther }) => {
  await server.publish("backups", "still to be read");
  await subscribe(page, server, "backups");
  /** Gives window and text a size, and shows a view. */
  const show = async (width: number, height: number, text: string, fragment: string): Promise<void> => {
    await page.setViewportSize({ width, height });
    await page.evaluate((size) => (document.documentElement.style.fontSize = size), text);
    await page.goto(`${server.url}${fragment}`);
  };
  await test.step("on a very wide screen a feed leaves no empty strip at its end", async () => {
    await show(2560, 1200, "", "#/backups");
    const end = async () => {
      const row = await page.getByRole("article").boundingBox();
      return (row?.x ?? 0) + (row?.width ?? 0);
    };
    await expect.poll(end).toBeGreaterThan(2_560 - 40);
  });
  await test.step("the tools of a feed stay together where large text leaves no room beside its title", async () => {
    await show(390, 844, "", "#/");
    const tools = page.getByRole("main").getByRole("button", { name: /^(Search|More)$/ });
    await expect(tools).toHaveCount(2);
    for (const size of ["100%", "125%", "150%", "200%"]) {
      await page.evaluate((size) => (document.documentElement.style.fontSize = size), size);
      const lines = () => tools.evaluateAll((all) => new Set(all.map((tool) => tool.getBoundingClientRect().top)).size);
      await expect.poll(lines, `at ${size}`).toBe(1);
    }
  });
  await test.step("in a low window each entry of a menu can be reached", async () => {
    await show(844, 390, "", "#/backups");
    await page.locator("#main").getByRole("button", { name: "More", exact: true }).first().click();
    const menu = page.getByRole("menu");
    await expect(menu.getByRole("menuitem").first()).toBeInViewport({ ratio: 1 });
    await page.keyboard.press("End");
    await expect(menu.getByRole("menuitem", { name: "Commands…" })).toBeFocused();
    await expect(menu.getByRole("menuitem", { name: "Commands…" })).toBeInViewport({ ratio: 1 });
    await page.keyboard.press("Escape");
    await expect(menu).toBeHidden();
  });
  await test.step("on a phone on its side, with text twice the size, the rail leaves the larger part to the feed", async () => {
    await show(844, 390, "200%", "#/backups");
    const rail = page.getByRole("navigation", { name: "Topics and views" });
    await expect.poll(async () => (await rail.boundingBox())?.width).toBeLessThan(844 * 0.4);
  });
  await test.step("with large text in a low window the wall still shows messages, and its buttons are whole", async () => {
    await show(390, 390, "200%", "#/~wall");
    await expect(page.getByText("still to be read").first()).toBeInViewport();
    const leave = page.getByRole("button", { name: "Leave the wall" });
    await leave.focus();
    await expect(leave).toBeInViewport({ ratio: 0.95 });
    const full = page.getByRole("button", { name: "Full screen" });
    await expect.poll(async () => (await full.boundingBox())?.height, "a line or two").toBeLessThan(120);
  });
  await test.step("the page itself never scrolls, however many topics and servers are in the rail", async () => {
    await page.evaluate(() => (document.documentElement.style.fontSize = ""));
    await page.setViewportSize({ width: 900, height: 400 });
    const other = await startOther();
    await subscribe(page, server, ..."abcdefgh");
    await page.goto(`${server.url}#/http:${other.host}/one`);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expect(page.getByRole("navigation").getByRole("link", { name: "one", exact: true })).toBeAttached();
    await other.stop();
    await expect(page.getByRole("navigation").getByText("can't be reached")).toBeAttached();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBe(400);
  });
  await test.step("on a phone with text twice the size nothing is cut off", async () => {
    for (let at = 0; at < 10; at++) await server.publish("probes", `worker-${at} is slow`, { title: "Probe failed" });
    await page.setViewportSize({ width: 360, height: 780 });
    await subscribe(page, server, "probes");
    await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
    // What is arranged by the room that there is takes a frame.
    const expectWhole = () => expect.poll(() => page.evaluate(cutOff)).toEqual([]);
    await expect(message(page, "Probe failed")).toContainText("×10");
    await expectWhole();
    const times = message(page, "Probe failed").getByRole("time");
    await expect(times).toBeInViewport({ ratio: 1 });
    await page.goto(`${server.url}#/~settings/storage`);
    await expect(page.getByRole("table")).toBeVisible();
    await expectWhole();
    await page.goto(`${server.url}#/probes`);
    await page.locator("main > header").getByRole("button", { name: "More" }).click();
    await expect(page.getByRole("menu")).toBeVisible();
    await expectWhole();
    await page.keyboard.press("Escape");
    await chooseInMenu(page, "Topic settings");
    const sound = page.getByRole("dialog").getByLabel("Sound", { exact: true });
    await expect.poll(async () => (await sound.boundingBox())?.width).toBeGreaterThan(200);
    await expectWhole();
  });
});
