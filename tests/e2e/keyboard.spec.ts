import type { Locator, Page } from "@playwright/test";
import { expect, subscribe, test } from "./fixtures";
import { filterBox, message, notice } from "./on-screen";

/** More tab stops than any screen here has. */
const MANY = 80;

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  const hasFocus = () => target.evaluate((element) => element === document.activeElement);
  for (let stop = 0; stop < MANY && !(await hasFocus()); stop++) await page.keyboard.press("Tab");
  await expect(target).toBeFocused();
}

/** Expects that the focus is still in the page once everything has settled. */
async function expectFocusKept(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
}

/** The focused element if its focus is invisible; undefined when all is well. */
function unseenFocus(): string | undefined {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return undefined;
  // A mark on the words beside an input, or on a box around it, counts too.
  const around = [focused.parentElement, focused.closest("[role=search] > *")];
  const near = [focused, focused.nextElementSibling, ...around].filter((element) => element !== null);
  const isMarked = near.some((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  });
  const { width, height } = focused.getBoundingClientRect();
  return isMarked && width > 0 && height > 0 ? undefined : focused.outerHTML.slice(0, 200);
}

/** Presses keys one after the other, and expects a visible focus in the page after each. */
async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await expect
      .poll(() => page.evaluate(() => document.activeElement !== document.body), `focus after ${key}`)
      .toBe(true);
  }
}

