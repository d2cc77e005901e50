import type { Locator, Page } from "@playwright/test";
import { seedWelcome } from "../../src/server";
import { objections, objectionsNow, objectionsToLook, objectionsToSize } from "./axe";
import { expect, subscribe, test as base, type TestServer } from "./fixtures";
import {
  beyondTheEdge,
  chooseInMenu,
  expectLive,
  filterBox,
  message,
  notice,
  offlineStrip,
  wasAway,
} from "./on-screen";
import { wav } from "./wav";

/** Each with the colour scheme that it is looked at in, as a screen's colours are the same at both. */
const SIZES = [
  { name: "desktop", viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  { name: "phone", viewport: { width: 390, height: 844 }, colorScheme: "dark" },
] as const;

const TABLET = { width: 820, height: 1180 };

/** Sizes at which fewer screens are looked at; the page is resized in place, as by turning a phone. */
const FURTHER_SIZES = [
  { name: "small phone", viewport: { width: 360, height: 740 }, text: "" },
  { name: "landscape phone", viewport: { width: 844, height: 390 }, text: "" },
  { name: "phone with text of 200 %", viewport: { width: 390, height: 844 }, text: "200%" },
];

/** The states whose markup on a phone is its own. */
const OF_PHONES = new Set([
  "a selection",
  "a message that repeats another one",
  "one message",
  "the menu of a view, and something to undo",
  "the raw JSON of a message",
  "the list of topics",
  "columns",
  "the pages of the settings",
]);

interface Looks {
  /**
   * On a tablet and at each of the further sizes, expects that axe finds no problem with what depends on the size, and
   * that nothing extends beyond the edge.
   */
  lookAtEachSize: (state: string) => Promise<void>;
  /**
   * Expects that axe finds no problem on this screen, and that nothing extends beyond the edge. The first screen of a
   * test, with the bars that all have, is looked at light and dark. What a phone shows in the markup of a desktop is
   * looked at there for what depends on size and colours.
   */
  look: (state: string) => Promise<void>;
}

/** Resizes the page and its text, and waits until it is drawn so. Text without a size has the one that is set. */
async function resize(page: Page, viewport: { width: number; height: number }, text: string): Promise<void> {
  await page.setViewportSize(viewport);
  await page.evaluate(async (text) => {
    document.documentElement.style.fontSize = text;
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
  }, text);
}

/** A walk continues after a finding, so that one run reports all of them. */
const test = base.extend<Looks>({
  look: async ({ page, colorScheme }, use) => {
    let isFirst = true;
    await use((state) =>
      test.step(state, async () => {
        expect.soft(await page.evaluate(beyondTheEdge), `${state}: beyond the edge`).toEqual([]);
        const again = isPhone(page) && !OF_PHONES.has(state) ? objectionsToLook : objectionsNow;
        expect.soft(await (isFirst ? objections : again)(page), `${state}: axe`).toEqual([]);
        if (isFirst) await page.emulateMedia({ colorScheme });
        isFirst = false;
      }),
    );
  },
  lookAtEachSize: async ({ page }, use) => {
    await use(async (state) => {
      await test.step(`${state}, tablet`, async () => {
        expect.soft(await page.evaluate(beyondTheEdge), `${state}, tablet: beyond the edge`).toEqual([]);
        expect.soft(await objectionsToSize(page), `${state}, tablet: axe`).toEqual([]);
      });
      for (const { name, viewport, text } of FURTHER_SIZES) {
        await test.step(`${state}, ${name}`, async () => {
          await resize(page, viewport, text);
          expect.soft(await page.evaluate(beyondTheEdge), `${state}, ${name}: beyond the edge`).toEqual([]);
          expect.soft(await objectionsToSize(page), `${state}, ${name}: axe`).toEqual([]);
        });
      }
      await resize(page, TABLET, "");
    });
  },
});

/** Closes the open dialog with Escape. */
async function leave(page: Page, dialog: Locator): Promise<void> {
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
}

const dialogOf = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });
const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 640;