test("the main job works by keyboard alone, and screen readers hear each step", async ({ server, page, context }) => {
  test.slow();
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.url });
  const main = page.getByRole("main");
  const rows = page.getByRole("feed", { name: "Messages" }).getByRole("article");
  const details = page.getByRole("complementary", { name: "Message" });

  await test.step("the first start asks one question", async () => {
    await page.goto(server.url);
    const field = page.getByRole("textbox", { name: "Topic" });
    await expect(field).toBeVisible();
    await expect(page.locator("body")).toMatchAriaSnapshot(`
      - link "Skip to the messages"
      - navigation "Topics and views"
      - main:
        - heading "What do you want to be within earshot of?" [level=1]
        - textbox "Topic"
        - button "Subscribe"
      - status "Notices"
      - status "Servers"
      - status "New messages"
    `);
    await tabTo(page, field);
    await page.keyboard.type("backups");
    await press(page, "Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("backups");
    await expectFocusKept(page);
  });

  await test.step("what arrives is told in one line, and stands in the feed", async () => {
    await server.curl("backups", "48 snapshots checked", { Title: "Check of atlas" });
    await server.curl("backups", "3 snapshots are older than 48 h", {
      Title: "Backup failed",
      Priority: "5",
      Tags: "rotating_light,restic",
      Actions: `http, Retry now, ${server.url}backups, body=tried again; copy, Copy the host, atlas`,
    });
    await server.curl("backups", "the last one", { Title: "Newest" });
    await expect(page.getByRole("status", { name: "New messages" })).toHaveText("3 new messages in backups, 1 urgent");
    await expect(rows).toHaveCount(3);
    await expect(page.locator("body")).toMatchAriaSnapshot(`
      - navigation "Topics and views":
        - list:
          - listitem:
            - link "Everything 3 unread"
          - listitem:
            - link "Important 1 urgent unread"
        - region:
          - list:
            - listitem:
              - link "backups 3 unread"
      - main:
        - heading "backups" [level=1]
        - search:
          - combobox "Search and filter"
        - feed "Messages":
          - text: Today
          - article "Newest":
            - text: Unread
            - time
            - heading "Newest" [level=2]
            - text: the last one
          - article "🚨 Backup failed":
            - text: Unread
            - img "Urgent"
            - button "Filter by tag restic"
            - time
            - heading "🚨 Backup failed" [level=2]
            - text: 3 snapshots are older than 48 h
            - button "Retry now"
            - button "Copy the host"
          - article "Check of atlas"
      - status "Servers":
        - paragraph: /Live/
    `);
  });

  await test.step("messages are walked through and opened", async () => {
    await press(page, "j", "j");
    await expect(message(page, "Backup failed")).toBeFocused();
    expect(await page.evaluate(unseenFocus)).toBeUndefined();
    await press(page, "k", "j", "o");
    await expect(details.getByRole("heading", { level: 2 })).toHaveText("🚨 Backup failed");
    await expect(details).toMatchAriaSnapshot(`
      - complementary "Message":
        - article:
          - img "Urgent"
          - heading "🚨 Backup failed" [level=2]
          - paragraph:
            - time
          - button "More"
          - button "Close"
          - text: 3 snapshots are older than 48 h
          - button "Retry now"
          - tablist "About this message":
            - tab "Details" [selected]
            - tab "Raw"
          - tabpanel "Details":
            - term: Priority
            - definition: 5, urgent
          - group "Message actions":
            - button "Done"
            - button "Snooze…"
            - button "Star"
            - button "Mark unread"
            - button "Delete"
    `);
  });

  await test.step("a request is sent after a question, and a value copied", async () => {
    const retry = message(page, "Backup failed").getByRole("button", { name: "Retry now" });
    await tabTo(page, retry);
    await press(page, "Enter");
    const question = page.getByRole("dialog", { name: "“Retry now” sends a request" });
    await expect(question).toBeVisible();
    await expect(question).toMatchAriaSnapshot(`
      - dialog "“Retry now” sends a request":
        - banner:
          - heading "“Retry now” sends a request" [level=2]
          - button "Close"
        - paragraph: The message asks for this. The receiver sees your IP address.
        - code: /POST/
        - heading "Body" [level=3]
        - code: tried again
        - checkbox /Don't ask again/
        - contentinfo:
          - button "Cancel"
          - button "Send"
    `);
    await tabTo(page, question.getByRole("button", { name: "Send" }));
    await press(page, "Enter");
    await expect(notice(page)).toContainText("Retry now: done (200)");
    await expect(retry).toBeFocused();
    await tabTo(page, message(page, "Backup failed").getByRole("button", { name: "Copy the host" }));
    await press(page, "Enter");
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe("atlas");
  });

  await test.step("marks are set and taken back", async () => {
    await press(page, "u");
    await expect(message(page, "Backup failed").getByText("Unread", { exact: true })).toBeAttached();
    await press(page, "s");
    await expect(message(page, "Backup failed").getByText("Starred")).toBeAttached();
    await press(page, "h");
    const snooze = page.getByRole("dialog", { name: "Snooze until" });
    await expect(snooze).toBeVisible();
    await tabTo(page, snooze.getByRole("button", { name: /^Tomorrow/ }));
    await press(page, "Enter");
    await expect(notice(page)).toContainText("Message snoozed until tomorrow 08:00");
    await expect(message(page, "Check of atlas"), "the next one is at hand").toBeFocused();
    await press(page, "z");
    await expect(message(page, "Backup failed")).toHaveCount(1);
    await press(page, "k", "e");
    await expect(notice(page)).toContainText("Message done");
    await press(page, "Control+z");
    await expect(notice(page)).toHaveText("");
    await press(page, "#");
    await expect(notice(page)).toContainText("Message deleted");
    await tabTo(page, notice(page).getByRole("button", { name: "Undo" }));
    await press(page, "Enter");
    await expect(rows).toHaveCount(4);
    await expectFocusKept(page);
  });

  await test.step("several are picked, and let go of", async () => {
    // Starts at the topmost message, wherever the last step ended.
    await press(page, "k", "k", "k", "x", "Shift+J");
    await expect(page.getByRole("toolbar", { name: "Selected messages" })).toContainText("2 selected");
    await press(page, "Escape");
    await expect(page.getByRole("toolbar", { name: "Selected messages" })).toHaveCount(0);
  });

  await test.step("a filter is typed with its completion, and left", async () => {
    await press(page, "/");
    await expect(filterBox(page)).toBeFocused();
    await page.keyboard.type("tag:res");
    await expect(page.getByRole("option").first()).toBeVisible();
    await press(page, "ArrowDown");
    await expect(filterBox(page)).toHaveAttribute("aria-activedescendant", /./);
    await expect(page.getByRole("option", { selected: true })).toContainText("restic");
    await press(page, "Enter");
    await expect(rows).toHaveCount(1);
    await expect(main).toMatchAriaSnapshot(`
      - main:
        - heading "backups" [level=1]
        - search:
          - combobox "Search and filter"
        - feed "Messages":
          - article "🚨 Backup failed"
    `);
    await press(page, "Enter", "Backspace", "Backspace");
    await expect(rows).toHaveCount(4);
    await press(page, "Escape", "Escape");
    await expect(filterBox(page)).not.toBeFocused();
  });

  await test.step("commands are given by name, and settings changed", async () => {
    await press(page, "Control+k");
    const palette = page.getByRole("dialog", { name: "Commands" });
    await expect(palette.getByRole("combobox")).toBeFocused();
    await page.keyboard.type("settings");
    await expect(palette.getByRole("option", { selected: true })).toContainText("Settings");
    await press(page, "Enter");
    await expect(main.getByRole("heading", { level: 1 })).toHaveText("Settings");
    await expectFocusKept(page);
    await tabTo(page, page.getByRole("radio", { name: "By width" }));
    await press(page, "ArrowRight", "ArrowRight");
    await expect(page.locator("html")).toHaveAttribute("data-density", "compact");
    await expect(main).toMatchAriaSnapshot(`
      - main:
        - heading "Settings" [level=1]
    `);
    await press(page, "g");
    await press(page, "i");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Everything");
    await expectFocusKept(page);
  });
});