/** Publishes messages with files and with text of both directions, one of each kind. */
async function publishFiles({ running, url: baseUrl }: TestServer): Promise<void> {
  const files = {
    "notes.txt": Buffer.from("first line\nsecond line\n"),
    "bell.wav": wav(),
    "film.mp4": Buffer.from("\0\0\0\x18ftypmp42\0\0\0\0mp42isom"),
  };
  for (const [name, content] of Object.entries(files)) {
    await running.publish({ topic: "welcome", message: `with ${name}`, file: { name, content }, baseUrl });
  }
  await running.publish({ topic: "welcome", title: "نسخة احتياطية", message: "فشل النسخ الاحتياطي", tags: ["قرص"] });
}

for (const { name, viewport, colorScheme } of SIZES) {
  test.describe(name, () => {
    test.use({ viewport, colorScheme });
    // Each walk visits many screens.
    test.slow();

    test("screens before the first subscription and the first message are accessible and fit", async ({
      server,
      page,
      look,
    }) => {
      await seedWelcome(server.running);
      await page.goto(server.url);
      await expect(page.getByRole("heading", { name: "What do you want to be within earshot of?" })).toBeVisible();
      await look("the first start");

      await page.goto(`${server.url}#/backups?priority=high`);
      await expect(page.getByRole("button", { name: "Subscribe" })).toBeVisible();
      await look("a link that asks");

      await page.goto(`${server.url}#/welcome`);
      await page.getByRole("button", { name: "Preview" }).click();
      await expect(page.getByText("An urgent message looks like this")).toBeVisible();
      await look("only a look");

      await page.goto(`${server.url}#/not a topic`);
      await expect(page.getByRole("heading", { name: "This link can't be opened" })).toBeVisible();
      await look("a link that can't be opened");

      await subscribe(page, server, "backups");
      await expect(page.getByText("No messages yet")).toBeVisible();
      await look("an empty topic");
      for (const [list, heading] of [
        ["starred", "Nothing is starred"],
        ["urgent", "Nothing urgent"],
        ["snoozed", "Nothing is snoozed"],
      ] as const) {
        await page.goto(`${server.url}#/~${list}`);
        await expect(page.getByRole("heading", { name: heading })).toBeVisible();
        await look(`an empty list: ${list}`);
      }

      await page.goto(`${server.url}#/~raw/another`);
      await expect(page.getByText("without subscribing?")).toBeVisible();
      await look("a raw tail that asks");
    });

    test("the feed and everything that opens in it are accessible and fit", async ({ server, page, look }) => {
      await seedWelcome(server.running);
      await publishFiles(server);
      for (const files of [3, 4, 5]) await server.publish("welcome", `Copied ${String(files)} GB`);
      await subscribe(page, server, "welcome");
      const urgent = message(page, "An urgent message looks like this");
      await expect(urgent).toHaveCount(1);
      await expect(message(page, "with notes.txt")).toHaveCount(1);
      await look("a feed with all that can be displayed");

      await page.getByRole("button", { name: /^3 times/ }).click();
      await expect(message(page, "Copied 3 GB")).toHaveCount(1);
      await message(page, "with notes.txt").getByRole("button", { name: "Show the text" }).click();
      await expect(message(page, "with notes.txt").locator("pre")).toContainText("second line");
      await message(page, "with bell.wav").getByRole("button", { name: "Play" }).click();
      await expect(message(page, "with bell.wav").locator("audio")).toHaveJSProperty("duration", 1);
      await message(page, "with film.mp4").getByRole("button", { name: "Play" }).click();
      await expect(message(page, "with film.mp4")).toContainText("can't be played");
      await look("repeats and a text that are open, a player, and a file that can't be played");

      await message(page, "Publish a reply").getByRole("button", { name: "Publish a reply" }).click();
      const question = dialogOf(page, /sends a request/);
      await expect(question).toBeVisible();
      await look("the question before a request is sent");
      await leave(page, question);

      await page.keyboard.press("j");
      await page.keyboard.press("x");
      await page.keyboard.press("Shift+J");
      const bar = page.getByRole("toolbar", { name: "Selected messages" });
      await expect(bar).toContainText("2 selected");
      await look("a selection");
      await bar.getByRole("button", { name: "Clear the selection" }).click();

      await page.goto(`${server.url}#/welcome?q=message+is:unread`);
      await expect(page.getByRole("search").getByRole("status")).toContainText(/\d/);
      await filterBox(page).click();
      await filterBox(page).fill("message pri");
      const completion = page.getByRole("option", { name: "priority:" });
      await expect(completion).toBeVisible();
      await filterBox(page).press("ArrowDown");
      await expect(completion).toHaveAttribute("aria-selected", "true");
      await look("what was found, with its words marked, and a filter that is being completed");

      await page.goto(`${server.url}#/welcome?tags=warning`);
      await filterBox(page).fill("priority:loud ");
      await expect(page.getByText("“loud” is not a priority.")).toBeVisible();
      await look("a filter with something wrong");

      await page.goto(`${server.url}#/welcome?q=nowhere-to-be-found`);
      await expect(page.getByText("Nothing matches")).toBeVisible();
      await look("nothing found");

      await page.goto(`${server.url}#/welcome?q=Copied`);
      await message(page, "Copied 5 GB").click();
      await page.getByRole("button", { name: "List them" }).click();
      await look("a message that repeats another one");

      await page.goto(`${server.url}#/welcome`);
      await urgent.click();
      await expect(page.getByText("Arrived", { exact: true })).toBeVisible();
      await expect(page.getByText("No other message like it is stored.")).toBeVisible();
      await look("one message");
      await page.keyboard.press("h");
      const snooze = dialogOf(page, "Snooze until");
      await expect(snooze).toBeVisible();
      await look("snoozing a message");
      await leave(page, snooze);
      await page.getByRole("button", { name: "Delete" }).last().click();
      await expect(notice(page)).toContainText("Message deleted");
      await page.locator("main > header").getByRole("button", { name: "More" }).click();
      await expect(page.getByRole("menuitem", { name: "Topic settings" })).toBeVisible();
      expect(await page.getByRole("menuitem").count(), "a menu is short").toBeLessThanOrEqual(8);
      await look("the menu of a view, and something to undo");
      await page.keyboard.press("Escape");

      await page.goto(`${server.url}#/`);
      await wasAway(page, 3 * 60 * 60_000);
      await page.reload();
      await expect(page.getByRole("article", { name: /^While you were away/ })).toBeVisible();
      await look("what came while one was away");
    });

    test("dialogs and the pages beside the feed are accessible and fit", async ({ context, server, page, look }) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.url });
      await seedWelcome(server.running);
      await subscribe(page, server, "welcome", "empty");
      await page.goto(`${server.url}#/welcome`);
      await expect(message(page, "A picture is attached")).toHaveCount(1);

      /** Checks a dialog once it is open, and closes it. */
      const lookAt = async (dialog: Locator, state: string): Promise<void> => {
        await expect(dialog).toBeVisible();
        await look(state);
        await leave(page, dialog);
      };
      await page.keyboard.press("Control+k");
      await lookAt(dialogOf(page, "Commands"), "the palette");
      await page.keyboard.press("Shift+?");
      await lookAt(dialogOf(page, "Keyboard shortcuts"), "the list of keys");
      for (const [entry, title] of [
        ["Send a message", "Send to welcome"],
        ["Topic settings", "Settings of welcome"],
        ["Server settings", `Settings of ${server.host}`],
        ["Connection", /./],
        ["Mute…", "Mute welcome"],
        ["Move to group…", "Group of welcome"],
        ["Jump to a date…", "Jump to a date"],
      ] as const) {
        await chooseInMenu(page, entry);
        await lookAt(dialogOf(page, title), `the dialog “${entry}”`);
      }
      const share = () =>
        isPhone(page)
          ? chooseInMenu(page, "Share")
          : page.locator("main > header").getByRole("button", { name: "Share" }).click();
      await share();
      const handedOn = dialogOf(page, "welcome");
      await lookAt(handedOn, "the ways to hand a link on");
      await share();
      await handedOn.getByRole("button", { name: "Copy link" }).click();
      await expect(notice(page)).toContainText("Copied");
      await page.keyboard.press("Escape");
      await look("a link that was copied");
      await page.evaluate(() => {
        navigator.clipboard.writeText = () => Promise.reject(new DOMException("asked not to", "NotAllowedError"));
      });
      await share();
      await handedOn.getByRole("button", { name: "Copy link" }).click();
      await expect(dialogOf(page, "Copy this").getByRole("textbox")).toHaveValue(`${server.url}#/welcome`);
      await lookAt(dialogOf(page, "Copy this"), "a link to copy by hand");
      await message(page, "A picture is attached").click({ button: "left", position: { x: 3, y: 20 } });
      await page.getByRole("button", { name: "Enlarge waves.png" }).last().click();
      const box = dialogOf(page, "waves.png");
      await expect(box.getByRole("button", { name: "Zoom in" })).toBeEnabled();
      await lookAt(box, "an image enlarged");
      await page.getByRole("tab", { name: "Raw" }).click();
      await look("the raw JSON of a message");
      await page.keyboard.press("Escape");

      const save = dialogOf(page, "Save this view");
      for (const view of ["One", "Two"]) {
        await page.goto(`${server.url}#/welcome?tags=${view}`);
        await expect(page.getByText("Nothing matches")).toBeVisible();
        if (isPhone(page)) await chooseInMenu(page, "Save this view…");
        else await page.locator("main > header").getByRole("button", { name: "Save this view…" }).click();
        await save.getByRole("textbox", { name: "Name" }).fill(view);
        if (view === "One") await save.getByRole("button", { name: "Save" }).click();
      }
      await expect(save.getByText("Includes the filter tag:Two.")).toBeVisible();
      await lookAt(save, "a saved view, and another one about to be");

      await page.goto(`${server.url}#/~add`);
      const add = dialogOf(page, "Add a topic");
      await add.getByRole("textbox", { name: "Topic" }).fill("größe, docs");
      await add.getByLabel("Sign in").selectOption("User name and password");
      await expect(add.getByLabel("Password")).toBeVisible();
      await lookAt(add, "adding a topic, with something wrong");

      await page.goto(`${server.url}#/~topics`);
      await expect(page.getByText("1 server · 2 topics")).toBeVisible();
      await look("the list of topics");
      await page.goto(`${server.url}#/~raw/welcome`);
      await expect(page.getByRole("main").getByRole("status").getByText("Live", { exact: true })).toBeVisible();
      await server.curl("welcome", "a line of the tail");
      await expect(page.getByRole("log")).toContainText("a line of the tail");
      await look("the raw tail");
      await page.goto(`${server.url}#/~columns/welcome;~urgent`);
      await expect(page.getByRole("region", { name: "Urgent" }).first()).toBeVisible();
      await look("columns");
      await page.goto(`${server.url}#/~wall/welcome`);
      await expect(page.getByRole("main", { name: "Wall" }).getByRole("listitem").first()).toBeVisible();
      await look("the wall");

      await page.goto(`${server.url}#/~settings/alerts`);
      await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
      await page.getByLabel("Keep quiet hours").check();
      await page.getByRole("button", { name: "Add a time" }).click();
      await look("the settings for alerts");
      await page.goto(`${server.url}#/~settings`);
      await expect(page.getByRole("link", { name: /^Storage/ })).toBeVisible();
      await look("the pages of the settings");
      await page.goto(`${server.url}#/~settings/appearance`);
      await page.getByLabel("Language").selectOption("Deutsch");
      await expect(page.locator("html")).toHaveAttribute("lang", "de");
      await look("the settings in German");
      await page.goto(`${server.url}#/welcome`);
      await expect(page.getByRole("article").filter({ hasText: "A picture is attached" })).toHaveCount(1);
      await look("the feed in German");
    });

    test("the screens of an unreachable server and of one that refuses are accessible and fit", async ({
      server,
      page,
      startOther,
      watch,
      look,
    }) => {
      const other = await startOther();
      await seedWelcome(other.running);
      await page.goto(`${server.url}#/http:${other.host}/welcome`);
      await page.getByRole("button", { name: "Subscribe" }).click();
      await expectLive(page);
      // A server that starts anew has no files of before.
      watch.tolerate(/ERR_|status of 40[134]|CORS policy/);
      await other.stop();
      await expect(offlineStrip(page)).toBeVisible();
      await look("a server that can't be reached");
      await chooseInMenu(page, "Connection");
      await expect(page.getByRole("dialog")).toBeVisible();
      await look("the connection to it");
      await page.keyboard.press("Escape");
      await other.start({ access: { default: "deny-all", users: [], rules: [] } });
      await expect(page.getByRole("main").getByText("Refused")).toBeVisible();
      await look("a server that refuses");
      await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
      await expect(dialogOf(page, `Sign in to ${other.host}`)).toBeVisible();
      await look("signing in to it");
    });
  });
}

test.describe("every size", () => {
  test.use({ viewport: TABLET });
  test.slow();

  test("the feed and what opens in it, the palette and the away card are accessible and fit at every size", async ({
    server,
    page,
    lookAtEachSize,
  }) => {
    await seedWelcome(server.running);
    await publishFiles(server);
    for (const files of [3, 4, 5]) await server.publish("welcome", `Copied ${String(files)} GB`);
    await subscribe(page, server, "welcome");
    await expect(message(page, "An urgent message looks like this")).toHaveCount(1);
    await lookAtEachSize("a feed");
    await message(page, "An urgent message looks like this").click();
    await expect(page.getByText("No other message like it is stored.")).toBeVisible();
    await lookAtEachSize("one message");
    await page.keyboard.press("h");
    await expect(dialogOf(page, "Snooze until")).toBeVisible();
    await lookAtEachSize("snoozing a message");
    await leave(page, dialogOf(page, "Snooze until"));
    await page.keyboard.press("e");
    await expect(notice(page)).toContainText("Message done");
    await lookAtEachSize("something to undo");
    await page.keyboard.press("Control+k");
    await expect(dialogOf(page, "Commands")).toBeVisible();
    await lookAtEachSize("the palette");
    await leave(page, dialogOf(page, "Commands"));
    await page.goto(`${server.url}#/`);
    await wasAway(page, 3 * 60 * 60_000);
    await page.reload();
    await expect(page.getByRole("article", { name: /^While you were away/ })).toBeVisible();
    await lookAtEachSize("what came while one was away");
  });

  test("the list of topics and its dialogs, columns, settings and the wall are accessible and fit at every size", async ({
    server,
    page,
    lookAtEachSize,
  }) => {
    await seedWelcome(server.running);
    await subscribe(page, server, "welcome", "empty");
    await page.goto(`${server.url}#/~topics`);
    await expect(page.getByText("1 server · 2 topics")).toBeVisible();
    await lookAtEachSize("the list of topics");
    await page.goto(`${server.url}#/~add`);
    const add = dialogOf(page, "Add a topic");
    await add.getByRole("textbox", { name: "Topic" }).fill("größe, docs");
    await add.getByLabel("Sign in").selectOption("User name and password");
    await expect(add.getByLabel("Password")).toBeVisible();
    await lookAtEachSize("adding a topic, with something wrong");
    await leave(page, add);
    await page.goto(`${server.url}#/welcome`);
    await chooseInMenu(page, "Connection");
    await expect(page.getByRole("dialog")).toBeVisible();
    await lookAtEachSize("a connection");
    await leave(page, page.getByRole("dialog"));
    await page.goto(`${server.url}#/~columns/welcome;~urgent`);
    await expect(page.getByRole("region", { name: "Urgent" }).first()).toBeVisible();
    await lookAtEachSize("columns");
    await page.goto(`${server.url}#/~settings/alerts`);
    await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
    await lookAtEachSize("the settings");
    await page.goto(`${server.url}#/~wall/welcome`);
    await expect(page.getByRole("main", { name: "Wall" }).getByRole("listitem").first()).toBeVisible();
    await lookAtEachSize("the wall");
  });
});