test("dialogs are opened and left without a mouse", async ({ server, page }) => {
  await test.step("a link's question is answered without a mouse", async () => {
    await server.publish("backups", "held by the server", { time: server.running.nowS() - 60 });
    await page.goto(`${server.url}#/backups`);
    await expect(page.getByRole("button", { name: "Subscribe" })).toBeVisible();
    await tabTo(page, page.getByRole("radio", { name: "Old messages" }));
    await page.keyboard.press("ArrowRight");
    await expect(page.getByRole("radio", { name: "New only" })).toBeChecked();
    await tabTo(page, page.getByRole("button", { name: "Subscribe" }));
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "No messages yet" })).toBeVisible();
  });
  await test.step("a topic is added without a mouse, and the focus returns from a dialog", async () => {
    const add = page.getByRole("button", { name: "Add a topic" });
    await tabTo(page, add);
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Add a topic" });
    const field = dialog.getByRole("textbox", { name: "Topic" });
    await expect(field).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(add).toBeFocused();

    await page.keyboard.press("Enter");
    await expect(field).toBeFocused();
    await page.keyboard.type("doors");
    await page.keyboard.press("Enter");
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("doors");
  });
  await test.step("the end of a dialog leaves the one that was opened right after it open", async () => {
    await page.keyboard.press("?");
    const first = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await expect(first).toBeVisible();
    const ended = await page.evaluateHandle(() => {
      const dialog = document.querySelector("dialog");
      if (!dialog) throw new Error("no dialog");
      const end = new Promise((resolve) => dialog.addEventListener("close", resolve));
      // As Escape does it; the browser tells of it in a later task.
      dialog.close();
      [...document.querySelectorAll("button")].find(({ innerText }) => innerText === "Add a topic")?.click();
      return { end };
    });
    await ended.evaluate(({ end }) => end);
    await expect(first).toHaveCount(0);
    await expect(page.getByRole("dialog", { name: "Add a topic" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
  await test.step("a dialog that Escape closes is gone at once, so that the next key is not lost", async () => {
    await page.keyboard.press("Control+k");
    const dialog = page.getByRole("dialog", { name: "Commands" });
    await expect(dialog).toBeVisible();
    const heights = await dialog.evaluateHandle((element) => {
      const seen: number[] = [];
      const look = (): void => {
        seen.push(element.getBoundingClientRect().height);
        if (element.isConnected) requestAnimationFrame(look);
      };
      element.addEventListener("cancel", () => requestAnimationFrame(look));
      return seen;
    });
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
    await expect.poll(() => heights.evaluate((seen) => seen)).toEqual([0]);
  });
});

test("a message that was opened and left keeps the focus, and keys act on it", async ({ server, page }) => {
  for (const [where, topic, landmark, viewport] of [
    ["beside the feed", "backups", "complementary", { width: 1440, height: 900 }],
    ["in its place", "doors", "main", { width: 900, height: 700 }],
  ] as const) {
    await test.step(where, async () => {
      await page.setViewportSize(viewport);
      for (const name of ["third", "second", "first"]) await server.publish(topic, `the ${name}`);
      await subscribe(page, server, topic);
      const second = message(page, "the second");
      await expect(second).toBeVisible();
      const details = page.getByRole(landmark, { name: "Message" });
      await press(page, "j", "j", "o");
      await expect(details).toContainText("the second");
      await press(page, "Escape");
      await expect(details).toBeHidden();
      await expect(second).toBeFocused();
      await press(page, "s");
      await expect(second.getByText("Starred")).toBeAttached();
      await press(page, "u");
      await expect(second.getByText("Unread", { exact: true })).toBeAttached();
      await press(page, "e");
      await expect(second).toHaveCount(0);
      await expect(message(page, "the third"), "the one below has its place").toBeFocused();
      await press(page, "u");
      await expect(message(page, "the third").getByText("Unread", { exact: true })).toHaveCount(0);
    });
  }
});

test("menus and tab stops", async ({ server, page }) => {
  await test.step("a menu is operated with the arrow keys, and returns the focus", async () => {
    await subscribe(page, server, "backups");
    const more = page.locator("main > header").getByRole("button", { name: "More" });
    await tabTo(page, more);
    await page.keyboard.press("Enter");
    const items = page.getByRole("menuitem");
    await expect(items.first()).toBeFocused();
    await page.keyboard.press("ArrowUp");
    await expect(items.last()).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(items.first()).toBeHidden();
    await expect(more).toBeFocused();

    await page.keyboard.press("Enter");
    await expect(items.first()).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await expect(page.getByRole("menuitem", { name: "Topic settings" })).toBeFocused();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Settings of backups" });
    await expect(dialog.getByRole("button", { name: "Mute…" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(more).toBeFocused();
  });
  await test.step("the first tab stop leads past the rail to the messages", async () => {
    await page.reload();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("backups");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: "Skip to the messages" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("main")).toBeFocused();
  });
  await test.step("every focused element shows its focus", async () => {
    await server.publish("doors", "with all that can be pressed", {
      title: "A title",
      tags: ["disk"],
      click: "https://example.org/",
      actions: [{ action: "copy", label: "Copy it", value: "a" }],
    });
    await subscribe(page, server, "doors");
    await message(page, "A title").click();
    const seen = new Set<string>();
    const pages = {
      "#/doors": "doors",
      "#/~topics": "Topics",
      "#/~settings": "Settings",
      "#/elsewhere": "elsewhere",
      "#/~add": "Add a topic",
    };
    for (const [link, heading] of Object.entries(pages)) {
      await page.goto(`${server.url}${link}`);
      await expect(page.getByRole("heading", { name: heading }).first()).toBeVisible();
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      for (let stop = 0; stop < 30; stop++) {
        await page.keyboard.press("Tab");
        const unseen = await page.evaluate(unseenFocus);
        if (unseen !== undefined) seen.add(`${link}: ${unseen}`);
      }
    }
    expect([...seen], "focus that does not show").toEqual([]);
  });
});
